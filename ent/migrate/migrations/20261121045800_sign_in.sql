-- Wrong passwords of the present quarter of an hour, by account and by address.
CREATE TABLE "sign_in_windows" ("subject" text NOT NULL, "started" timestamptz NOT NULL, "guesses" integer NOT NULL, PRIMARY KEY ("subject", "started"));
