package queue

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/lib/pq"
)

// PriorityBehind is the priority of jobs that wait while others are queued.
const PriorityBehind = 2

// Behind sets a lower priority for the next run of jobs that are running now. River has no way to change the priority
// of an existing job.
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
