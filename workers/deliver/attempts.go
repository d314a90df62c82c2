package deliver

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/lib/pq"

	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// attemptRows holds attempts, column by column, for one insert statement.
type attemptRows struct {
	ids, workspaces, deliveries, statuses, bodies []string
	durations                                     []int64
	responses                                     []sql.NullInt64
	faults                                        []sql.NullString
	sent, next                                    []sql.NullTime
}

func (r *attemptRows) add(m tried, next *time.Time) {
	status := values.AttemptStatusSucceeded
	if !m.outcome.Succeeded() {
		status = values.AttemptStatusFailed
	}

	r.ids = append(r.ids, m.attemptID)
	r.workspaces = append(r.workspaces, m.workspaceID)
	r.deliveries = append(r.deliveries, m.id)
	r.statuses = append(r.statuses, string(status))
	r.bodies = append(r.bodies, m.outcome.Body)
	r.durations = append(r.durations, m.outcome.Duration.Milliseconds())
	r.responses = append(r.responses, sql.NullInt64{Int64: int64(m.outcome.Status), Valid: m.outcome.Status != 0})
	r.faults = append(r.faults, sql.NullString{String: string(m.outcome.Fault), Valid: !m.outcome.Succeeded()})
	r.sent = append(r.sent, nullTime(&m.sentAt))
	r.next = append(r.next, nullTime(next))
}

// writeAttemptsSQL updates the deliveries and inserts the attempts. A delivery that was canceled during its attempt
// stays canceled, unless the attempt succeeded. A delivery that was resent meanwhile stays due. A deleted delivery
// gets no attempt.
const writeAttemptsSQL = `
WITH a AS (
  SELECT id, workspace, delivery, status, body, duration, response, fault, sent, next
  FROM unnest((SELECT $1::text[]), (SELECT $2::text[]), (SELECT $3::text[]), (SELECT $4::text[]), (SELECT $5::text[]),
    (SELECT $6::bigint[]), (SELECT $7::bigint[]), (SELECT $8::text[]), (SELECT $9::timestamptz[]), (SELECT $10::timestamptz[]))
  AS a(id, workspace, delivery, status, body, duration, response, fault, sent, next)
), moved AS (
  UPDATE webhook_deliveries d SET attempts = d.attempts + 1, updated_at = $11,
    status = CASE WHEN a.status = 'succeeded' THEN 'succeeded' WHEN d.next_attempt_at > a.sent THEN d.status
      WHEN d.status = 'pending' AND a.next IS NULL THEN 'failed' ELSE d.status END,
    next_attempt_at = CASE WHEN a.status = 'succeeded' THEN NULL WHEN d.next_attempt_at > a.sent THEN d.next_attempt_at
      WHEN d.status = 'pending' THEN a.next ELSE d.next_attempt_at END
  FROM a WHERE d.id = a.delivery RETURNING d.id, d.attempts, d.status, d.next_attempt_at
)
INSERT INTO webhook_attempts (id, workspace_id, delivery_id, status, response_body, attempt, duration_ms, response_status, error,
  sent_at, next_attempt_at, created_at)
SELECT a.id, a.workspace, a.delivery, a.status, a.body, m.attempts, a.duration, a.response, a.fault, a.sent,
  CASE WHEN m.status = 'pending' THEN m.next_attempt_at END, $11
FROM a JOIN moved m ON m.id = a.delivery`

// write runs the statement, in a transaction if there is one. The arguments are in selects so that Postgres plans the
// statement for ten rows whatever their number: for many rows the planner would scan the whole table.
func (r *attemptRows) write(ctx context.Context, s *store.Store, now time.Time) error {
	err := s.Query(ctx, func(*sql.Rows) error { return nil }, writeAttemptsSQL, pq.Array(r.ids), pq.Array(r.workspaces),
		pq.Array(r.deliveries), pq.Array(r.statuses), pq.Array(r.bodies), pq.Array(r.durations), pq.Array(r.responses),
		pq.Array(r.faults), pq.Array(r.sent), pq.Array(r.next), now)
	if err != nil {
		return fmt.Errorf("write attempts: %w", err)
	}

	return nil
}

// sortedKeys returns the keys of a map in order.
func sortedKeys[V any](of map[string]V) []string { return slices.Sorted(maps.Keys(of)) }

func nullTime(t *time.Time) sql.NullTime {
	if t == nil {
		return sql.NullTime{}
	}

	return sql.NullTime{Time: *t, Valid: true}
}

// writtenAttempts returns the ids of those attempts that are stored already.
func writtenAttempts(ctx context.Context, s *store.Store, all []tried) (map[string]bool, error) {
	named := make([]string, len(all))
	for i, m := range all {
		named[i] = m.attemptID
	}

	written := map[string]bool{}

	err := s.Query(ctx, func(rows *sql.Rows) error {
		var id string
		if err := rows.Scan(&id); err != nil {
			return err //nolint:wrapcheck // wrapped below
		}

		written[id] = true

		return nil
	}, "SELECT id FROM webhook_attempts WHERE id = ANY ($1)", pq.Array(named))
	if err != nil {
		return nil, fmt.Errorf("read attempts: %w", err)
	}

	return written, nil
}
