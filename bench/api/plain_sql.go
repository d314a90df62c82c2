package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
)

// The two documents, each as one statement that builds the whole answer in Postgres.
const (
	videoSQL = `'id', v.id, 'name', v.name, 'description', v.description, 'createdAt', ` + createdSQL + `, 'updatedAt', ` + updatedSQL + `,
    'durationMs', v.duration_ms, 'views', v.views, 'revision', v.revision`

	createdSQL = `to_char(v.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
	updatedSQL = `to_char(v.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

	readableSQL = `v.workspace_id = $1 AND (v.visibility = 'org' OR v.user_id = $2
    OR EXISTS (SELECT FROM collaborators c WHERE c.video_id = v.id AND c.user_id = $2))`

	oneSQL = `
SELECT json_build_object('data', json_build_object('video', json_build_object(` + videoSQL + `)))
FROM videos v WHERE ` + readableSQL + ` AND v.id = $3`

	nestedSQL = `
SELECT json_build_object('data', json_build_object('videos', json_build_object('nodes', coalesce(json_agg(json_build_object(
    ` + videoSQL + `,
    'exports', json_build_object('nodes', (
      SELECT coalesce(json_agg(json_build_object('id', v.id, 'status', upper(v.status), 'progress', v.progress,
        'createdAt', ` + createdSQL + `, 'updatedAt', ` + updatedSQL + `) ORDER BY v.created_at DESC, v.id DESC), '[]')
      FROM (SELECT * FROM exports e WHERE e.video_id = above.id AND e.workspace_id = $1
        ORDER BY e.created_at DESC, e.id DESC LIMIT $3) v)),
    'tags', json_build_object('nodes', (
      SELECT coalesce(json_agg(json_build_object('id', t.id, 'name', t.name) ORDER BY t.name_key, t.id), '[]')
      FROM (SELECT t.* FROM video_tags b JOIN tags t ON t.id = b.tag_id WHERE b.video_id = above.id AND b.workspace_id = $1
        ORDER BY t.name_key, t.id LIMIT $3) t))
  ) ORDER BY v.updated_at DESC, v.id DESC), '[]'))))
FROM (SELECT * FROM videos v WHERE ` + readableSQL + ` ORDER BY v.updated_at DESC, v.id DESC LIMIT $3) v,
  LATERAL (SELECT v.id) above`
)

func prepareSQL(ctx context.Context, db *sql.DB) (one, nested *sql.Stmt, err error) {
	if one, err = db.PrepareContext(ctx, oneSQL); err == nil {
		nested, err = db.PrepareContext(ctx, nestedSQL)
	}

	if err != nil {
		return nil, nil, fmt.Errorf("prepare: %w", err)
	}

	return one, nested, nil
}

// answerBySQL answers the two documents: with an id that row, otherwise the list of 20.
func (p *plain) answerBySQL(w http.ResponseWriter, r *http.Request, who identities) error {
	var asks struct {
		Variables struct {
			ID string `json:"id"`
		} `json:"variables"`
	}

	if err := json.NewDecoder(r.Body).Decode(&asks); err != nil {
		return fmt.Errorf("read the request: %w", err)
	}

	var (
		statement     = p.nested
		argument  any = 20
		body      []byte
	)

	if asks.Variables.ID != "" {
		statement, argument = p.one, asks.Variables.ID
	}

	if err := statement.QueryRowContext(r.Context(), who.Workspace, who.User, argument).Scan(&body); err != nil {
		return err //nolint:wrapcheck // finish checks for sql.ErrNoRows
	}

	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // the client may be gone

	return nil
}
