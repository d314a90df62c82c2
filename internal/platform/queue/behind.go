package queue

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/lib/pq"
)

// PriorityBehind is the priority of jobs that wait while others are queued.
const PriorityBehind = 2

// Behind lowers the priority that jobs have in their next run. The jobs must be running now. River cannot change the
// priority of an existing job.
func Behind(ctx context.Context, tx *sql.Tx, jobIDs ...int64) error {
	if len(jobIDs) == 0 {
		return nil
	}

	_, err := tx.ExecContext(ctx, "UPDATE river_job SET priority = $1 WHERE id = ANY ($2)", PriorityBehind, pq.Array(jobIDs))
	if err != nil {
		return fmt.Errorf("put jobs behind others: %w", err)
	}

	return nil
}
