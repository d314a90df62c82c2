-- Modify "catalog_items" table
ALTER TABLE "catalog_items" ADD COLUMN "bytes" bigint NOT NULL DEFAULT 0, ADD COLUMN "sha256" character varying NOT NULL DEFAULT '', ADD COLUMN "probe" jsonb NULL;
-- Create index "clip_transcript_status" to table: "clips"
CREATE INDEX "clip_transcript_status" ON "clips" ("transcript_status") WHERE (((transcript_status)::text = 'pending'::text) OR ((transcript_status)::text = 'processing'::text));
