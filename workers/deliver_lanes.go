package workers

import (
	"sync"

	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/webhook"
)

// firstWidth is how many attempts at once an endpoint gets that has shown nothing yet.
const firstWidth = 2

// lanes bound how much of this process an endpoint may hold at a time. An endpoint that
// answers gets more and more, up to attemptsAtOnce; one that lets an attempt run into its
// time limit gets a single one. So an endpoint that hangs keeps hardly anything from others.
// That several processes keep lanes of their own only makes them cautious on their own.
type lanes struct {
	mu         sync.Mutex
	byEndpoint map[string]*lane
}

type lane struct{ running, width int }

func newLanes() *lanes { return &lanes{byEndpoint: map[string]*lane{}} }

// enter takes a place, if there is one.
func (l *lanes) enter(endpointID string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()

	found, known := l.byEndpoint[endpointID]
	if !known {
		found = &lane{width: firstWidth}
		l.byEndpoint[endpointID] = found
	}
	if found.running >= found.width {
		return false
	}
	found.running++
	return true
}

// leave gives the place back and answers how many are free. An outcome without a duration
// teaches nothing. Endpoints at rest that do not hang are forgotten.
func (l *lanes) leave(endpointID string, outcome webhook.Outcome) int {
	l.mu.Lock()
	defer l.mu.Unlock()

	found := l.byEndpoint[endpointID]
	found.running--
	switch {
	case outcome.Fault == domain.AttemptErrorTimeout:
		found.width = 1
	case outcome.Duration > 0:
		found.width = min(2*found.width, attemptsAtOnce)
	}
	if found.running == 0 && found.width >= firstWidth {
		delete(l.byEndpoint, endpointID)
	}
	return found.width - found.running
}
