-- The words of a clip are one value, not a row each. The version before goes on with its rows, in the table "words": what
-- it writes there is written here, and what is written here is written there, as far as that is cheap. A migration named
-- contract_… takes the rows and both triggers away a version later.
CREATE TABLE "transcripts" (
  "id" character varying NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL,
  "workspace_id" character varying NOT NULL, "clip_id" character varying NOT NULL,
  "texts" text[] NOT NULL, "starts" bigint[] NOT NULL, "ends" bigint[] NOT NULL, "corrected" text[] NOT NULL,
  "hidden" boolean[] NOT NULL, "cues" bigint[] NOT NULL, "confidence" double precision[] NOT NULL,
  PRIMARY KEY ("id"),
  CONSTRAINT "transcripts_clips_transcript" FOREIGN KEY ("clip_id") REFERENCES "clips" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
CREATE UNIQUE INDEX "transcripts_clip_id_key" ON "transcripts" ("clip_id");

-- The words of clips as their rows have them, in one value each.
CREATE FUNCTION "gather_words"("clips_of" text[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO transcripts (id, created_at, updated_at, workspace_id, clip_id, texts, starts, ends, corrected, hidden, cues, confidence)
  SELECT 'tr_' || substr(md5(c.id), 1, 26), c.created_at, now(), c.workspace_id, c.id,
    coalesce(w.texts, '{}'), coalesce(w.starts, '{}'), coalesce(w.ends, '{}'),
    CASE WHEN w.corrections THEN w.corrected ELSE '{}' END, CASE WHEN w.hiding THEN w.hidden ELSE '{}' END,
    CASE WHEN w.divided THEN w.cues ELSE '{}' END, CASE WHEN w.sure THEN w.confidence ELSE '{}' END
  FROM clips c LEFT JOIN LATERAL (
    SELECT array_agg(o.text::text) AS texts, array_agg(o.start_ms) AS starts, array_agg(o.end_ms) AS ends,
      array_agg(coalesce(o.corrected, '')::text) AS corrected, bool_or(o.corrected IS NOT NULL) AS corrections,
      array_agg(o.hidden) AS hidden, bool_or(o.hidden) AS hiding, array_agg(o.cue) AS cues, bool_or(o.cue <> 0) AS divided,
      array_agg(o.confidence) AS confidence, bool_or(o.confidence <> 0) AS sure
    FROM (SELECT * FROM words WHERE clip_id = c.id ORDER BY position) o
  ) w ON true
  WHERE c.id = ANY(clips_of)
  ON CONFLICT (clip_id) DO UPDATE SET updated_at = excluded.updated_at, texts = excluded.texts, starts = excluded.starts,
    ends = excluded.ends, corrected = excluded.corrected, hidden = excluded.hidden, cues = excluded.cues,
    confidence = excluded.confidence
$$;

-- Nobody writes rows from here to the end: those that are there are gathered whole, and those that come are by the trigger.
DO $$ BEGIN LOCK TABLE "words" IN SHARE ROW EXCLUSIVE MODE; END $$;
SELECT gather_words(array_agg(DISTINCT "clip_id")) FROM "words";

-- Which words of the clip a part of its text is made of; null in parts that were written before.
ALTER TABLE "clip_texts" ADD COLUMN "first_word" bigint, ADD COLUMN "end_word" bigint;

-- What a word is found by: its first letters, without two characters that are a whole sentence each.
CREATE FUNCTION "search_word"("text" text, "corrected" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT translate(left(coalesce(nullif(corrected, ''), text), 64), U&'\FDFA\FDFB', '')
$$;

-- search_fold for many words at once. What is plain ASCII needs no tables of characters.
CREATE FUNCTION "search_fold_words"("t" text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN octet_length(t) = char_length(t) THEN regexp_replace(lower(t), '[^0-9a-z]+', ' ', 'g') ELSE search_fold(t) END
$$;

-- Where the cuts of a clip begin and end, ascending. The last that begins before a moment is found by halves, however many
-- there are; callers keep both in a subquery with OFFSET 0, or they are made anew for each word.
CREATE FUNCTION "cut_starts"("cuts" jsonb) RETURNS bigint[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT coalesce(array_agg((c->>'startMs')::bigint ORDER BY (c->>'startMs')::bigint), '{}') FROM jsonb_array_elements(cuts) c
$$;
CREATE FUNCTION "cut_ends"("cuts" jsonb) RETURNS bigint[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT coalesce(array_agg((c->>'endMs')::bigint ORDER BY (c->>'startMs')::bigint), '{}') FROM jsonb_array_elements(cuts) c
$$;

-- What is heard and shown of a clip is folded in blocks of 4,000 bytes, since to fold each word alone costs several times as
-- much, and divided into documents of about 200,000; the order of words within a block does not matter. Of what is longer than
-- any speech, the first 2,000,000 bytes are found.
CREATE OR REPLACE FUNCTION "index_words"("clips_of" text[]) RETURNS void LANGUAGE sql AS $$
  DELETE FROM clip_texts WHERE clip_id = ANY(clips_of);
  INSERT INTO clip_texts (clip_id, part, workspace_id, video_id, document, first_word, end_word)
  SELECT c.id, p.part, c.workspace_id, c.video_id, search_document(c.workspace_id, string_agg(p.folded, ' ' ORDER BY p.block)),
    min(p.first_word), max(p.last_word) + 1
  FROM clips c JOIN transcripts t ON t.clip_id = c.id CROSS JOIN LATERAL (SELECT cut_starts(c.cuts) AS starts, cut_ends(c.cuts) AS ends OFFSET 0) k CROSS JOIN LATERAL (
    SELECT b.*, sum(octet_length(b.folded) + 1) OVER (ORDER BY b.block) / 200000 AS part
    FROM (
      SELECT g.block, search_fold_words(string_agg(g.said, ' ')) AS folded, min(g.place) AS first_word, max(g.place) AS last_word
      FROM (
        SELECT h.place, h.said, sum(octet_length(h.said) + 1) OVER (ROWS UNBOUNDED PRECEDING) / 4000 AS block
        FROM (
          SELECT w.place - 1 AS place, search_word(w.text, w.corrected) AS said
          FROM unnest(t.texts, t.starts, t.ends, t.corrected, t.hidden) WITH ORDINALITY w(text, start_ms, end_ms, corrected, hidden, place)
          WHERE w.hidden IS NOT TRUE AND
            (CASE WHEN w.start_ms < w.end_ms THEN w.end_ms <= k.ends[width_bucket(w.start_ms, k.starts)]
            ELSE w.start_ms < k.ends[width_bucket(w.start_ms, k.starts)] END) IS NOT TRUE
        ) h
      ) g WHERE g.block < 500 GROUP BY g.block
    ) b
  ) p
  WHERE c.id = ANY(clips_of)
  GROUP BY c.id, p.part
$$;

-- What the version before writes. What the trigger below writes is known already.
CREATE OR REPLACE FUNCTION "words_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF pg_trigger_depth() = 1 THEN
    PERFORM gather_words(array_agg(DISTINCT clip_id)) FROM changed;
  END IF;
  RETURN NULL;
END $$;

-- What this version writes. The version before sees transcripts of up to 10,000 words, which are an hour of speech, and
-- longer ones as empty: their rows would cost what one value saves.
CREATE FUNCTION "transcript_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  n bigint := cardinality(NEW.texts);
BEGIN
  -- A copy comes with the texts of what it is copied from.
  IF TG_OP = 'UPDATE' OR NOT EXISTS (SELECT FROM clip_texts WHERE clip_id = NEW.clip_id) THEN
    PERFORM index_words(ARRAY[NEW.clip_id]);
  END IF;
  IF pg_trigger_depth() > 1 THEN
    RETURN NULL;
  END IF;
  IF n > 10000 THEN
    n := 0;
  END IF;
  DELETE FROM words WHERE clip_id = NEW.clip_id AND position >= n;
  IF n > 0 THEN
    INSERT INTO words (id, created_at, workspace_id, clip_id, position, text, start_ms, end_ms, corrected, hidden, cue, confidence)
    SELECT 'wd_' || substr(md5(NEW.clip_id || w.place), 1, 26), NEW.updated_at, NEW.workspace_id, NEW.clip_id, w.place - 1, w.text,
      w.start_ms, w.end_ms, nullif(w.corrected, ''), coalesce(w.hidden, false), coalesce(w.cue, 0), coalesce(w.confidence, 0)
    FROM unnest(NEW.texts, NEW.starts, NEW.ends, NEW.corrected, NEW.hidden, NEW.cues, NEW.confidence)
      WITH ORDINALITY w(text, start_ms, end_ms, corrected, hidden, cue, confidence, place)
    ON CONFLICT (clip_id, position) DO UPDATE SET text = excluded.text, start_ms = excluded.start_ms, end_ms = excluded.end_ms,
      corrected = excluded.corrected, hidden = excluded.hidden, cue = excluded.cue, confidence = excluded.confidence
    WHERE (words.text, words.start_ms, words.end_ms, words.corrected, words.hidden, words.cue, words.confidence) IS DISTINCT FROM
      (excluded.text, excluded.start_ms, excluded.end_ms, excluded.corrected, excluded.hidden, excluded.cue, excluded.confidence);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "words_written" AFTER INSERT OR UPDATE ON "transcripts" FOR EACH ROW EXECUTE FUNCTION "transcript_changed"();

-- That nobody could listen was told as a failure before.
UPDATE "clips" SET "transcript_status" = 'unavailable', "transcript_error" = ''
  WHERE "transcript_status" = 'failed' AND "transcript_error" LIKE 'This server has no speech recognition.%';
CREATE INDEX "clip_transcript_unavailable" ON "clips" ("updated_at") WHERE "transcript_status" = 'unavailable';

-- What the server finds out about a video is no revision, and wakes those who watch it all the same.
CREATE TRIGGER "found_out" AFTER UPDATE OF "updated_at" ON "videos" FOR EACH ROW
  WHEN (OLD."updated_at" IS DISTINCT FROM NEW."updated_at" AND OLD."revision" = NEW."revision") EXECUTE FUNCTION "wake_video"();
