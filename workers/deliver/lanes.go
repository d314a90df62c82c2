package deliver

import (
	"sync"

	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook"
)

// firstWidth is how many attempts at once an endpoint gets that has shown nothing yet.
const firstWidth = 2

// lanes say how many attempts at once an endpoint gets, and how many endpoints may be waited for. One that
// answers gets more and more, up to attemptsAtOnce; one that lets an attempt run into its time limit gets a
// single one until it answers again. Those that hang, or have not shown anything yet, never hold more than
// half of the runs of this process, which remembers who has answered.
type lanes struct {
	most int // doubtful endpoints that are attended to at once

	mu       sync.Mutex
	answers  map[string]bool // what became of the last attempt; absent is that there was none
	doubtful map[string]bool // those of them that are attended to
}

func newLanes(places int) *lanes {
	return &lanes{most: max(1, places/2), answers: map[string]bool{}, doubtful: map[string]bool{}}
}

// enter says whether the endpoint may be attended to now. Who was let in must leave.
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

// width is that of an endpoint to begin with.
func (l *lanes) width(endpointID string) int {
	l.mu.Lock()
	defer l.mu.Unlock()

	if answers, known := l.answers[endpointID]; known && !answers {
		return 1
	}
	return firstWidth
}

// learn is the width after an attempt.
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
