package main

import (
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/lib/pq"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

const (
	videos     = 100_000
	workspaces = 10 // each with a tenth of the videos
	exports    = 2  // of each video
	chapters   = 3  // of each video
	tags       = 10 // of each workspace; each video has two
)

// world is the content of the database and the keys of its users.
type world struct {
	keys   []auth.Key // one for each user; users are spread over the workspaces
	user   string     // of the first key
	space  string     // of the first key
	videos []string   // each in the workspace of the key that requests it, spread over its list
}

// spaceOf returns the workspace of the i-th key and of the i-th video.
func (w world) spaceOf(i int) int { return i % len(w.keys) % workspaces }

// keyOf returns the key that requests the i-th video.
func (w world) keyOf(i int) string { return w.keys[i%len(w.keys)].Plain }

// asked is the number of different videos requested.
const asked = 1000

// step is one statement that fills the database.
type step struct {
	statement string
	args      []any
}

// steps returns statements that create all rows as the product writes them.
func (w world) steps() []step {
	settings, editing, plan := values.DefaultVideoSettings(), values.DefaultEditing(), exported()
	users := max(workspaces, len(w.keys))

	var hashes, ends []string

	for _, key := range w.keys {
		hashes, ends = append(hashes, hex.EncodeToString(key.Hash)), append(ends, key.Last4)
	}

	return []step{
		{`INSERT INTO workspaces (id, created_at, updated_at, name)
			SELECT ` + idSQL("ws") + `, current_timestamp, now(), 'Workspace ' || n FROM generate_series(0, $1::int - 1) n`, []any{workspaces}},
		{`INSERT INTO users (id, created_at, updated_at, email, name)
			SELECT ` + idSQL("usr") + `, current_timestamp, now(), 'user' || n || '@example.test', 'User ' || n
			FROM generate_series(0, $1::int - 1) n`, []any{users}},
		{`INSERT INTO memberships (id, created_at, updated_at, role, user_id, workspace_id)
			SELECT ` + idSQL("mem") + `, current_timestamp, now(), 'owner', ` + idSQL("usr") + `, ` + idOfSQL("ws", "n % $2") + `
			FROM generate_series(0, $1::int - 1) n`, []any{users, workspaces}},
		{
			`INSERT INTO api_keys (id, created_at, updated_at, workspace_id, user_id, name, hash, last4)
			SELECT ` + idSQL("key") + `, current_timestamp, now(), ` + idOfSQL("ws", "n % $3") + `, ` + idSQL("usr") + `, 'bench',
				decode(hash, 'hex'), last4
			FROM (SELECT hash, last4, nth - 1 AS n FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS k (hash, last4, nth)) k`,
			[]any{pq.Array(hashes), pq.Array(ends), workspaces},
		},
		{`INSERT INTO videos (id, created_at, updated_at, workspace_id, user_id, name, description, revision, views,
				duration_ms, width, height, settings, editing, next_clip_number)
			SELECT ` + idSQL("vid") + `, ` + madeSQL + `, ` + madeSQL + ` + interval '1 hour', ` + idOfSQL("ws", "n % $2") + `,
				` + idOfSQL("usr", "n % $2") + `, 'Video ' || n, 'What video ' || n || ' is about.', 3, n, 60000, 1920, 1080,
				$3::jsonb, $4::jsonb, 2
			FROM generate_series(0, $1::int - 1) n`, []any{videos, workspaces, text(settings), text(editing)}},
		{`INSERT INTO sources (id, created_at, updated_at, workspace_id, user_id, kind, role, audio, status, name,
				content_type, width, height, duration_ms, fps_num, has_audio, bytes, blob_key, sha256)
			SELECT ` + idSQL("su") + `, ` + madeSQL + `, ` + madeSQL + `, ` + idOfSQL("ws", "n % $2") + `,
				` + idOfSQL("usr", "n % $2") + `, 'video', 'screen', 'system', 'ready', 'recording.mp4', 'video/mp4',
				1920, 1080, 60000, 30, true, 5000000, ` + idSQL("su") + `, md5(n::text)
			FROM generate_series(0, $1::int - 1) n`, []any{videos, workspaces}},
		{`INSERT INTO clips (id, created_at, updated_at, workspace_id, video_id, screen_source_id, name, position,
				recording_ms, duration_ms, cuts, background, has_microphone, has_system_audio, transcript_status,
				transcript_language)
			SELECT ` + idSQL("cl") + `, ` + madeSQL + `, ` + madeSQL + `, ` + idOfSQL("ws", "n % $2") + `, ` + idSQL("vid") + `,
				` + idSQL("su") + `, 'Clip 1', 0, 60000, 60000, '[]', $3::jsonb, false, true, 'ready', 'en'
			FROM generate_series(0, $1::int - 1) n`, []any{videos, workspaces, text(values.DefaultBackground())}},
		{`INSERT INTO chapters (id, created_at, updated_at, workspace_id, video_id, clip_id, at_ms, title, description)
			SELECT ` + idOfSQL("ch", "n * $3 + m") + `, ` + madeSQL + `, ` + madeSQL + `, ` + idOfSQL("ws", "n % $2") + `,
				` + idSQL("vid") + `, ` + idSQL("cl") + `, m * 20000, 'Chapter ' || m, ''
			FROM generate_series(0, $1::int - 1) n, generate_series(0, $3::int - 1) m`, []any{videos, workspaces, chapters}},
		{`INSERT INTO tags (id, created_at, updated_at, workspace_id, user_id, name, name_key, color, scope)
			SELECT ` + idOfSQL("tag", "n * $2 + m") + `, current_timestamp, now(), ` + idSQL("ws") + `, ` + idSQL("usr") + `,
				'Tag ' || m, 'tag ' || m, '#336699FF', 'workspace'
			FROM generate_series(0, $1::int - 1) n, generate_series(0, $2::int - 1) m`, []any{workspaces, tags}},
		{`INSERT INTO video_tags (id, created_at, workspace_id, video_id, tag_id)
			SELECT ` + idOfSQL("vt", "n * 2 + m") + `, ` + madeSQL + `, ` + idOfSQL("ws", "n % $2") + `, ` + idSQL("vid") + `,
				` + idOfSQL("tag", "(n % $2) * $3 + 4 * m + n / $2 % 5") + `
			FROM generate_series(0, $1::int - 1) n, generate_series(0, 1) m`, []any{videos, workspaces, tags}},
		{`INSERT INTO exports (id, created_at, updated_at, workspace_id, video_id, user_id, status, progress, granularity,
				resolution, fps, speed, subtitles, revision, plan_hash, plan, blob_key, bytes, finished_at)
			SELECT ` + idOfSQL("exp", "n * $3 + m") + `, ` + madeSQL + ` + m * interval '1 minute',
				` + madeSQL + ` + m * interval '1 minute', ` + idOfSQL("ws", "n % $2") + `, ` + idSQL("vid") + `,
				` + idOfSQL("usr", "n % $2") + `, 'completed', 100, 'story', '1080p', '30', '1', false, m, md5(n || ' ' || m),
				$4::jsonb, ` + idOfSQL("exp", "n * $3 + m") + `, 5000000, ` + madeSQL + ` + interval '1 hour'
			FROM generate_series(0, $1::int - 1) n, generate_series(0, $3::int - 1) m`, []any{videos, workspaces, exports, text(plan)}},
	}
}

// seed fills a migrated database for the given number of keys.
func seed(ctx context.Context, db *sql.DB, keys int) (w world, err error) {
	w = world{user: id("usr", 0), space: id("ws", 0)}
	for range keys {
		w.keys = append(w.keys, auth.NewKey())
	}

	conn, err := db.Conn(ctx)
	if err != nil {
		return world{}, fmt.Errorf("seed: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close()) }()

	// The rows are consistent; checking each of them would take as long again.
	if _, err := conn.ExecContext(ctx, "SET session_replication_role = replica"); err != nil {
		return world{}, fmt.Errorf("seed: %w", err)
	}

	for _, step := range w.steps() {
		if _, err := conn.ExecContext(ctx, step.statement, step.args...); err != nil {
			return world{}, fmt.Errorf("seed (%.40s): %w", step.statement, err)
		}
	}

	if _, err := conn.ExecContext(ctx, "VACUUM ANALYZE"); err != nil {
		return world{}, fmt.Errorf("analyze: %w", err)
	}

	for i := range asked {
		w.videos = append(w.videos, id("vid", i*(videos/asked)+w.spaceOf(i)))
	}

	return w, nil
}

// exported returns what an export stores about its video.
func exported() plan.ExportPlan {
	return plan.ExportPlan{
		Artboard: values.Dimensions{Width: 1920, Height: 1080},
		Timeline: timeline.Video{Clips: []timeline.Clip{{
			ID: id("cl", 0), Name: "Clip 1", LengthMs: 60_000, Screen: id("su", 0),
			Cuts:   values.Cuts{values.SpanOf(1000, 2000)},
			Sounds: []timeline.Sound{{Source: id("su", 0), Volume: 1}},
		}}},
	}
}

// madeSQL is the creation time of the n-th video: one second apart, the last one newest.
const madeSQL = `(timestamptz '2026-01-01 00:00:00Z' + n * interval '1 second')`

// id returns the n-th id of a kind.
func id(kind string, n int) string { return fmt.Sprintf("%s_%026d", kind, n) }

func idSQL(kind string) string { return idOfSQL(kind, "n") }

func idOfSQL(kind, n string) string { return "'" + kind + "_' || lpad((" + n + ")::text, 26, '0')" }

func text(v any) string {
	written, err := json.Marshal(v)
	if err != nil {
		panic(err) // these types always encode
	}

	return string(written)
}
