-- Drop index "export_video_id_user_id_plan_hash" from table: "exports"
DROP INDEX "export_video_id_user_id_plan_hash";
-- Create index "export_video_id_user_id_plan_hash_for_pages" to table: "exports"
CREATE UNIQUE INDEX "export_video_id_user_id_plan_hash_for_pages" ON "exports" ("video_id", "user_id", "plan_hash", "for_pages") WHERE (finished_at IS NULL);
