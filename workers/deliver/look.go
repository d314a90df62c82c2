package deliver

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
)

const (
	// lookEvery is how often somebody looks for deliveries that are due. A second attempt comes after
	// five seconds give or take a tenth, and the jitter of webhook.Next leaves it this much.
	lookEvery = 100 * time.Millisecond

	// lookRest is how much longer than a look takes nobody looks after it; see rest.
	lookRest = 9

	// lookInstead is how often the other processes see whether they should look, and how long the one
	// that does rests after a fault.
	lookInstead = time.Second
)

// Look asks, until the context ends, for a job for each endpoint that has deliveries which are due while
// nobody attends to it: those whose next attempt has come, those whose job was lost with a process, and those that
// were late already when an event was published.
// One process does at a time.
func (w *Deliver) Look(ctx context.Context) {
	ctx = auth.AsSystem(ctx)
	pause := time.NewTimer(0)
	defer pause.Stop()
	var before time.Duration
	for {
		select {
		case <-ctx.Done():
			return
		case <-pause.C:
		}
		began := time.Now()
		mine, err := w.Locks.Keep(ctx, "webhook deliveries")
		if err == nil && mine {
			err = w.lookOnce(ctx)
		}
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			w.Logger.WarnContext(ctx, "deliver: look for what is due", slog.Any("error", err))
			pause.Reset(lookInstead)
		case !mine:
			pause.Reset(lookInstead)
		default:
			took := time.Since(began)
			pause.Reset(rest(took, before))
			before = took
		}
	}
}

// rest is how long nobody looks after two looks that took so long: the quicker one counts, because a look that is slow alone
// was held up by something else, and what is due does not wait for that nine times.
func rest(took, before time.Duration) time.Duration {
	return max(lookEvery, lookRest*min(took, before))
}

// dueSQL walks from endpoint to endpoint along the index, whatever the number of their deliveries. A
// first attempt has a job of its own, which gets the time of one look.
const dueSQL = `
WITH RECURSIVE first AS (
  (SELECT d.endpoint_id, d.next_attempt_at, d.attempts FROM webhook_deliveries d
    WHERE d.status = 'pending' AND d.next_attempt_at IS NOT NULL ORDER BY d.endpoint_id, d.next_attempt_at LIMIT 1)
  UNION ALL
  SELECT n.endpoint_id, n.next_attempt_at, n.attempts FROM first f CROSS JOIN LATERAL (
    SELECT d.endpoint_id, d.next_attempt_at, d.attempts FROM webhook_deliveries d
    WHERE d.status = 'pending' AND d.next_attempt_at IS NOT NULL AND d.endpoint_id > f.endpoint_id
    ORDER BY d.endpoint_id, d.next_attempt_at LIMIT 1) n
)
SELECT endpoint_id, attempts > 0 FROM first WHERE next_attempt_at <= CASE WHEN attempts = 0 THEN $2 ELSE $1 END::timestamptz`

func (w *Deliver) lookOnce(ctx context.Context) error {
	now := w.Now()
	behind := map[string]bool{} // by the endpoints' slots
	ended := map[string]string{}
	var names []string
	err := w.Store.Query(ctx, func(rows *sql.Rows) error {
		var id string
		var again bool
		if err := rows.Scan(&id, &again); err != nil {
			return err //nolint:wrapcheck // said below
		}
		if !w.runs.has(id) {
			name := slotName(id)
			names, behind[name], ended[name] = append(names, name), again, id
		}
		return nil
	}, dueSQL, now, now.Add(-lookEvery))
	if err != nil {
		return fmt.Errorf("find endpoints: %w", err)
	}
	if len(names) == 0 {
		return nil
	}
	idle, err := w.Locks.Idle(ctx, names, attemptsAtOnce)
	if err != nil || len(idle) == 0 {
		return err //nolint:wrapcheck // it says what was attempted
	}
	wanted := make([]river.JobArgs, len(idle))
	for i, name := range idle {
		wanted[i] = jobs.Deliver{Behind: behind[name], EndpointID: ended[name]}
	}
	return w.Store.InTx(ctx, func(ctx context.Context) error { return w.Queue.Add(ctx, wanted...) })
}
