-- Modify "words" table
ALTER TABLE "words" ADD COLUMN "cue" bigint NOT NULL DEFAULT 0;
