-- Modify "webhook_endpoints" table
ALTER TABLE "webhook_endpoints" ADD COLUMN "earlier_secrets" jsonb NULL, ADD COLUMN "deleted_at" timestamptz NULL;
