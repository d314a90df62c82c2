package workers

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/webhook"
)

const (
	// firstWidth is how many attempts at once an endpoint gets that has shown nothing yet.
	firstWidth = 2

	// waitersPerPlace is how many deliveries wait in this process for each place, so that an
	// endpoint in demand is never idle while the next job is on its way.
	waitersPerPlace = 4

	// laneWait is how long they wait. An endpoint that lets anyone wait that long has to answer
	// again before the next may wait.
	laneWait = time.Second
)

// lanes bound how much of this process an endpoint may hold at a time. An endpoint that
// answers gets more and more, up to attemptsAtOnce, and some deliveries wait for its places;
// one that lets an attempt run into its time limit gets a single one. Nothing waits for an
// endpoint that has not shown that it answers. So one that hangs keeps hardly anything from
// others. Processes know nothing of each other's lanes and need not: what they decide
// together, they decide by the slots of queue.Locks.
type lanes struct {
	mu         sync.Mutex
	byEndpoint map[string]*lane
}

type lane struct {
	answers bool
	hangs   bool
	running int
	waiting []chan struct{} // closed when the place is theirs
	width   int
}

func newLanes() *lanes { return &lanes{byEndpoint: map[string]*lane{}} }

// enter takes a place, waiting for it if it pays, and says whether it got one.
func (l *lanes) enter(ctx context.Context, endpointID string) bool {
	place, wait := l.ask(endpointID)
	if !wait {
		return place == nil
	}
	timer := time.NewTimer(laneWait)
	defer timer.Stop()
	select {
	case <-place:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return !l.giveUp(endpointID, place)
}

// tryEnter takes a place if one is free.
func (l *lanes) tryEnter(endpointID string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.of(endpointID).take()
}

func (l *lanes) ask(endpointID string) (place chan struct{}, wait bool) {
	l.mu.Lock()
	defer l.mu.Unlock()

	asked := l.of(endpointID)
	if asked.take() {
		return nil, false
	}
	place = make(chan struct{})
	if len(asked.waiting) >= asked.waiters() {
		return place, false
	}
	asked.waiting = append(asked.waiting, place)
	return place, true
}

// giveUp leaves the row of those who wait; false when the place has come meanwhile.
func (l *lanes) giveUp(endpointID string, place chan struct{}) bool {
	l.mu.Lock()
	defer l.mu.Unlock()

	asked := l.of(endpointID)
	at := slices.Index(asked.waiting, place)
	if at < 0 {
		return false
	}
	asked.answers = false
	asked.waiting = slices.Delete(asked.waiting, at, at+1)
	return true
}

// leave gives the place back, having learnt from the outcome, and answers how many parked
// deliveries should be sent for. An outcome without a duration is that of no attempt.
func (l *lanes) leave(endpointID string, outcome webhook.Outcome) (room int) {
	l.mu.Lock()
	defer l.mu.Unlock()

	left := l.of(endpointID)
	left.running--
	switch {
	case outcome.Fault == domain.AttemptErrorTimeout:
		left.answers, left.hangs, left.width = false, true, 1
	case outcome.Duration > 0:
		left.answers, left.hangs, left.width = true, false, min(left.width+1, attemptsAtOnce)
	}
	return l.pass(endpointID, left)
}

// yield gives back a place that could not be used, because other processes hold all slots of
// the endpoint, and makes do with fewer.
func (l *lanes) yield(endpointID string) {
	l.mu.Lock()
	defer l.mu.Unlock()

	left := l.of(endpointID)
	left.running--
	left.width = max(1, left.running)
	l.pass(endpointID, left)
}

// of finds the lane of an endpoint. Unknown ones begin narrow.
func (l *lanes) of(endpointID string) *lane {
	found, known := l.byEndpoint[endpointID]
	if !known {
		found = &lane{width: firstWidth}
		l.byEndpoint[endpointID] = found
	}
	return found
}

// pass hands free places to those who wait. Lanes at rest are forgotten unless they hang.
func (l *lanes) pass(endpointID string, left *lane) (room int) {
	for len(left.waiting) > 0 && left.running < left.width {
		left.running++
		close(left.waiting[0])
		left.waiting = left.waiting[1:]
	}
	if left.running == 0 && !left.hangs {
		delete(l.byEndpoint, endpointID)
	}
	if len(left.waiting) > left.waiters()/2 {
		return 0 // enough to go on with; later, many at once are cheaper
	}
	return left.width - left.running + left.waiters() - len(left.waiting)
}

// waiters is how many may wait for a place.
func (l *lane) waiters() int {
	if !l.answers {
		return 0
	}
	return waitersPerPlace * l.width
}

func (l *lane) take() bool {
	if l.running >= l.width {
		return false
	}
	l.running++
	return true
}
