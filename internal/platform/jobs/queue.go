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

// QueueNames returns the names of all queues, sorted.
func QueueNames() []string {
	return []string{
		QueueStock, QueueDemo, QueueFigures, QueueMail, QueueMedia, QueueProbe, QueueRender, QueueSpeech, QueueWebhook,
	}
}

// Queue inserts jobs and events. It needs a client that inserts jobs, and the store whose transaction both use.
type Queue struct {
	Client *queue.Client
	Store  *store.Store
}

// Add inserts jobs. They start when the transaction of the context is committed. They belong to the workspace of the
// context, which matters in a fair queue, because it shares its places among workspaces. In a quiet context they are
// quiet (see queue.Quietly). Add returns store.ErrNoTx outside a transaction. Without jobs it does nothing.
func (q *Queue) Add(ctx context.Context, wanted ...river.JobArgs) error {
	if len(wanted) == 0 {
		return nil
	}

	v, _ := auth.From(ctx)

	var opts *river.InsertOpts
	if metadata := queue.Metadata(ctx, v.WorkspaceID); metadata != nil {
		opts = &river.InsertOpts{Metadata: metadata}
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
