package queue

import (
	"context"
	"database/sql"
	"fmt"
)

// PriorityBehind is the priority of jobs that wait while there are others to do.
const PriorityBehind = 2

// Behind has a running job wait behind others when it runs again. River offers no way to
// change the priority of a job that exists.
func Behind(ctx context.Context, tx *sql.Tx, jobID int64) error {
	if _, err := tx.ExecContext(ctx, "UPDATE river_job SET priority = $1 WHERE id = $2", PriorityBehind, jobID); err != nil {
		return fmt.Errorf("put job %d behind others: %w", jobID, err)
	}
	return nil
}
