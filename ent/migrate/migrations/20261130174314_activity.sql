-- Modify "memberships" table
ALTER TABLE "memberships" ADD COLUMN "activity_read_at" timestamptz NULL;
-- Modify "videos" table
ALTER TABLE "videos" ADD COLUMN "first_viewed_at" timestamptz NULL;
-- What is known of earlier views.
UPDATE "videos" SET "first_viewed_at" = s.first FROM (
  SELECT "video_id", date_trunc('milliseconds', min("first_play_at")) AS first FROM "view_sessions" WHERE "first_play_at" IS NOT NULL GROUP BY "video_id"
) s WHERE "videos"."id" = s."video_id" AND "videos"."views" > 0;
