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
	// lookEvery is the interval of looking for due deliveries. The second attempt comes five seconds after the first,
	// and webhook.Next adds a jitter of a tenth, so this precision is enough.
	lookEvery = 100 * time.Millisecond

	// lookRest is how many times longer than a look the pause after it is; see rest.
	lookRest = 9

	// lookInstead is how often the other processes try to take over looking, and how long the looking process pauses
	// after an error.
	lookInstead = time.Second
)

// Look repeatedly inserts a job for each endpoint that has due deliveries but neither a job nor a run. It returns
// when the context ends. It finds retries, deliveries whose job was lost because a process died, and deliveries that
// were already late when their event was published. Only one process at a time does this.
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
			w.Logger.WarnContext(ctx, "deliver: cannot look for due deliveries", slog.Any("error", err))
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

// rest returns the pause after two looks of the given durations. The shorter one counts: a single slow look was held
// up by something else, and deliveries should not wait nine times that long.
func rest(took, before time.Duration) time.Duration {
	return max(lookEvery, lookRest*min(took, before))
}

// dueSQL jumps from endpoint to endpoint along the index, however many deliveries each has. A first attempt has its
// own job, so it is found only when it is overdue by one look.
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
	behind := map[string]bool{} // keyed by the slot of the endpoint
	ended := map[string]string{}

	var names []string

	err := w.Store.Query(ctx, func(rows *sql.Rows) error {
		var (
			id    string
			again bool
		)
		if err := rows.Scan(&id, &again); err != nil {
			return err //nolint:wrapcheck // wrapped below
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
		return err //nolint:wrapcheck // the error says what was attempted
	}

	wanted := make([]river.JobArgs, len(idle))
	for i, name := range idle {
		wanted[i] = jobs.Deliver{Behind: behind[name], EndpointID: ended[name]}
	}

	return w.Store.InTx(ctx, func(ctx context.Context) error { return w.Queue.Add(ctx, wanted...) })
}
