-- The link to the form of the first owner. Each start of a server replaces it while no account has a password.
CREATE TABLE "welcome_links" ("token_hash" bytea NOT NULL, "expires_at" timestamptz NOT NULL, PRIMARY KEY ("token_hash"));
