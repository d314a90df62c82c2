// Package storage counts the bytes that workspaces store. Start with Of for one workspace, and Below for many.
package storage

import (
	"context"
	stdsql "database/sql"
	"fmt"

	"github.com/lib/pq"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// What a workspace stores, in bytes. Callers append conditions that select the workspace.
const (
	// SourceBytes includes what running uploads have reserved. Failed sources do not count, and neither do parts, because
	// their bytes count for the source that they were joined to.
	SourceBytes = `SELECT coalesce(sum(greatest(bytes, upload_offset, reserved_bytes)), 0)::bigint FROM sources
	WHERE joined_id = '' AND (status <> 'failed' OR interrupted_at IS NOT NULL)`
	ExportBytes = `SELECT coalesce(sum(bytes), 0)::bigint FROM exports WHERE bytes > 0`
)

// Name is the field of a workspace that Below reads.
const Name = "storage"

const storedSQL = `SELECT w.id, (` + SourceBytes + ` AND workspace_id = w.id), (` + ExportBytes + ` AND workspace_id = w.id)
FROM unnest((SELECT $1::varchar[])::varchar[]) w(id)`

// stored returns what workspaces store, by their ids.
func stored(ctx context.Context, st *store.Store, of ...string) (map[string]*model.Storage, error) {
	found := map[string]*model.Storage{}

	err := st.Query(ctx, func(rows *stdsql.Rows) error {
		var (
			id string
			s  model.Storage
		)

		if err := rows.Scan(&id, &s.SourceBytes, &s.ExportBytes); err != nil {
			return err //nolint:wrapcheck // wrapped below
		}

		found[id] = &s

		return nil
	}, storedSQL, pq.Array(of))
	if err != nil {
		return nil, fmt.Errorf("read storage: %w", err)
	}

	return found, nil
}

// Below returns a function that reads what many workspaces store.
func Below(st *store.Store) func(ctx context.Context, above []*ent.Workspace) error {
	return func(ctx context.Context, above []*ent.Workspace) error {
		ids := make([]string, len(above))
		for i, w := range above {
			ids[i] = w.ID
		}

		found, err := stored(ctx, st, ids...)
		if err != nil {
			return err
		}

		for _, w := range above {
			w.Extra.Lists = append(w.Extra.Lists, ent.List{Name: Name, Rows: found[w.ID]})
		}

		return nil
	}
}

// Of returns what a workspace of the caller stores, without its limit.
func Of(ctx context.Context, st *store.Store, w *ent.Workspace) (model.Storage, error) {
	for _, list := range w.Extra.Lists {
		if s, known := list.Rows.(*model.Storage); known && list.Name == Name {
			return *s, nil
		}
	}

	found, err := stored(ctx, st, w.ID)
	if err != nil {
		return model.Storage{}, err
	}

	return *found[w.ID], nil
}
