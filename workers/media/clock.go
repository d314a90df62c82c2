package media

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// clockSlack is how far this machine's clock may be from that of the database.
const clockSlack = time.Minute

// AgreeOnTime fails when this machine's clock is not that of the database. Whoever removes what is old asks
// first: a clock that has jumped ahead would have it remove what is not.
func AgreeOnTime(ctx context.Context, s *store.Store) error {
	var theirs time.Time

	before := time.Now()
	if err := s.Query(ctx, func(rows *sql.Rows) error { return rows.Scan(&theirs) }, "SELECT clock_timestamp()"); err != nil {
		return fmt.Errorf("ask for the time: %w", err)
	}

	after := time.Now()
	if theirs.Before(before.Add(-clockSlack)) || theirs.After(after.Add(clockSlack)) {
		return fmt.Errorf("nothing is removed by age: the clock is off by %s", after.Sub(theirs).Round(time.Second))
	}

	return nil
}
