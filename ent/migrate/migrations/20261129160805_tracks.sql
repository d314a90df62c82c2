-- Modify "sources" table
ALTER TABLE "sources" ADD COLUMN "declared_width" bigint NOT NULL DEFAULT 0, ADD COLUMN "declared_height" bigint NOT NULL DEFAULT 0, ADD COLUMN "began_ms" double precision NULL;
-- Modify "videos" table
ALTER TABLE "videos" ADD COLUMN "size_awaited" boolean NOT NULL DEFAULT false;
-- Modify "clips" table
ALTER TABLE "clips" ADD COLUMN "offsets" jsonb NULL, ADD COLUMN "microphone_source_id" character varying NULL, ADD CONSTRAINT "clips_sources_microphone_source" FOREIGN KEY ("microphone_source_id") REFERENCES "sources" ("id") ON UPDATE NO ACTION ON DELETE SET NULL;
-- Create index "clip_microphone_source_id" to table: "clips"
CREATE INDEX "clip_microphone_source_id" ON "clips" ("microphone_source_id");
