-- Modify "view_quarters" table
ALTER TABLE "view_quarters" ADD COLUMN "distinct_ms" bigint NOT NULL DEFAULT 0;
-- Modify "view_sessions" table; nothing has ever written to it
ALTER TABLE "view_sessions" ADD COLUMN "opened_at" timestamptz NOT NULL, DROP COLUMN "last_seq", DROP COLUMN "open_range";
