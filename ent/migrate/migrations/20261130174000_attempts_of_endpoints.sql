-- An attempt names the endpoint and the message of its delivery, so that the attempts at an endpoint are found by an index.
-- The database sets both, also for rows that the previous version writes.
ALTER TABLE "webhook_attempts" ADD COLUMN "message_id" character varying NULL, ADD COLUMN "endpoint_id" character varying NULL;
CREATE FUNCTION "name_delivery"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT d.message_id, d.endpoint_id INTO NEW.message_id, NEW.endpoint_id FROM webhook_deliveries d WHERE d.id = NEW.delivery_id;
  RETURN NEW;
END
$$;
CREATE TRIGGER "named" BEFORE INSERT ON "webhook_attempts" FOR EACH ROW EXECUTE FUNCTION "name_delivery"();
UPDATE "webhook_attempts" a SET "message_id" = d.message_id, "endpoint_id" = d.endpoint_id FROM "webhook_deliveries" d WHERE d.id = a.delivery_id;
-- Create index "webhookattempt_endpoint_id_sent_at_id" to table: "webhook_attempts"
CREATE INDEX "webhookattempt_endpoint_id_sent_at_id" ON "webhook_attempts" ("endpoint_id", "sent_at" DESC, "id" DESC);
-- Create index "webhookattempt_endpoint_id_status_sent_at_id" to table: "webhook_attempts"
CREATE INDEX "webhookattempt_endpoint_id_status_sent_at_id" ON "webhook_attempts" ("endpoint_id", "status", "sent_at" DESC, "id" DESC);
