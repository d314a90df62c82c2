-- Modify "videos" table
ALTER TABLE "videos" ADD COLUMN "thumbnail_fault" character varying NULL;
