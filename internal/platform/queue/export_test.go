package queue

import (
	"context"
	"database/sql"
	"log/slog"
	"time"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/rivertype"
)

// Rescue frees orphaned jobs at a given time, for tests outside the package.
type Rescue struct{ rescue *rescue }

// NewRescue returns the Rescue of a process with the given id.
func NewRescue(db *sql.DB, locks *Locks, id string) Rescue {
	return Rescue{newRescue(db, locks, id, new(underway), slog.New(slog.DiscardHandler))}
}

// Begin marks a job as running in the process until end is called.
func (r Rescue) Begin(id int64) (end func()) { return r.rescue.under.begin(id) }

// Once runs one round.
func (r Rescue) Once(ctx context.Context, now time.Time) error { return r.rescue.once(ctx, now) }

// RescueAfter is how long a process must be missed.
const RescueAfter = rescueAfter

// StrayAfter is how long a job must be recorded as running in a process that does not run it.
const StrayAfter = strayAfter

// Indexes returns the indexes that River rebuilds.
func Indexes() []string { return indexes() }

// Take takes up to ten jobs of a queue; the queue named fair is shared.
func Take(ctx context.Context, db *sql.DB, name, client string, maxAttemptedBy int) ([]*rivertype.JobRow, error) {
	executor := &fairExecutor{Executor: riverdatabasesql.New(db).GetExecutor(), db: db, shares: map[string]int{"fair": 10}}

	taken, err := executor.JobGetAvailable(ctx, &riverdriver.JobGetAvailableParams{
		ClientID: client, MaxAttemptedBy: maxAttemptedBy, MaxToLock: 10, Queue: name,
	})
	if err != nil {
		return nil, err
	}

	return taken.Jobs, nil
}
