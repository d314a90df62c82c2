-- Modify "effects" table
ALTER TABLE "effects" DROP CONSTRAINT "effects_sources_source", ADD CONSTRAINT "effects_sources_source" FOREIGN KEY ("source_id") REFERENCES "sources" ("id") ON UPDATE NO ACTION ON DELETE NO ACTION;
