-- Create "certificates" table
CREATE TABLE "certificates" ("id" character varying NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "name" character varying NOT NULL, "sealed" bytea NOT NULL, PRIMARY KEY ("id"));
-- Create index "certificates_name_key" to table: "certificates"
CREATE UNIQUE INDEX "certificates_name_key" ON "certificates" ("name");
