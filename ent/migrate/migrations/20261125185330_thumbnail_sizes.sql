-- Modify "videos" table
ALTER TABLE "videos" ADD COLUMN "thumbnail_width" bigint NOT NULL DEFAULT 0, ADD COLUMN "thumbnail_height" bigint NOT NULL DEFAULT 0;
