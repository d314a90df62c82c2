-- Modify "view_sessions" table
ALTER TABLE "view_sessions" ADD COLUMN "events" bigint NOT NULL DEFAULT 0;
