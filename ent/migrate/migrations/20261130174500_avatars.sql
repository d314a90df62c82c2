-- Modify "users" table
ALTER TABLE "users" ADD COLUMN "avatar_source_id" character varying NULL;
-- Create index "user_avatar_source_id" to table: "users"
CREATE INDEX "user_avatar_source_id" ON "users" ("avatar_source_id") WHERE avatar_source_id IS NOT NULL;
