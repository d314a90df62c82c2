package analytics

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

const (
	daysEvery   = 6 * time.Hour
	daysTimeout = 5 * time.Minute

	// daysAhead is how many days ahead partitions are created. If no job runs for longer than this, reports go to the
	// default partition, and the next job moves them to their days.
	daysAhead = 14

	reportsOf = "playback_events_"
	dayName   = "20060102"
)

// Days maintains the daily partitions of the playback events. It creates the partitions of the coming days and
// deletes partitions whose retention period has ended.
type Days struct {
	river.WorkerDefaults[jobs.Days]

	Clock func() time.Time // nil means time.Now
	Store *store.Store
}

// DaysEvery returns the schedule of Days. Every process that runs jobs registers it.
func DaysEvery() *river.PeriodicJob {
	return river.NewPeriodicJob(river.PeriodicInterval(daysEvery), func() (river.JobArgs, *river.InsertOpts) {
		return jobs.Days{}, nil
	}, &river.PeriodicJobOpts{RunOnStart: true})
}

// Timeout implements river.Worker.
func (*Days) Timeout(*river.Job[jobs.Days]) time.Duration { return daysTimeout }

// Work implements river.Worker. Each partition gets its own transaction, because attaching or dropping one briefly
// locks the table.
func (w *Days) Work(ctx context.Context, _ *river.Job[jobs.Days]) error {
	ctx = auth.AsSystem(ctx)
	now := time.Now()

	if err := w.Store.CheckClock(ctx); err != nil {
		return err
	}

	if w.Clock != nil {
		now = w.Clock()
	}

	today := now.UTC().Truncate(24 * time.Hour)
	oldest := today.Add(-jobs.ReportKept)

	there, err := w.there(ctx)
	if err != nil {
		return err
	}

	for day := today; !day.After(today.AddDate(0, 0, daysAhead)); day = day.AddDate(0, 0, 1) {
		if there[day] {
			continue
		}

		next := day.AddDate(0, 0, 1)

		err := w.alone(ctx, fmt.Sprintf(makeDaySQL, reportsOf+day.Format(dayName), day.Format(time.DateOnly), next.Format(time.DateOnly)))
		if err != nil {
			return fmt.Errorf("create the partition of %s: %w", day.Format(time.DateOnly), err)
		}
	}

	for day := range there {
		if day.Before(oldest) {
			if err := w.alone(ctx, "DROP TABLE "+reportsOf+day.Format(dayName)); err != nil {
				return fmt.Errorf("drop the partition of %s: %w", day.Format(time.DateOnly), err)
			}
		}
	}

	err = w.Store.InTx(ctx, func(ctx context.Context) error {
		_, err := w.Store.Client(ctx).ExecContext(ctx, "DELETE FROM playback_events_rest WHERE created_at < $1", oldest)

		return err //nolint:wrapcheck // wrapped below
	})
	if err != nil {
		return fmt.Errorf("remove old reports: %w", err)
	}

	return nil
}

// makeDaySQL creates a partition unless it exists, and moves its rows out of the default partition. The arguments are
// its name, its day and the next day.
const makeDaySQL = `DO $$ BEGIN
  IF to_regclass('%[1]s') IS NULL THEN
    CREATE TABLE %[1]s (LIKE playback_events INCLUDING ALL);
    WITH moved AS (
      DELETE FROM playback_events_rest WHERE created_at >= '%[2]s 00:00Z' AND created_at < '%[3]s 00:00Z'
      RETURNING id, created_at, workspace_id, session_id, seq, events
    )
    INSERT INTO %[1]s (id, created_at, workspace_id, session_id, seq, events)
    SELECT id, created_at, workspace_id, session_id, seq, events FROM moved;
    ALTER TABLE playback_events ATTACH PARTITION %[1]s FOR VALUES FROM ('%[2]s 00:00Z') TO ('%[3]s 00:00Z');
  END IF;
END $$`

// there returns the days that have a partition.
func (w *Days) there(ctx context.Context) (map[time.Time]bool, error) {
	days := map[time.Time]bool{}

	err := w.Store.Query(ctx, func(rows *sql.Rows) error {
		var name string
		if err := rows.Scan(&name); err != nil {
			return err //nolint:wrapcheck // wrapped below
		}

		if day, err := time.Parse(dayName, strings.TrimPrefix(name, reportsOf)); err == nil {
			days[day] = true
		}

		return nil
	}, "SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'playback_events'::regclass")
	if err != nil {
		return nil, fmt.Errorf("find the partitions: %w", err)
	}

	return days, nil
}

// aloneSQL locks the report tables against all other use until the transaction ends. It locks view_sessions first, as
// every other writer does, so that two transactions cannot deadlock. The lock timeout is shorter than the deadlock
// timeout of Postgres (1 s), so this statement fails first and never a viewer's report.
const (
	impatientSQL = "SET LOCAL lock_timeout = '500ms'"
	aloneSQL     = "LOCK TABLE view_sessions, playback_events IN ACCESS EXCLUSIVE MODE"
)

// alone runs a statement that attaches or drops a partition while nobody else uses the tables. If it cannot get the
// lock in time it fails, and the job is retried.
func (w *Days) alone(ctx context.Context, statement string) error {
	return w.Store.InTx(ctx, func(ctx context.Context) error {
		for _, sql := range []string{impatientSQL, aloneSQL, statement} {
			if _, err := w.Store.Client(ctx).ExecContext(ctx, sql); err != nil {
				return err //nolint:wrapcheck // the caller says what was attempted
			}
		}

		return nil
	})
}
