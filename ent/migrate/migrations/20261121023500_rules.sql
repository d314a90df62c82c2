-- What ent cannot say: the request counter and the touch log's trigger.

-- The request counter. Unlogged: it is worth nothing after a crash, and must cost little.
CREATE UNLOGGED TABLE "rate_windows" ("subject" text NOT NULL, "minute" timestamptz NOT NULL, "used" integer NOT NULL, PRIMARY KEY ("subject", "minute"));
-- Only what is inserted into one minute and swept soon after: no fill to spare for it.
ALTER TABLE "rate_windows" SET (fillfactor = 50);

-- Whenever an edit moves a row in its list, the log keeps where it stood, so that a walk begun
-- earlier still finds it there.
CREATE FUNCTION "log_touch"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "touches" ("workspace_id", "row_id", "old_updated_at", "xid", "touched_at")
  VALUES (OLD."workspace_id", OLD."id", OLD."updated_at", pg_current_xact_id()::text::bigint, now());
  RETURN NEW;
END $$;
CREATE TRIGGER "touched" BEFORE UPDATE ON "videos" FOR EACH ROW WHEN (OLD."updated_at" IS DISTINCT FROM NEW."updated_at") EXECUTE FUNCTION "log_touch"();
CREATE TRIGGER "touched" BEFORE UPDATE ON "playlists" FOR EACH ROW WHEN (OLD."updated_at" IS DISTINCT FROM NEW."updated_at") EXECUTE FUNCTION "log_touch"();
CREATE TRIGGER "touched" BEFORE UPDATE ON "webhook_endpoints" FOR EACH ROW WHEN (OLD."updated_at" IS DISTINCT FROM NEW."updated_at") EXECUTE FUNCTION "log_touch"();
CREATE TRIGGER "touched" BEFORE UPDATE ON "library_items" FOR EACH ROW WHEN (OLD."updated_at" IS DISTINCT FROM NEW."updated_at") EXECUTE FUNCTION "log_touch"();
