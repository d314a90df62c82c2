package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// clockSlack is how far this machine's clock may differ from that of the database.
const clockSlack = time.Minute

// CheckClock returns an error if this machine's clock differs from that of the database. Call it before deleting
// anything by age: a clock that is ahead would delete too much.
func (s *Store) CheckClock(ctx context.Context) error {
	var theirs time.Time

	before := time.Now()

	if err := s.Query(ctx, func(rows *sql.Rows) error { return rows.Scan(&theirs) }, "SELECT clock_timestamp()"); err != nil {
		return fmt.Errorf("read the database clock: %w", err)
	}

	after := time.Now()
	if theirs.Before(before.Add(-clockSlack)) || theirs.After(after.Add(clockSlack)) {
		return fmt.Errorf("the clock is off by %s: correct it; until then nothing is deleted by age", after.Sub(theirs).Round(time.Second))
	}

	return nil
}
