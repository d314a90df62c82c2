-- Which video a session that lasted through a quarter's beginning is of: figures of one video, and of a day,
-- look at no session of another.
ALTER TABLE "view_crossings" ADD COLUMN "video_id" character varying NOT NULL DEFAULT '';
UPDATE "view_crossings" c SET "video_id" = s."video_id" FROM "view_sessions" s WHERE s."id" = c."session_id";
CREATE INDEX "viewcrossing_workspace_id_at_video_id" ON "view_crossings" ("workspace_id", "at", "video_id");
