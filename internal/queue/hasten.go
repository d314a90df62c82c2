package queue

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/lib/pq"
)

const hastenSQL = `
WITH live AS (
  SELECT id, state, args ->> $2 AS value FROM river_job
  WHERE kind = $1 AND args @> ANY ($3::jsonb[]) AND finalized_at IS NULL ORDER BY id FOR UPDATE
), hastened AS (
  UPDATE river_job SET state = 'available', scheduled_at = now()
  WHERE id IN (SELECT id FROM live WHERE state IN ('scheduled', 'retryable'))
)
SELECT value, state = 'running' FROM live`

// Hasten has the jobs of a kind that wait for their time run now: those one of whose arguments has one
// of the values. It answers which of the values have a job that waits, now for its turn, and which
// one that runs.
func Hasten(ctx context.Context, tx *sql.Tx, kind, argument string, values []string) (waiting, running []string, err error) {
	matches := make([]string, len(values))
	for i, value := range values {
		match, err := json.Marshal(map[string]string{argument: value})
		if err != nil {
			return nil, nil, fmt.Errorf("hasten %s: %w", kind, err)
		}
		matches[i] = string(match)
	}
	rows, err := tx.QueryContext(ctx, hastenSQL, kind, argument, pq.Array(matches))
	if err != nil {
		return nil, nil, fmt.Errorf("hasten %s: %w", kind, err)
	}
	defer rows.Close() //nolint:errcheck // Err tells
	for rows.Next() {
		var value string
		var runs bool
		if err := rows.Scan(&value, &runs); err != nil {
			return nil, nil, fmt.Errorf("hasten %s: %w", kind, err)
		}
		if runs {
			running = append(running, value)
		} else {
			waiting = append(waiting, value)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, nil, fmt.Errorf("hasten %s: %w", kind, err)
	}
	return waiting, running, nil
}
