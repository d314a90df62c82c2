-- Search over names and spoken words, and waking whoever watches a video.

-- What a text is compared by: small letters without accents, words apart by one space. Postgres
-- knows how characters are composed, so that no dictionary file and no extension decides.
CREATE FUNCTION "search_fold"("t" text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT regexp_replace(
    replace(replace(replace(replace(
      translate(regexp_replace(lower(normalize(t, NFKD)), '[\u0300-\u036f]', '', 'g'), 'øłđðħıŧ', 'olddhit'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u2e00-\u2e7f\u3000-\u303f]+', ' ', 'g')
$$;

-- The words of a query, all of which must match; the last may be the beginning of one. Null without
-- words.
CREATE FUNCTION "search_words"("q" text) RETURNS tsquery LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN w::text = '' THEN NULL ELSE (w::text || ':*')::tsquery END
  FROM plainto_tsquery('simple', search_fold(q)) w
$$;

-- A document belongs to a workspace by a word of its own, so that one index finds both at once.
CREATE FUNCTION "search_document"("workspace_id" text, "folded" text) RETURNS tsvector LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT to_tsvector('simple', folded) || array_to_tsvector(ARRAY[workspace_id])
$$;
CREATE INDEX "video_search" ON "videos" USING gin (search_document("workspace_id", search_fold("name")));

-- The cuts of a clip as ranges, and whether they leave anything of a word.
CREATE FUNCTION "cut_ranges"("cuts" jsonb) RETURNS int8multirange LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT coalesce(range_agg(int8range((c->>'startMs')::bigint, (c->>'endMs')::bigint)), '{}'::int8multirange)
  FROM jsonb_array_elements(cuts) c
$$;
CREATE FUNCTION "word_heard"("cuts" int8multirange, "start_ms" bigint, "end_ms" bigint) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT NOT CASE WHEN start_ms < end_ms THEN cuts @> int8range(start_ms, end_ms) ELSE cuts @> start_ms END
$$;

-- What is heard and shown of a clip: one document, or several where one would be too large.
CREATE TABLE "clip_texts" (
  "clip_id" character varying NOT NULL, "part" bigint NOT NULL,
  "workspace_id" character varying NOT NULL, "video_id" character varying NOT NULL,
  "document" tsvector NOT NULL,
  PRIMARY KEY ("clip_id", "part"),
  CONSTRAINT "clip_texts_clips_texts" FOREIGN KEY ("clip_id") REFERENCES "clips" ("id") ON DELETE CASCADE
);
CREATE INDEX "clip_text_search" ON "clip_texts" USING gin ("document");

CREATE FUNCTION "index_words"("clips_of" text[]) RETURNS void LANGUAGE sql AS $$
  DELETE FROM clip_texts WHERE clip_id = ANY(clips_of);
  INSERT INTO clip_texts (clip_id, part, workspace_id, video_id, document)
  SELECT c.id, w.part, c.workspace_id, c.video_id, search_document(c.workspace_id, string_agg(w.folded, ' ' ORDER BY w.position))
  FROM clips c CROSS JOIN LATERAL (SELECT cut_ranges(c.cuts) AS cuts) k CROSS JOIN LATERAL (
    SELECT f.position, f.folded, sum(octet_length(f.folded) + 1) OVER (ORDER BY f.position) / 200000 AS part
    FROM (
      SELECT position, left(search_fold(coalesce(corrected, text)), 200) AS folded FROM words
      WHERE clip_id = c.id AND NOT hidden AND word_heard(k.cuts, start_ms, end_ms)
    ) f
  ) w
  WHERE c.id = ANY(clips_of)
  GROUP BY c.id, w.part
$$;

-- Whoever changes words or cuts, the documents follow in the same transaction.
CREATE FUNCTION "words_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM index_words(array_agg(DISTINCT clip_id)) FROM changed;
  RETURN NULL;
END $$;
CREATE TRIGGER "words_made" AFTER INSERT ON "words" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "words_changed"();
CREATE TRIGGER "words_corrected" AFTER UPDATE ON "words" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "words_changed"();
CREATE TRIGGER "words_gone" AFTER DELETE ON "words" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "words_changed"();
CREATE FUNCTION "cuts_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM index_words(ARRAY[NEW."id"]);
  RETURN NULL;
END $$;
CREATE TRIGGER "cut" AFTER UPDATE OF "cuts" ON "clips" FOR EACH ROW WHEN (OLD."cuts" IS DISTINCT FROM NEW."cuts") EXECUTE FUNCTION "cuts_changed"();

SELECT index_words(array_agg("id")) FROM "clips";

-- Whoever edits a video, and whatever becomes of its transcript, wakes those who watch it.
CREATE FUNCTION "wake_video"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('reelgraph', 'video:' || NEW."id");
  RETURN NULL;
END $$;
CREATE TRIGGER "edited" AFTER UPDATE OF "revision" ON "videos" FOR EACH ROW WHEN (OLD."revision" IS DISTINCT FROM NEW."revision") EXECUTE FUNCTION "wake_video"();
CREATE FUNCTION "wake_video_of_clip"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('reelgraph', 'video:' || NEW."video_id");
  RETURN NULL;
END $$;
CREATE TRIGGER "heard" AFTER UPDATE OF "transcript_status" ON "clips" FOR EACH ROW WHEN (OLD."transcript_status" IS DISTINCT FROM NEW."transcript_status") EXECUTE FUNCTION "wake_video_of_clip"();
