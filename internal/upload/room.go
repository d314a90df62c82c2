package upload

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
)

// Limits bound what is uploaded. Zero is no bound.
type Limits struct {
	Upload    int64 // bytes of one source
	Workspace int64 // bytes of all that a workspace stores
}

// TooLarge refuses more bytes than an upload may have.
func TooLarge(most int64) error {
	return middleware.NewRefusal(http.StatusRequestEntityTooLarge, fmt.Sprintf("The upload is larger than %d bytes.", most))
}

// storedSQL is how many bytes the workspace $1 stores beside the source $2, with what is kept free for uploads that have
// begun. What a failed source had is gone, and the bytes of a part are those of the source that it became a piece of.
const storedSQL = `
SELECT (SELECT coalesce(sum(greatest(bytes, upload_offset, reserved_bytes)), 0)::bigint FROM sources
	WHERE workspace_id = $1 AND id <> $2 AND joined_id = '' AND (status <> 'failed' OR interrupted_at IS NOT NULL))
+ (SELECT coalesce(sum(bytes), 0)::bigint FROM exports WHERE workspace_id = $1)`

// Reserve keeps room for a source that will have so many bytes, in one statement with the sum of all others, so that no two
// uploads are given the same room, on whichever node. It returns how many bytes the source may have: fewer than it was
// asked for, and then no room is kept for more than the source has already, when the workspace may not store all of them.
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

// stored is how much the workspace stores beside a source. Until the transaction ends nobody else is told. The row is locked
// first, as by whoever has it locked already.
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

// ReserveAll is Reserve for an upload that is of no use in part: too large is a refusal.
func (d Desk) ReserveAll(ctx context.Context, src *ent.Source, bytes int64) error {
	granted, err := d.Reserve(ctx, src, bytes)
	if err == nil && granted < bytes {
		err = d.full(granted)
	}

	return err
}

// full refuses what the workspace has no room for.
func (d Desk) full(granted int64) error {
	return middleware.NewRefusal(http.StatusRequestEntityTooLarge, fmt.Sprintf(
		"The workspace may store %d bytes (REELGRAPH_WORKSPACE_BYTES), so this upload may be at most %d bytes long. "+
			"Remove sources or exports first.", d.Limits.Workspace, granted))
}

// Release gives back what was kept free for bytes of a source that did not come.
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
