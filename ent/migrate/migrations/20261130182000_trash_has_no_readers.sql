-- Nobody reads a video in the trash: moving it there tells its readers that it went.
CREATE OR REPLACE FUNCTION "video_readers"("v" jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN v->>'trashed_at' IS NOT NULL THEN '[]'
    WHEN v->>'visibility' <> 'org' THEN jsonb_build_array(v->>'user_id') || coalesce(
      (SELECT jsonb_agg(c."user_id" ORDER BY c."user_id") FROM "collaborators" c WHERE c."video_id" = v->>'id'), '[]')
  END
$$;
