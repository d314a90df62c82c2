-- What ent cannot say: reports in parts of a day, and the sums that figures are read from.

-- Reports go with the day of their receipt: a periodic job makes the parts ahead and drops the old ones.
-- Whatever has no part of its own is kept in the rest. That a report counts once its session knows.
ALTER TABLE "playback_events" RENAME TO "playback_events_before";
CREATE TABLE "playback_events" ("id" character varying NOT NULL, "created_at" timestamptz NOT NULL, "workspace_id" character varying NOT NULL, "session_id" character varying NOT NULL, "seq" bigint NOT NULL, "events" jsonb NOT NULL, CONSTRAINT "playback_events_session" FOREIGN KEY ("session_id") REFERENCES "view_sessions" ("id") ON UPDATE NO ACTION ON DELETE CASCADE) PARTITION BY RANGE ("created_at");
CREATE UNIQUE INDEX "playbackevent_session_id_seq_created_at" ON "playback_events" ("session_id", "seq", "created_at");
CREATE TABLE "playback_events_rest" PARTITION OF "playback_events" DEFAULT;
INSERT INTO "playback_events" SELECT "id", "created_at", "workspace_id", "session_id", "seq", "events" FROM "playback_events_before";
DROP TABLE "playback_events_before";

-- A session knows which of its reports have come. Each report changes its row: the room that is left
-- keeps that from touching the indexes.
DROP INDEX "viewsession_last_event_at";
ALTER TABLE "view_sessions" ADD COLUMN "waiting_since" timestamptz NULL, ADD COLUMN "seqs" int8multirange NOT NULL DEFAULT '{}';
ALTER TABLE "view_sessions" SET (fillfactor = 80);
CREATE INDEX "viewsession_waiting_since" ON "view_sessions" ("waiting_since") WHERE (waiting_since IS NOT NULL);
UPDATE "view_sessions" SET "waiting_since" = now(), "seqs" = (SELECT range_agg(int8range("seq", "seq", '[]')) FROM "playback_events" WHERE "session_id" = "view_sessions"."id") WHERE "id" IN (SELECT "session_id" FROM "playback_events");
-- They are made anew, with their sums.
DELETE FROM "view_quarters";
DROP INDEX "viewquarter_video_id_quarter";
DROP INDEX "viewquarter_workspace_id_quarter";

-- Sums over a quarter of an hour (level 0), a day of UTC (1) and sixteen of them (2), of a video, of all
-- videos of a creator, or of all that are shared with the workspace: subject is the id of either. What
-- a session does counts when it was reported; the session itself counts once, where it began.
CREATE TABLE "view_totals" ("workspace_id" character varying NOT NULL, "subject" character varying NOT NULL, "level" smallint NOT NULL, "at" timestamptz NOT NULL, "opens" bigint NOT NULL, "views" bigint NOT NULL, "watched_ms" bigint NOT NULL, "sessions" bigint NOT NULL, "watching" bigint NOT NULL, "completed" bigint NOT NULL, "share" numeric NOT NULL, PRIMARY KEY ("workspace_id", "subject", "level", "at"));
-- The counts of all percents in one number, ten digits each, so that one sum adds them all.
CREATE TABLE "view_slices" ("workspace_id" character varying NOT NULL, "subject" character varying NOT NULL, "level" smallint NOT NULL, "at" timestamptz NOT NULL, "watches" numeric NOT NULL, "viewers" numeric NOT NULL, PRIMARY KEY ("workspace_id", "subject", "level", "at"));
-- By country and referrer, empty when unknown.
CREATE TABLE "view_places" ("workspace_id" character varying NOT NULL, "subject" character varying NOT NULL, "kind" character varying NOT NULL, "level" smallint NOT NULL, "at" timestamptz NOT NULL, "place" character varying NOT NULL, "views" bigint NOT NULL, "sessions" bigint NOT NULL, PRIMARY KEY ("workspace_id", "subject", "kind", "level", "at", "place"));
-- The quarters that began while a session lasted: a range that begins or ends there has part of it.
CREATE TABLE "view_crossings" ("workspace_id" character varying NOT NULL, "at" timestamptz NOT NULL, "session_id" character varying NOT NULL, PRIMARY KEY ("workspace_id", "at", "session_id"), CONSTRAINT "view_crossings_session" FOREIGN KEY ("session_id") REFERENCES "view_sessions" ("id") ON DELETE CASCADE);
CREATE INDEX "viewcrossing_session_id" ON "view_crossings" ("session_id");

