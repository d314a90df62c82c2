-- Create index "export_workspace_id_bytes" to table: "exports"
CREATE INDEX "export_workspace_id_bytes" ON "exports" ("workspace_id", "bytes") WHERE (bytes > 0);
