-- The orders of the list of videos. A name is compared without case and accents, by code points, so that its order is the
-- same on every system. Only its first 255 characters count, because an entry of an index has a maximum length.
CREATE FUNCTION "name_order"("t" text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT left(regexp_replace(lower(normalize(t, NFKD)), '[\u0300-\u036f]', '', 'g'), 255)
$$;
CREATE INDEX "video_name_order" ON "videos" ("workspace_id", (name_order("name") COLLATE "C"), "id");
-- Create index "video_workspace_id_created_at_id" to table: "videos"
CREATE INDEX "video_workspace_id_created_at_id" ON "videos" ("workspace_id", "created_at", "id");
-- Create index "video_workspace_id_duration_ms_id" to table: "videos"
CREATE INDEX "video_workspace_id_duration_ms_id" ON "videos" ("workspace_id", "duration_ms", "id");
-- Create index "video_workspace_id_views_id" to table: "videos"
CREATE INDEX "video_workspace_id_views_id" ON "videos" ("workspace_id", "views", "id");
-- Drop index "video_workspace_id_views" from table: "videos"; the one before does the same
DROP INDEX "video_workspace_id_views";
