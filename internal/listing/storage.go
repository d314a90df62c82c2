package listing

import (
	"context"
	stdsql "database/sql"
	"fmt"

	"github.com/lib/pq"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
)

// What a workspace stores, in bytes. Callers append conditions that select the workspace.
const (
	// SourceBytes includes what running uploads have reserved. Failed sources do not count, and neither do parts, because
	// their bytes count for the source that they were joined to.
	SourceBytes = `SELECT coalesce(sum(greatest(bytes, upload_offset, reserved_bytes)), 0)::bigint FROM sources
	WHERE joined_id = '' AND (status <> 'failed' OR interrupted_at IS NOT NULL)`
	ExportBytes = `SELECT coalesce(sum(bytes), 0)::bigint FROM exports WHERE bytes > 0`
)

// StorageName is the field of a workspace that StorageBelow reads.
const StorageName = "storage"

const storageSQL = `SELECT w.id, (` + SourceBytes + ` AND workspace_id = w.id), (` + ExportBytes + ` AND workspace_id = w.id)
FROM unnest((SELECT $1::varchar[])::varchar[]) w(id)`

// storage returns what workspaces store, by their ids.
func (svc *Service) storage(ctx context.Context, of ...string) (map[string]*model.Storage, error) {
	found := map[string]*model.Storage{}

	err := svc.Store.Query(ctx, func(rows *stdsql.Rows) error {
		var (
			id string
			s  model.Storage
		)

		if err := rows.Scan(&id, &s.SourceBytes, &s.ExportBytes); err != nil {
			return err //nolint:wrapcheck // wrapped below
		}

		found[id] = &s

		return nil
	}, storageSQL, pq.Array(of))
	if err != nil {
		return nil, fmt.Errorf("read storage: %w", err)
	}

	return found, nil
}

// StorageBelow reads what many workspaces store.
func (svc *Service) StorageBelow(ctx context.Context, above []*ent.Workspace) error {
	found, err := svc.storage(ctx, idsOf(above)...)
	if err != nil {
		return err
	}

	for _, w := range above {
		w.Extra.Lists = append(w.Extra.Lists, ent.List{Name: StorageName, Rows: found[w.ID]})
	}

	return nil
}

// StorageOf returns what a workspace of the caller stores, without its limit.
func (svc *Service) StorageOf(ctx context.Context, w *ent.Workspace) (model.Storage, error) {
	for _, list := range w.Extra.Lists {
		if s, known := list.Rows.(*model.Storage); known && list.Name == StorageName {
			return *s, nil
		}
	}

	found, err := svc.storage(ctx, w.ID)
	if err != nil {
		return model.Storage{}, err
	}

	return *found[w.ID], nil
}
