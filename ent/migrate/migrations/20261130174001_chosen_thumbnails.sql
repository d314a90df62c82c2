-- Modify "videos" table
ALTER TABLE "videos" ADD COLUMN "thumbnail" jsonb NULL;
-- Which videos show an image as their thumbnail: it stays for as long as they are there. The column is JSON, of which ent
-- knows no index.
CREATE INDEX "video_thumbnail_source" ON "videos" (("thumbnail"->>'sourceId')) WHERE "thumbnail"->>'sourceId' IS NOT NULL;
