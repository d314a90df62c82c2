package deliver

import (
	"sync"

	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook"
)

// firstWidth is the number of parallel attempts for an endpoint without history.
const firstWidth = 2

// lanes decides how many parallel attempts an endpoint gets, and how many unproven endpoints may be worked on. An
// endpoint that answers gets more, up to attemptsAtOnce. One that times out gets a single attempt until it answers
// again. Endpoints that hang or are new never hold more than half of the runs of this process. The history is kept in
// memory.
type lanes struct {
	most int // how many doubtful endpoints may be worked on in parallel

	mu       sync.Mutex
	answers  map[string]bool // outcome of the last attempt; no entry: there was none
	doubtful map[string]bool // the doubtful endpoints being worked on
}

func newLanes(places int) *lanes {
	return &lanes{most: max(1, places/2), answers: map[string]bool{}, doubtful: map[string]bool{}}
}

// enter reports whether the endpoint may be worked on now. If it returns true, the caller must call leave.
func (l *lanes) enter(endpointID string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()

	if l.answers[endpointID] {
		return true
	}

	if len(l.doubtful) >= l.most {
		return false
	}

	l.doubtful[endpointID] = true

	return true
}

func (l *lanes) leave(endpointID string) {
	l.mu.Lock()
	defer l.mu.Unlock()

	delete(l.doubtful, endpointID)
}

// width returns the number of parallel attempts that an endpoint starts with.
func (l *lanes) width(endpointID string) int {
	l.mu.Lock()
	defer l.mu.Unlock()

	if answers, known := l.answers[endpointID]; known && !answers {
		return 1
	}

	return firstWidth
}

// learn returns the width after an attempt.
func (l *lanes) learn(endpointID string, width int, outcome webhook.Outcome) int {
	l.mu.Lock()
	defer l.mu.Unlock()

	l.answers[endpointID] = outcome.Fault != values.AttemptErrorTimeout
	if !l.answers[endpointID] {
		l.doubtful[endpointID] = true

		return 1
	}

	delete(l.doubtful, endpointID)

	return min(width+1, attemptsAtOnce)
}
