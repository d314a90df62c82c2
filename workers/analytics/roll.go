// Package analytics computes view figures from playback reports and maintains the daily partitions of the reports.
// Start with Roll.
package analytics

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/lib/pq"
	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

const (
	rollEvery   = 30 * time.Second
	rollTimeout = 5 * time.Minute

	// rollBatch is how many sessions, or how many events, one transaction rolls up at most. A single larger session
	// gets its own. New reports of these sessions wait for the transaction.
	rollBatch  = 100
	rollEvents = 50_000

	// rollPatience is how long one such transaction may take.
	rollPatience = 20 * time.Second
)

// Roll computes the figures of each session that has received reports since the last run of Roll. It processes all
// reports of the session again, from the first one, so that late reports are counted at the right place.
type Roll struct {
	river.WorkerDefaults[jobs.Roll]

	Clock func() time.Time // nil means time.Now
	Store *store.Store
}

func (w *Roll) now() time.Time {
	if w.Clock != nil {
		return w.Clock()
	}

	return time.Now()
}

// RollEvery returns the schedule of Roll. Every process that runs jobs registers it.
func RollEvery() *river.PeriodicJob {
	return river.NewPeriodicJob(river.PeriodicInterval(rollEvery), func() (river.JobArgs, *river.InsertOpts) {
		return jobs.Roll{}, nil
	}, &river.PeriodicJobOpts{RunOnStart: true})
}

// Timeout implements river.Worker.
func (*Roll) Timeout(*river.Job[jobs.Roll]) time.Duration { return rollTimeout }

// Work implements river.Worker. It handles only the sessions that wait when it starts, because under load new ones
// arrive all the time. A session that fails does not stop the others.
func (w *Roll) Work(ctx context.Context, _ *river.Job[jobs.Roll]) error {
	ctx = auth.AsSystem(ctx)

	all, err := w.waiting(ctx)
	if err != nil {
		return err
	}

	var faults []error

	for _, some := range portions(all) {
		if w.attempt(ctx, some) == nil {
			continue
		}

		for i, one := range some {
			err := w.attempt(ctx, some[i:i+1])
			if err == nil {
				continue
			}

			faults = append(faults, fmt.Errorf("roll up %s: %w", one.id, err))

			if err := w.putOff(ctx, one.id); err != nil {
				return errors.Join(append(faults, err)...)
			}
		}
	}

	return errors.Join(faults...)
}

// waiting is a session with reports that are not rolled up yet.
type waiting struct {
	id, workspace string
	events        int64
}

// waiting returns these sessions, the longest waiting first.
func (w *Roll) waiting(ctx context.Context) (all []waiting, err error) {
	err = w.Store.Query(ctx, func(rows *sql.Rows) error {
		var s waiting

		err := rows.Scan(&s.id, &s.workspace, &s.events)
		all = append(all, s)

		return err //nolint:wrapcheck // wrapped below
	}, "SELECT id, workspace_id, events FROM view_sessions WHERE waiting_since IS NOT NULL ORDER BY waiting_since")
	if err != nil {
		return nil, fmt.Errorf("find sessions to roll up: %w", err)
	}

	return all, nil
}

// portions splits the sessions into batches, one for each transaction.
func portions(all []waiting) (parts [][]waiting) {
	begin, events := 0, int64(0)

	for i, s := range all {
		if i-begin == rollBatch || i > begin && events+s.events > rollEvents {
			parts = append(parts, all[begin:i])
			begin, events = i, 0
		}

		events += s.events
	}

	if begin < len(all) {
		parts = append(parts, all[begin:])
	}

	return parts
}

// attempt rolls up one batch in a transaction.
func (w *Roll) attempt(ctx context.Context, these []waiting) error {
	ctx, cancel := context.WithTimeout(ctx, rollPatience)
	defer cancel()

	return w.Store.InTx(ctx, func(ctx context.Context) error { return w.roll(ctx, these) })
}

// putOff moves a session to the end of the queue, unless it is locked.
func (w *Roll) putOff(ctx context.Context, id string) error {
	err := w.Store.InTx(ctx, func(ctx context.Context) error {
		return w.exec(ctx, `UPDATE view_sessions SET waiting_since = now()
			WHERE id = (SELECT id FROM view_sessions WHERE id = $1 FOR UPDATE SKIP LOCKED)`, id)
	})
	if err != nil {
		return fmt.Errorf("put off %s: %w", id, err)
	}

	return nil
}

// roll replays the sessions. It holds locks so that meanwhile none of them gets a report and none of their videos
// changes its owner.
func (w *Roll) roll(ctx context.Context, these []waiting) error {
	var ids, workspaces []string

	for _, s := range these {
		ids = append(ids, s.id)
		workspaces = append(workspaces, s.workspace)
	}

	slices.Sort(workspaces) // a fixed lock order prevents deadlocks

	err := w.exec(ctx, `SELECT pg_advisory_xact_lock_shared(hashtextextended('views ' || id, 0)) FROM unnest($1::text[]) id`,
		pq.Array(slices.Compact(workspaces)))
	if err != nil {
		return fmt.Errorf("lock workspaces: %w", err)
	}

	sessions, err := w.sessions(ctx, ids)
	if err != nil {
		return err
	}

	if err := w.replay(ctx, sessions); err != nil {
		return err
	}

	if err := w.keep(ctx, sessions); err != nil {
		return err
	}

	err = w.exec(ctx, `UPDATE view_sessions SET waiting_since = NULL WHERE id = ANY($1::text[])`, pq.Array(ids))
	if err != nil {
		return fmt.Errorf("mark sessions: %w", err)
	}

	return nil
}

func (w *Roll) exec(ctx context.Context, statement string, args ...any) error {
	_, err := w.Store.Client(ctx).ExecContext(ctx, statement, args...)

	return err //nolint:wrapcheck // the caller says what was attempted
}
