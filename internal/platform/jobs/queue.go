package jobs

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/queue"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// Queue inserts jobs and events. It needs a client that inserts, and the store whose transaction they share.
type Queue struct {
	Client *queue.Client
	Store  *store.Store
}

// Add inserts jobs, which start once the transaction of the context is committed. They belong to the
// workspace of the context, by which a fair queue schedules. Add returns store.ErrNoTx outside a transaction,
// and does nothing without jobs.
func (q *Queue) Add(ctx context.Context, wanted ...river.JobArgs) error {
	if len(wanted) == 0 {
		return nil
	}

	var opts *river.InsertOpts
	if v, asked := auth.From(ctx); asked && v.WorkspaceID != "" {
		opts = &river.InsertOpts{Metadata: queue.ForWorkspace(v.WorkspaceID)}
	}

	params := make([]river.InsertManyParams, len(wanted))
	for i, args := range wanted {
		params[i] = river.InsertManyParams{Args: args, InsertOpts: opts}
	}

	err := q.Store.WithTx(ctx, func(tx *sql.Tx) error {
		_, err := q.Client.InsertManyTx(ctx, tx, params)

		return err
	})
	if err != nil {
		return fmt.Errorf("add jobs: %w", err)
	}

	return nil
}
