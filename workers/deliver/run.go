package deliver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/reelgraph/reelgraph/internal/webhook"
)

const (
	// lookAgain is how often a run with slow attempts looks for more deliveries. Other processes cannot notify this
	// one.
	lookAgain = 200 * time.Millisecond

	// fresh is how long deliveries and endpoints that were read count as current. After that time, nothing is sent to
	// an endpoint by its old state if it was disabled, deleted or given a new secret.
	fresh = 500 * time.Millisecond

	fewest, mostAhead = 16, 256
)

// hold takes the lock of the endpoint and delivers what is due. It reports whether more is due or has become due
// since the last look, because other jobs found the lock taken and ended.
func (r *run) hold(ctx context.Context) (more bool, err error) {
	r.runs.heard(r)

	release, taken, err := r.Locks.TryAll(ctx, slotName(r.endpointID), attemptsAtOnce)
	if err != nil || !taken {
		return false, err
	}

	err = r.deliver(ctx)

	release()

	if err != nil {
		return false, err
	}

	r.runs.heard(r)
	found, err := r.find(ctx, question{endpointID: r.endpointID, most: 1})

	return found != nil && len(found.errands) > 0, err
}

func slotName(endpointID string) string { return "webhook/" + endpointID }

// deliver keeps as many attempts running as the endpoint may have, until nothing is due or the run is over.
func (r *run) deliver(ctx context.Context) (err error) {
	r.under, r.ahead, r.dry, r.most, r.taken, r.failed = map[string]*errand{}, nil, false, fewest, 0, false
	r.width = r.lanes.width(r.endpointID)

	var sparing sync.WaitGroup
	defer sparing.Wait()

	again := time.NewTicker(lookAgain)
	defer again.Stop()

	ended := make(chan error)

	for running := 0; ; {
		for err == nil && running < r.places() {
			var next *errand
			if next, err = r.takeErrand(ctx); next == nil {
				break
			}

			running++

			go func() { ended <- r.place(ctx, next) }()
		}

		if running == 0 {
			return err
		}

		if r.inDemand() {
			sparing.Go(func() { r.spare(ctx) })
		}

		select {
		case fault := <-ended:
			running--
			err = errors.Join(err, fault)
		case <-r.bell:
			r.look()
		case <-again.C:
			r.look()
		}
	}
}

func (r *run) places() int {
	r.mu.Lock()
	defer r.mu.Unlock()

	return r.width
}

// inDemand reports, once, whether so much is due that waiting jobs for this endpoint should be removed.
func (r *run) inDemand() bool {
	r.mu.Lock()
	defer r.mu.Unlock()

	if r.spared || len(r.ahead) < fewest/2 {
		return false
	}

	r.spared = true

	return true
}

// look makes the next idle place query again.
func (r *run) look() {
	r.mu.Lock()
	defer r.mu.Unlock()

	r.dry = false
}

// place makes one attempt after another until nothing is due or the endpoint should get fewer in parallel. It stores
// each attempt before it starts the next.
func (r *run) place(ctx context.Context, e *errand) error {
	for e != nil {
		outcome, err := r.attempt(ctx, e)
		if err != nil {
			return fmt.Errorf("delivery %s: %w", e.id, err)
		}

		if !r.done(e, outcome) {
			return nil
		}

		if e, err = r.takeErrand(ctx); err != nil {
			return err
		}
	}

	return nil
}

// done reports whether the place may continue.
func (r *run) done(e *errand, outcome webhook.Outcome) bool {
	r.mu.Lock()
	defer r.mu.Unlock()

	delete(r.under, e.id)
	before := r.width

	r.width = r.lanes.learn(r.endpointID, before, outcome)
	if r.width > before {
		r.ring()
	}

	return len(r.under) < r.width
}

// takeErrand returns the next errand, or nil if nothing is due or the run is over.
func (r *run) takeErrand(ctx context.Context) (*errand, error) {
	r.mu.Lock()
	defer r.mu.Unlock()

	if r.over(ctx) {
		return nil, nil //nolint:nilnil // nothing to send
	}

	if len(r.ahead) > 0 && time.Since(r.read) > fresh {
		r.ahead, r.dry = nil, false
	}

	if len(r.ahead) == 0 && !r.dry {
		if err := r.readAhead(ctx); err != nil {
			return nil, err
		}
	}

	if len(r.ahead) == 0 {
		return nil, nil //nolint:nilnil // nothing to send
	}

	next := r.ahead[0]
	r.ahead = r.ahead[1:]
	r.taken++
	r.under[next.id] = next

	return next, nil
}

// readAhead reads as many due deliveries as will probably be sent while they count as current.
func (r *run) readAhead(ctx context.Context) error {
	if since := time.Since(r.read); r.taken > 0 && since > 0 {
		likely := float64(r.taken) * float64(fresh) / float64(since)
		r.most = min(max(int(likely), fewest), 2*r.most, mostAhead)
	}

	r.dry, r.read, r.taken = true, time.Now(), 0

	found, err := r.find(ctx, question{endpointID: r.endpointID, most: r.most, without: sortedKeys(r.under)})
	if err != nil || found == nil {
		return err
	}

	if found.to.disabled {
		return r.cancel(ctx) // the endpoint was disabled while the messages were being stored
	}

	if r.to, err = r.open(found.to); err != nil {
		return err
	}

	r.failed = r.failing > 0
	r.ahead, r.dry = found.errands, len(found.errands) < r.most

	return nil
}

// attempt sends the message and stores the outcome.
func (r *run) attempt(ctx context.Context, e *errand) (webhook.Outcome, error) {
	to := r.target()
	sentAt := r.Now().UTC().Truncate(time.Millisecond)

	outcome, err := webhook.Send(ctx, r.Client, webhook.Request{
		At: sentAt, Body: e.body, ID: e.messageID, Secrets: to.secrets(sentAt), URL: to.url,
	})
	if err != nil {
		return outcome, err //nolint:wrapcheck // place says what was attempted
	}

	if outcome.Cause != nil {
		r.Logger.InfoContext(ctx, "deliver: attempt failed", slog.String("delivery", e.id),
			slog.String("endpoint", to.id), slog.Any("error", outcome.Cause))
	}

	if !outcome.Succeeded() {
		r.fails(1)
	}

	err = r.record(tried{errand: e, endpoint: r.target(), sentAt: sentAt, outcome: outcome})
	if !outcome.Succeeded() {
		r.fails(-1)
	}

	if err == nil {
		r.learn(outcome, sentAt)
	}

	return outcome, err
}

// fails counts failed attempts that are being stored.
func (r *run) fails(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()

	r.failing += n
	r.failed = true
}

// learn remembers whether the endpoint is known to fail, so that not every failure updates its row. The value may be
// outdated, which costs one extra statement; the field failed decides whether a success must clear the failures.
func (r *run) learn(outcome webhook.Outcome, at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()

	switch {
	case outcome.Succeeded():
		r.to.failingSince = nil
	case r.to.failingSince == nil:
		r.to.failingSince = &at
	}
}

// target returns the endpoint as last read, and whether it may have failed since.
func (r *run) target() endpoint {
	r.mu.Lock()
	defer r.mu.Unlock()

	to := r.to
	to.failed = r.failed

	return to
}
