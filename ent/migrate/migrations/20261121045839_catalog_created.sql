-- Modify "catalog_items" table
ALTER TABLE "catalog_items" ADD COLUMN "created_at" timestamptz NOT NULL DEFAULT date_trunc('milliseconds'::text, now());
