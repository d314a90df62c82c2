package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

const (
	vocabulary = 5000 // words; the first are the most frequent
	said       = 12   // words in each clip
)

// wordSQL is a random word of the vocabulary. The square makes some words a hundred times as frequent as others.
const wordSQL = `'word' || (power(random(), 2) * $5::int)::int`

// seedSQL are the statements that fill the tables. Each gets the number of the workspace, the number of videos,
// settings, editing, and the size of the vocabulary.
var seedSQL = []string{
	`INSERT INTO workspaces (id, created_at, updated_at, name) VALUES (` + idSQL("ws", "$1") + `, current_timestamp, now(), 'Workspace')`,
	`INSERT INTO users (id, created_at, updated_at, email, name)
		VALUES (` + idSQL("usr", "$1") + `, current_timestamp, now(), 'user' || $1 || '@example.test', 'User')`,
	`INSERT INTO memberships (id, created_at, updated_at, role, user_id, workspace_id)
		VALUES (` + idSQL("mem", "$1") + `, current_timestamp, now(), 'member', ` + idSQL("usr", "$1") + `, ` + idSQL("ws", "$1") + `)`,
	// A thousand videos share each millisecond, as after an import. Every tenth is the personal video of another
	// member.
	`INSERT INTO videos (id, created_at, updated_at, workspace_id, user_id, name, description, visibility, revision, views,
			duration_ms, width, height, settings, editing, next_clip_number)
		SELECT ` + idSQL("vid", "$1::bigint * 10000000 + n") + `, now(), date_trunc('milliseconds', now()) - n / 1000 * interval '1 millisecond',
			` + idSQL("ws", "$1") + `, ` + idSQL("usr", "$1") + `, ` + wordSQL + ` || ' ' || ` + wordSQL + ` || ' ' || ` + wordSQL + `,
			'What it is about.', 'org', 3, 5, 60000, 1920, 1080, $3::jsonb, $4::jsonb, 2
		FROM generate_series(1, $2::int) n`,
}

// spokenSQL gives each video of a workspace a clip with a transcript.
var spokenSQL = []string{
	`INSERT INTO sources (id, created_at, updated_at, workspace_id, user_id, kind, role, audio, status, name, width, height,
			duration_ms, fps_num, has_audio, bytes, blob_key, sha256)
		SELECT ` + idSQL("su", "$1::bigint * 10000000 + n") + `, current_timestamp, now(), ` + idSQL("ws", "$1") + `, ` + idSQL("usr", "$1") + `,
			'video', 'screen', 'system', 'ready', 'r.mp4', 1920, 1080, 60000, 30, true, 1, 'x', md5(n::text)
		FROM generate_series(1, $2::int) n`,
	`INSERT INTO clips (id, created_at, updated_at, workspace_id, video_id, screen_source_id, name, position, recording_ms,
			duration_ms, cuts, background, has_microphone, has_system_audio, transcript_status, transcript_language)
		SELECT ` + idSQL("cl", "$1::bigint * 10000000 + n") + `, current_timestamp, now(), ` + idSQL("ws", "$1") + `,
			` + idSQL("vid", "$1::bigint * 10000000 + n") + `, ` + idSQL("su", "$1::bigint * 10000000 + n") + `, 'Clip 1', 0, 60000, 60000, '[]',
			'{"type":"solid","color":"#000000FF"}', false, true, 'ready', 'en'
		FROM generate_series(1, $2::int) n`,
}

// wordsSQL creates the words and indexes them like the product.
const (
	wordsSQL = `INSERT INTO words (id, created_at, workspace_id, clip_id, position, text, start_ms, end_ms, hidden)
		SELECT 'wd_' || lpad((n * 100 + p)::text, 26, '0'), now(), ` + "'ws_' || lpad('1', 26, '0')" + `,
			'cl_' || lpad((10000000 + n)::text, 26, '0'), p, 'word' || (power(random(), 2) * $2::int)::int, p * 400, p * 400 + 300, false
		FROM generate_series(1, $1::int) n, generate_series(0, $3::int - 1) p`
	indexSQL = `INSERT INTO clip_texts (clip_id, part, workspace_id, video_id, document)
		SELECT c.id, 0, c.workspace_id, c.video_id, search_document(c.workspace_id, string_agg(search_fold(w.text), ' ' ORDER BY w.position))
		FROM clips c JOIN words w ON w.clip_id = c.id GROUP BY c.id`
)

// seed creates a workspace with that many videos, and returns a key of its member.
func (b *bench) seed(ctx context.Context, number, videos int, spoken bool) (key string, err error) {
	conn, err := b.db.Conn(ctx)
	if err != nil {
		return "", fmt.Errorf("seed: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close()) }()

	exec := func(statement string, args ...any) error {
		if _, err := conn.ExecContext(ctx, statement, args...); err != nil {
			return fmt.Errorf("seed (%.60s): %w", statement, err)
		}

		return nil
	}

	// The rows are consistent; checking each of them would take as long again.
	if err := exec("SET session_replication_role = replica"); err != nil {
		return "", err
	}

	statements := seedSQL
	if spoken {
		statements = append(slices.Clip(statements), spokenSQL...)
	}

	for _, statement := range statements {
		given := []any{number, videos, text(values.DefaultVideoSettings()), text(values.DefaultEditing()), vocabulary}
		if err := exec("WITH given AS (SELECT $1::int, $2::int, $3::text, $4::text, $5::int) "+statement, given...); err != nil {
			return "", err
		}
	}

	if spoken {
		if err := errors.Join(exec(wordsSQL, videos, vocabulary, said), exec(indexSQL)); err != nil {
			return "", err
		}
	}

	made := auth.NewKey()

	return made.Plain, errors.Join(
		exec(`INSERT INTO api_keys (id, created_at, updated_at, workspace_id, user_id, name, hash, last4)
			VALUES (`+idSQL("key", "$1::int")+`, current_timestamp, now(), `+idSQL("ws", "$1::int")+`,
				`+idSQL("usr", "$1::int")+`, 'bench', $2, $3)`,
			number, made.Hash, made.Last4),
		exec("VACUUM ANALYZE"),
	)
}

func idSQL(kind, n string) string { return "'" + kind + "_' || lpad((" + n + ")::text, 26, '0')" }

func text(v any) string {
	written, err := json.Marshal(v)
	if err != nil {
		panic(err) // these types always encode
	}

	return string(written)
}
