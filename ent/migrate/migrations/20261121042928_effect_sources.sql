-- Modify "effects" table
ALTER TABLE "effects" ADD COLUMN "source_id" character varying NULL, ADD CONSTRAINT "effects_sources_source" FOREIGN KEY ("source_id") REFERENCES "sources" ("id") ON UPDATE NO ACTION ON DELETE SET NULL;
-- Create index "effect_source_id" to table: "effects"
CREATE INDEX "effect_source_id" ON "effects" ("source_id");
