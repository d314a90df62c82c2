-- Which clips stand on a source, and which videos play it: whoever may read them may use it, and it stays for
-- as long as they are there. Their columns are JSON, of which ent knows no index.
CREATE INDEX "clip_background_source" ON "clips" (("background"->>'sourceId')) WHERE "background"->>'sourceId' IS NOT NULL;
CREATE INDEX "video_music_source" ON "videos" (("background_music"->>'sourceId')) WHERE "background_music"->>'sourceId' IS NOT NULL;
