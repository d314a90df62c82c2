package workers

import (
	"sync"

	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/webhook"
)

// firstWidth is how many attempts at once an endpoint gets that has shown nothing yet.
const firstWidth = 2

// lanes say how many attempts at once an endpoint gets. One that answers gets more and more, up to
// attemptsAtOnce; one that lets an attempt run into its time limit gets a single one until it answers
// again, which this process remembers.
type lanes struct {
	mu    sync.Mutex
	hangs map[string]bool
}

func newLanes() *lanes { return &lanes{hangs: map[string]bool{}} }

// width is that of an endpoint to begin with.
func (l *lanes) width(endpointID string) int {
	l.mu.Lock()
	defer l.mu.Unlock()

	if l.hangs[endpointID] {
		return 1
	}
	return firstWidth
}

// learn is the width after an attempt.
func (l *lanes) learn(endpointID string, width int, outcome webhook.Outcome) int {
	l.mu.Lock()
	defer l.mu.Unlock()

	if outcome.Fault == domain.AttemptErrorTimeout {
		l.hangs[endpointID] = true
		return 1
	}
	delete(l.hangs, endpointID)
	return min(width+1, attemptsAtOnce)
}
