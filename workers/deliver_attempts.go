package workers

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/lib/pq"

	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/ids"
)

// attemptRows are attempts by their columns, which go to the database in one statement.
type attemptRows struct {
	ids, workspaces, deliveries, statuses, bodies []string
	numbers, durations                            []int64
	responses                                     []sql.NullInt64
	faults                                        []sql.NullString
	sent, next                                    []sql.NullTime
	now                                           time.Time
}

func (r *attemptRows) add(m tried, number int, next *time.Time, now time.Time) {
	status := domain.AttemptStatusSucceeded
	if !m.outcome.Succeeded() {
		status = domain.AttemptStatusFailed
	}
	r.ids = append(r.ids, ids.New(ids.Attempt))
	r.workspaces = append(r.workspaces, m.workspaceID)
	r.deliveries = append(r.deliveries, m.id)
	r.statuses = append(r.statuses, string(status))
	r.bodies = append(r.bodies, m.outcome.Body)
	r.numbers = append(r.numbers, int64(number))
	r.durations = append(r.durations, m.outcome.Duration.Milliseconds())
	r.responses = append(r.responses, sql.NullInt64{Int64: int64(m.outcome.Status), Valid: m.outcome.Status != 0})
	r.faults = append(r.faults, sql.NullString{String: string(m.outcome.Fault), Valid: !m.outcome.Succeeded()})
	r.sent = append(r.sent, nullTime(&m.sentAt))
	r.next = append(r.next, nullTime(next))
	r.now = now
}

const insertAttemptsSQL = `
INSERT INTO webhook_attempts (id, workspace_id, delivery_id, status, response_body, attempt, duration_ms, response_status, error,
  sent_at, next_attempt_at, created_at)
SELECT a.id, a.workspace, a.delivery, a.status, a.body, a.attempt, a.duration, a.response, a.fault, a.sent, a.next, $12::timestamptz
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[],
  $8::bigint[], $9::text[], $10::timestamptz[], $11::timestamptz[])
AS a(id, workspace, delivery, status, body, attempt, duration, response, fault, sent, next)`

func (r *attemptRows) insert(ctx context.Context, tx *sql.Tx) error {
	if len(r.ids) == 0 {
		return nil
	}
	_, err := tx.ExecContext(ctx, insertAttemptsSQL, pq.Array(r.ids), pq.Array(r.workspaces), pq.Array(r.deliveries),
		pq.Array(r.statuses), pq.Array(r.bodies), pq.Array(r.numbers), pq.Array(r.durations), pq.Array(r.responses),
		pq.Array(r.faults), pq.Array(r.sent), pq.Array(r.next), r.now)
	if err != nil {
		return fmt.Errorf("write attempts: %w", err)
	}
	return nil
}

// sortedKeys are the keys of a map in order.
func sortedKeys[V any](of map[string]V) []string { return slices.Sorted(maps.Keys(of)) }
