package upload

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
	"github.com/reelgraph/reelgraph/internal/storage"
)

// Limits holds the size limits for uploads. Zero means no limit.
type Limits struct {
	Upload    int64 // bytes of one source
	Workspace int64 // bytes of all files of a workspace
}

// TooLarge returns the error for an upload that is too large. most is the limit in bytes.
func TooLarge(most int64) error {
	return middleware.NewRefusal(http.StatusRequestEntityTooLarge, fmt.Sprintf("The upload is larger than %d bytes.", most))
}

// storedSQL is the number of bytes that the workspace $1 stores without the source $2.
const storedSQL = `SELECT (` + storage.SourceBytes + ` AND workspace_id = $1 AND id <> $2) +
	(` + storage.ExportBytes + ` AND workspace_id = $1)`

// StorageOf returns what a workspace of the caller stores, and how much it may store.
func (svc *Service) StorageOf(ctx context.Context, w *ent.Workspace) (*model.Storage, error) {
	stored, err := storage.Of(ctx, svc.Store, w)
	if svc.Limits.Workspace > 0 {
		stored.LimitBytes = &svc.Limits.Workspace
	}

	return &stored, err
}

// Reserve reserves storage of the workspace for a source. upTo is the total number of bytes that the source needs.
// Counting and reserving are one atomic step, so that two uploads on different nodes never reserve the same bytes.
// granted is how many bytes the source may have. If the workspace does not have enough storage left, granted is less
// than upTo and only that many bytes are reserved.
func (d Desk) Reserve(ctx context.Context, src *ent.Source, upTo int64) (granted int64, err error) {
	if d.Limits.Workspace == 0 {
		return upTo, nil
	}

	err = d.Store.InTx(auth.AsWorkspace(ctx, src.WorkspaceID), func(ctx context.Context) error {
		stored, err := d.stored(ctx, src)
		if err != nil {
			return err
		}

		if granted = min(upTo, d.Limits.Workspace-stored); granted < 0 {
			granted = 0
		}

		return d.Store.WithTx(ctx, func(tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, `UPDATE sources SET reserved_bytes = greatest(reserved_bytes, $2) WHERE id = $1`, src.ID, granted)

			return err
		})
	})
	if err != nil {
		return 0, fmt.Errorf("reserve room for source %s: %w", src.ID, err)
	}

	return granted, nil
}

// stored returns how many bytes the workspace stores without a source. Other callers wait until the transaction ends.
// stored locks the row of the source first, because other transactions use the same order.
func (d Desk) stored(ctx context.Context, src *ent.Source) (bytes int64, err error) {
	err = d.Store.WithTx(ctx, func(tx *sql.Tx) error {
		for _, lock := range []struct{ statement, of string }{
			{`SELECT FROM sources WHERE id = $1 FOR UPDATE`, src.ID},
			{`SELECT pg_advisory_xact_lock(hashtextextended('stored bytes of ' || $1, 0))`, src.WorkspaceID},
		} {
			if _, err := tx.ExecContext(ctx, lock.statement, lock.of); err != nil {
				return err
			}
		}

		return tx.QueryRowContext(ctx, storedSQL, src.WorkspaceID, src.ID).Scan(&bytes)
	})

	return bytes, err
}

// ReserveAll does the same as Reserve, but returns an error if the workspace does not have enough storage for all
// bytes. Use it for uploads that are useless unless they are complete.
func (d Desk) ReserveAll(ctx context.Context, src *ent.Source, bytes int64) error {
	granted, err := d.Reserve(ctx, src, bytes)
	if err == nil && granted < bytes {
		err = d.full(granted)
	}

	return err
}

// full returns the error for an upload that is larger than the storage that the workspace has left.
func (d Desk) full(granted int64) error {
	return middleware.NewRefusal(http.StatusRequestEntityTooLarge, fmt.Sprintf(
		"The workspace may store %d bytes (REELGRAPH_WORKSPACE_BYTES), so this upload may be at most %d bytes long. "+
			"Remove sources or exports first.", d.Limits.Workspace, granted))
}

// Release ends the reservation of storage for bytes that did not arrive.
func (d Desk) Release(ctx context.Context, src *ent.Source) error {
	if d.Limits.Workspace == 0 {
		return nil
	}

	ctx = auth.AsWorkspace(context.WithoutCancel(ctx), src.WorkspaceID)

	err := d.Store.InTx(ctx, func(ctx context.Context) error {
		return d.Store.WithTx(ctx, func(tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, `UPDATE sources SET reserved_bytes = coalesce(upload_length, 0) WHERE id = $1`, src.ID)

			return err
		})
	})
	if err != nil {
		return fmt.Errorf("release room of source %s: %w", src.ID, err)
	}

	return nil
}
