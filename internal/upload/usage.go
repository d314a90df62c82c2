package upload

// UsesOfSource lists what uses the source $2 of the workspace $1 for good, once each, as a kind and an id. A video uses
// what its clips, their backgrounds, their effects and its music name.
const UsesOfSource = `
SELECT 'video' AS kind, video_id AS id FROM clips WHERE $2 IN (screen_source_id, camera_source_id, microphone_source_id, mouse_source_id)
UNION SELECT 'video', video_id FROM clips WHERE background->>'sourceId' = $2
UNION SELECT 'video', c.video_id FROM effects e JOIN clips c ON c.id = e.clip_id WHERE e.source_id = $2
UNION SELECT 'video', id FROM videos WHERE background_music->>'sourceId' = $2
UNION SELECT 'library item', id FROM library_items WHERE workspace_id = $1 AND source_id = $2`

// ByExports is true while an export of the workspace $1 that has not ended reads the source $2. Ids are long and random,
// so what contains one names it.
const ByExports = `EXISTS (SELECT FROM exports WHERE workspace_id = $1 AND finished_at IS NULL AND strpos(plan::text, $2) > 0)`
