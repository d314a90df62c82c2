-- Create "extracts" table
CREATE TABLE "extracts" ("id" character varying NOT NULL, "created_at" timestamptz NOT NULL, "workspace_id" character varying NOT NULL, "subject_id" character varying NOT NULL, "key" character varying NOT NULL, "recipe" jsonb NOT NULL, "status" character varying NOT NULL DEFAULT 'pending', "files" jsonb NOT NULL, "error_message" character varying NOT NULL DEFAULT '', "finished_at" timestamptz NULL, "used_at" timestamptz NOT NULL, PRIMARY KEY ("id"));
-- Create index "extract_subject_id" to table: "extracts"
CREATE INDEX "extract_subject_id" ON "extracts" ("subject_id");
-- Create index "extract_used_at" to table: "extracts"
CREATE INDEX "extract_used_at" ON "extracts" ("used_at");
-- Create index "extract_workspace_id_key" to table: "extracts"
CREATE UNIQUE INDEX "extract_workspace_id_key" ON "extracts" ("workspace_id", "key");