-- Adds a video's sums to those of a subject, or takes them away.
CREATE FUNCTION "add_views"(workspace text, video text, towards text, sign integer) RETURNS void LANGUAGE sql AS $$
  INSERT INTO "view_totals" AS t
  SELECT workspace, towards, "level", "at", sign * "opens", sign * "views", sign * "watched_ms", sign * "sessions", sign * "watching", sign * "completed", sign * "share"
  FROM "view_totals" WHERE "workspace_id" = workspace AND "subject" = video ORDER BY "level", "at"
  ON CONFLICT ("workspace_id", "subject", "level", "at") DO UPDATE SET "opens" = t."opens" + EXCLUDED."opens", "views" = t."views" + EXCLUDED."views",
    "watched_ms" = t."watched_ms" + EXCLUDED."watched_ms", "sessions" = t."sessions" + EXCLUDED."sessions", "watching" = t."watching" + EXCLUDED."watching",
    "completed" = t."completed" + EXCLUDED."completed", "share" = t."share" + EXCLUDED."share";
  INSERT INTO "view_slices" AS t
  SELECT workspace, towards, "level", "at", sign * "watches", sign * "viewers"
  FROM "view_slices" WHERE "workspace_id" = workspace AND "subject" = video ORDER BY "level", "at"
  ON CONFLICT ("workspace_id", "subject", "level", "at") DO UPDATE SET "watches" = t."watches" + EXCLUDED."watches", "viewers" = t."viewers" + EXCLUDED."viewers";
  INSERT INTO "view_places" AS t
  SELECT workspace, towards, "kind", "level", "at", "place", sign * "views", sign * "sessions"
  FROM "view_places" WHERE "workspace_id" = workspace AND "subject" = video ORDER BY "kind", "level", "at", "place"
  ON CONFLICT ("workspace_id", "subject", "kind", "level", "at", "place") DO UPDATE SET "views" = t."views" + EXCLUDED."views", "sessions" = t."sessions" + EXCLUDED."sessions";
$$;

-- Sums follow their video: into the workspace's shared videos, out of them, and away. The job that adds to them holds the same lock, shared.
CREATE FUNCTION "follow_views"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM "view_sessions" WHERE "video_id" = OLD."id") THEN
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('views ' || OLD."workspace_id", 0));
  IF TG_OP = 'DELETE' THEN
    PERFORM "add_views"(OLD."workspace_id", OLD."id", OLD."user_id", -1);
    IF OLD."visibility" = 'org' THEN
      PERFORM "add_views"(OLD."workspace_id", OLD."id", OLD."workspace_id", -1);
    END IF;
    DELETE FROM "view_totals" WHERE "workspace_id" = OLD."workspace_id" AND "subject" = OLD."id";
    DELETE FROM "view_slices" WHERE "workspace_id" = OLD."workspace_id" AND "subject" = OLD."id";
    DELETE FROM "view_places" WHERE "workspace_id" = OLD."workspace_id" AND "subject" = OLD."id";
    RETURN OLD;
  END IF;
  IF (OLD."visibility" = 'org') <> (NEW."visibility" = 'org') THEN
    PERFORM "add_views"(OLD."workspace_id", OLD."id", OLD."workspace_id", CASE NEW."visibility" WHEN 'org' THEN 1 ELSE -1 END);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "views_follow" AFTER UPDATE OF "visibility" ON "videos" FOR EACH ROW WHEN (OLD."visibility" IS DISTINCT FROM NEW."visibility") EXECUTE FUNCTION "follow_views"();
CREATE TRIGGER "views_go" BEFORE DELETE ON "videos" FOR EACH ROW EXECUTE FUNCTION "follow_views"();
