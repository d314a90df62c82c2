-- Create index "webhookdelivery_endpoint_id_next_attempt_at" to table: "webhook_deliveries"
CREATE INDEX "webhookdelivery_endpoint_id_next_attempt_at" ON "webhook_deliveries" ("endpoint_id", "next_attempt_at") WHERE (((status)::text = 'pending'::text) AND (next_attempt_at IS NOT NULL));
