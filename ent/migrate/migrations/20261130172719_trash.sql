-- Modify "videos" table
ALTER TABLE "videos" ADD COLUMN "trashed_at" timestamptz NULL;
-- Create index "video_workspace_id_trashed_at" to table: "videos"
CREATE INDEX "video_workspace_id_trashed_at" ON "videos" ("workspace_id", "trashed_at") WHERE (trashed_at IS NOT NULL);

-- A video in the trash is in no sums but its own, which come back with it.
CREATE OR REPLACE FUNCTION "follow_views"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was_shared boolean := OLD."visibility" = 'org' AND OLD."trashed_at" IS NULL;
BEGIN
  IF NOT EXISTS (SELECT FROM "view_sessions" WHERE "video_id" = OLD."id") THEN
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('views ' || OLD."workspace_id", 0));
  IF TG_OP = 'DELETE' THEN
    IF OLD."trashed_at" IS NULL THEN
      PERFORM "add_views"(OLD."workspace_id", OLD."id", OLD."user_id", -1);
    END IF;
    IF was_shared THEN
      PERFORM "add_views"(OLD."workspace_id", OLD."id", OLD."workspace_id", -1);
    END IF;
    DELETE FROM "view_totals" WHERE "workspace_id" = OLD."workspace_id" AND "subject" = OLD."id";
    DELETE FROM "view_slices" WHERE "workspace_id" = OLD."workspace_id" AND "subject" = OLD."id";
    DELETE FROM "view_places" WHERE "workspace_id" = OLD."workspace_id" AND "subject" = OLD."id";
    RETURN OLD;
  END IF;
  IF (OLD."trashed_at" IS NULL) <> (NEW."trashed_at" IS NULL) THEN
    PERFORM "add_views"(OLD."workspace_id", OLD."id", OLD."user_id", CASE WHEN NEW."trashed_at" IS NULL THEN 1 ELSE -1 END);
  END IF;
  IF was_shared <> (NEW."visibility" = 'org' AND NEW."trashed_at" IS NULL) THEN
    PERFORM "add_views"(OLD."workspace_id", OLD."id", OLD."workspace_id", CASE WHEN was_shared THEN -1 ELSE 1 END);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "views_leave" AFTER UPDATE OF "trashed_at" ON "videos" FOR EACH ROW WHEN (OLD."trashed_at" IS DISTINCT FROM NEW."trashed_at" AND OLD."visibility" = NEW."visibility") EXECUTE FUNCTION "follow_views"();
