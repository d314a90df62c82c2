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

// Queue takes jobs and events. It needs a client that inserts, and the store whose transaction
// they share.
type Queue struct {
	Client *queue.Client
	Store  *store.Store
}

// Add asks for jobs, which start once the transaction of the context is committed. They work for the
// workspace of the context, which a fair queue goes by. It fails with store.ErrNoTx outside a
// transaction. None is nothing to do.
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
