-- Modify "exports" table
ALTER TABLE "exports" ADD COLUMN "for_pages" boolean NOT NULL DEFAULT false;
