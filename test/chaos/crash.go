package chaos

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Killed is the outcome of Kill.
type Killed struct {
	Runs         int
	Calls        int           // acknowledged
	Repeated     int           // repeated because their connection broke with the process
	Events       int           // delivered
	LongestStart time.Duration // until the product accepted requests again
	LongestRetry time.Duration // from then until every broken call was answered
	LateRetries  int           // runs in which that took more than a second
}

// Kill kills the product with SIGKILL at random moments while the product serves a mixed workload. The parameter runs
// is the number of kills; Kill stops earlier if the time in within has passed. After each kill it restarts the product
// and repeats the calls that were interrupted. At the end it compares the ledger of acknowledged calls with the
// database. An error means that a guarantee did not hold.
func Kill(ctx context.Context, o Options, runs int, within time.Duration) (Killed, error) {
	addr, err := freeAddr(ctx)
	if err != nil {
		return Killed{}, err
	}

	p, err := o.ready(ctx, addr)
	if err != nil {
		return Killed{}, err
	}
	defer func() { p.kill() }()

	w, err := open(ctx, o, p)
	if err != nil {
		return Killed{}, err
	}
	defer w.close() //nolint:errcheck // best effort at the end

	var k Killed

	for deadline := time.Now().Add(within); k.Runs < runs && time.Now().Before(deadline); k.Runs++ {
		if p, err = w.killOnce(ctx, p, &k); err != nil {
			return k, err
		}

		if (k.Runs+1)%50 == 0 {
			w.sayf("%d kills: %d calls acknowledged, %d repeated, %s", k.Runs+1, len(w.ledger.done), k.Repeated, spread(w.ledger.statuses()))
		}
	}

	err = w.verify(ctx)
	heard, _ := w.receiver.messages()
	k.Calls, k.Events = len(w.ledger.done), len(heard)

	return k, err
}

// A kill comes at a random moment after the workload begins.
const (
	liveAtMost = 300 * time.Millisecond

	// startsKilled means that one of this many starts is killed as well.
	startsKilled = 8
)

// killOnce kills p and returns the process that replaces it.
func (w *world) killOnce(ctx context.Context, p *process, k *Killed) (*process, error) {
	working, stop := context.WithCancel(ctx)
	defer stop()

	wait := w.work(working)

	sleep(ctx, w.moment(liveAtMost))
	stop() // no new calls; those under way keep waiting
	p.kill()
	wait()
	w.client.CloseIdleConnections()

	if w.random.IntN(startsKilled) == 0 {
		early, err := w.serve(p.addr)
		if err != nil {
			return p, err
		}

		sleep(ctx, w.moment(p.took+time.Millisecond))
		early.kill()
	}

	next, err := w.ready(ctx, p.addr)
	if err != nil {
		return p, err
	}

	k.Repeated += len(w.ledger.unknown())
	k.LongestStart = max(k.LongestStart, next.took)

	took := w.settle(ctx)
	k.LongestRetry = max(k.LongestRetry, took)

	if took > freed {
		k.LateRetries++
	}

	if err := w.ledger.verdict(); err != nil {
		return next, errors.Join(err, fmt.Errorf("after %d kills; output of the product: %s", k.Runs+1, next.text()))
	}

	return next, ctx.Err()
}

func (w *world) moment(most time.Duration) time.Duration {
	return time.Duration(w.random.Int64N(int64(max(most, 1))))
}
