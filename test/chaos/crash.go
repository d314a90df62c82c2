package chaos

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Killed is what came of killing.
type Killed struct {
	Runs         int
	Calls        int           // that were acknowledged
	Repeated     int           // whose connection broke with the process
	Events       int           // that were delivered
	LongestStart time.Duration // until the product took requests again
	LongestRetry time.Duration // from then until every broken call was answered
	LateRetries  int           // the runs in which that took more than a second
}

// Kill kills the product with SIGKILL at random moments of a mixed workload, as often as it is told or
// as the time allows. After each it starts the product again and repeats what broke off; in the end
// it compares. An error is a promise that was not kept.
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
	defer w.close() //nolint:errcheck // there is nothing to lose any more

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

// The moments of a kill, after the workload began: often in its midst, sometimes at once.
const (
	liveAtMost = 300 * time.Millisecond

	// startsKilled is one of how many starts that is killed too.
	startsKilled = 8
)

// killOnce kills a process and answers its successor.
func (w *world) killOnce(ctx context.Context, p *process, k *Killed) (*process, error) {
	working, stop := context.WithCancel(ctx)
	defer stop()

	wait := w.work(working)

	sleep(ctx, w.moment(liveAtMost))
	stop() // who has asked waits for an answer, and nobody asks any more
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
		return next, errors.Join(err, fmt.Errorf("after %d kills; the product said: %s", k.Runs+1, next.text()))
	}

	return next, ctx.Err()
}

func (w *world) moment(most time.Duration) time.Duration {
	return time.Duration(w.random.Int64N(int64(max(most, 1))))
}
