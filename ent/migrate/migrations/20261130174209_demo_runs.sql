-- Create "demo_runs" table
CREATE TABLE "demo_runs" ("id" character varying NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "workspace_id" character varying NOT NULL, "user_id" character varying NOT NULL, "status" character varying NOT NULL DEFAULT 'pending', "progress" bigint NOT NULL DEFAULT 0, "made" jsonb NOT NULL, "error_code" character varying NOT NULL DEFAULT '', "error_message" character varying NOT NULL DEFAULT '', "finished_at" timestamptz NULL, PRIMARY KEY ("id"));
-- Create index "demorun_workspace_id" to table: "demo_runs"
CREATE UNIQUE INDEX "demorun_workspace_id" ON "demo_runs" ("workspace_id");
