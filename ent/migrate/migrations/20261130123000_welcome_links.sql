-- Links to the form of the first owner. Each start of a server adds one while no account has a password; the first use ends all.
CREATE TABLE "welcome_links" ("token_hash" bytea NOT NULL, "expires_at" timestamptz NOT NULL, PRIMARY KEY ("token_hash"));
