package upload

// UsesOfSource selects every video, person and library item that permanently uses the source $2 of the workspace $1. Each is
// listed once, with its kind and its id. A video uses the sources of its clips, of their backgrounds and effects, and
// of its music and its thumbnail; a person that of their picture.
const UsesOfSource = `
SELECT 'video' AS kind, video_id AS id FROM clips WHERE $2 IN (screen_source_id, camera_source_id, microphone_source_id, mouse_source_id)
UNION SELECT 'video', video_id FROM clips WHERE background->>'sourceId' = $2
UNION SELECT 'video', c.video_id FROM effects e JOIN clips c ON c.id = e.clip_id WHERE e.source_id = $2
UNION SELECT 'video', id FROM videos WHERE background_music->>'sourceId' = $2
UNION SELECT 'video', id FROM videos WHERE thumbnail->>'sourceId' = $2
UNION SELECT 'person', id FROM users WHERE avatar_source_id = $2
UNION SELECT 'library item', id FROM library_items WHERE workspace_id = $1 AND source_id = $2`

// ByExports is true while an unfinished export of the workspace $1 reads the source $2. It searches the text of the
// plan for the id of the source. Ids are long and random, so a match is always a reference.
const ByExports = `EXISTS (SELECT FROM exports WHERE workspace_id = $1 AND finished_at IS NULL AND strpos(plan::text, $2) > 0)`
