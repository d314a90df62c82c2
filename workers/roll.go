package workers

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/lib/pq"
	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/internal/auth"
	"github.com/reelgraph/reelgraph/internal/store"
	"github.com/reelgraph/reelgraph/workers/jobs"
)

const (
	rollEvery   = 30 * time.Second
	rollTimeout = 5 * time.Minute

	// rollBatch is how many sessions one transaction rolls up.
	rollBatch = 500
)

// Roll makes the figures of sessions that have reported since they were made last. A session is replayed
// from its beginning, so that a report that came late is counted where it belongs.
type Roll struct {
	river.WorkerDefaults[jobs.Roll]

	Clock func() time.Time // nil: the present
	Store *store.Store
}

func (w *Roll) now() time.Time {
	if w.Clock != nil {
		return w.Clock()
	}

	return time.Now()
}

// RollEvery is the schedule of Roll; every process that works registers it.
func RollEvery() *river.PeriodicJob {
	return river.NewPeriodicJob(river.PeriodicInterval(rollEvery), func() (river.JobArgs, *river.InsertOpts) {
		return jobs.Roll{}, nil
	}, &river.PeriodicJobOpts{RunOnStart: true})
}

// Timeout implements river.Worker.
func (*Roll) Timeout(*river.Job[jobs.Roll]) time.Duration { return rollTimeout }

// Work implements river.Worker. Sessions that come to wait while it works are the next job's: under load
// there would be no end to them.
func (w *Roll) Work(ctx context.Context, _ *river.Job[jobs.Roll]) error {
	ctx = auth.AsSystem(ctx)

	var began time.Time
	if err := w.Store.Query(ctx, func(rows *sql.Rows) error { return rows.Scan(&began) }, "SELECT now()"); err != nil {
		return fmt.Errorf("ask for the time: %w", err)
	}

	for {
		waiting, err := w.waiting(ctx, began)
		if err != nil || len(waiting.sessions) == 0 {
			return err
		}

		if err := w.Store.InTx(ctx, func(ctx context.Context) error { return w.roll(ctx, waiting) }); err != nil {
			return fmt.Errorf("roll up sessions: %w", err)
		}
	}
}

// waiting are sessions, and the workspaces they belong to.
type waiting struct{ sessions, workspaces []string }

// waiting finds sessions that had reports which no figure holds when the job began, those that have waited
// longest first.
func (w *Roll) waiting(ctx context.Context, began time.Time) (waiting, error) {
	var found waiting

	err := w.Store.Query(ctx, func(rows *sql.Rows) error {
		return rows.Scan(pq.Array(&found.sessions), pq.Array(&found.workspaces))
	}, `SELECT array_agg(id), array_agg(DISTINCT workspace_id ORDER BY workspace_id) FROM (
		SELECT id, workspace_id FROM view_sessions WHERE waiting_since <= $2 ORDER BY waiting_since LIMIT $1) s`, rollBatch, began)
	if err != nil {
		return found, fmt.Errorf("find sessions to roll up: %w", err)
	}

	return found, nil
}

// roll replays sessions while nobody reports to them, and while no video of theirs changes hands.
func (w *Roll) roll(ctx context.Context, these waiting) error {
	err := w.exec(ctx, `SELECT pg_advisory_xact_lock_shared(hashtextextended('views ' || id, 0)) FROM unnest($1::text[]) id`,
		pq.Array(these.workspaces))
	if err != nil {
		return fmt.Errorf("lock workspaces: %w", err)
	}

	sessions, err := w.sessions(ctx, these.sessions)
	if err != nil {
		return err
	}

	if err := w.replay(ctx, sessions); err != nil {
		return err
	}

	if err := w.keep(ctx, sessions); err != nil {
		return err
	}

	err = w.exec(ctx, `UPDATE view_sessions SET waiting_since = NULL WHERE id = ANY($1::text[])`, pq.Array(these.sessions))
	if err != nil {
		return fmt.Errorf("mark sessions: %w", err)
	}

	return nil
}

func (w *Roll) exec(ctx context.Context, statement string, args ...any) error {
	_, err := w.Store.Client(ctx).ExecContext(ctx, statement, args...)

	return err //nolint:wrapcheck // the caller says what was attempted
}
