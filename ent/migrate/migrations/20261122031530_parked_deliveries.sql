-- Create index "webhookdelivery_endpoint_id" to table: "webhook_deliveries"
CREATE INDEX "webhookdelivery_endpoint_id" ON "webhook_deliveries" ("endpoint_id") WHERE (((status)::text = 'pending'::text) AND (next_attempt_at IS NULL));
