package chaos

import (
	"fmt"
	"sync"
)

// A call is one write of the workload, under its own key.
type call struct {
	key    string // its Idempotency-Key and the name of what it creates
	kind   kind
	method string
	path   string
	body   string

	answer string // the body of its 200; empty while its outcome is unknown
}

// A kind says what a call does, and so what must be stored afterwards.
type kind string

const (
	makesTag      kind = "tag"
	makesPlaylist kind = "playlist"       // with an event
	makesByGraph  kind = "graph playlist" // with an event, in a GraphQL mutation
	edits         kind = "edit"           // moves the revision of a video by one
	adds          kind = "added video"    // to its own playlist, with an event
	rollsBack     kind = "rolled back"    // creates a playlist and then fails; nothing may remain
)

// A ledger records the calls that were sent and those that were acknowledged.
type ledger struct {
	mu      sync.Mutex
	count   int
	open    map[string]*call // sent and not answered yet
	done    []*call          // acknowledged
	undone  []*call          // those that roll back
	faults  []string         // broken promises
	answers map[int]int      // by status; 0 is a connection that broke
	given   map[string]bool  // playlists that a video was added to
}

func newLedger() *ledger {
	return &ledger{open: map[string]*call{}, answers: map[int]int{}, given: map[string]bool{}}
}

// begin records a call before it is sent.
func (l *ledger) begin(c *call) {
	l.mu.Lock()
	defer l.mu.Unlock()

	l.open[c.key] = c
	if c.kind == rollsBack {
		l.undone = append(l.undone, c)
	}
}

// number returns a number that is unique within the ledger.
func (l *ledger) number() int {
	l.mu.Lock()
	defer l.mu.Unlock()

	l.count++

	return l.count
}

// acknowledge records the answer to a call. A repeat must get the same answer.
func (l *ledger) acknowledge(c *call, answer string) {
	l.mu.Lock()
	defer l.mu.Unlock()

	switch {
	case c.answer == "":
		c.answer = answer
		delete(l.open, c.key)
		l.done = append(l.done, c)
	case c.answer != answer:
		l.faults = append(l.faults, fmt.Sprintf("%s was answered %.200s, and then %.200s", c.key, c.answer, answer))
	}
}

// forget removes a call that must leave nothing behind, so its outcome does not matter.
func (l *ledger) forget(c *call) {
	l.mu.Lock()
	defer l.mu.Unlock()

	delete(l.open, c.key)
}

// unknown returns the calls whose outcome is unknown.
func (l *ledger) unknown() []*call {
	l.mu.Lock()
	defer l.mu.Unlock()

	all := make([]*call, 0, len(l.open))
	for _, c := range l.open {
		all = append(all, c)
	}

	return all
}

// acknowledged returns the acknowledged calls of the given kinds.
func (l *ledger) acknowledged(kinds ...kind) []*call {
	l.mu.Lock()
	defer l.mu.Unlock()

	var all []*call

	for _, c := range l.done {
		for _, k := range kinds {
			if c.kind == k {
				all = append(all, c)
			}
		}
	}

	return all
}

// brokenf records a broken promise.
func (l *ledger) brokenf(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()

	l.faults = append(l.faults, fmt.Sprintf(format, args...))
}

// answered counts an answer.
func (l *ledger) answered(status int) {
	l.mu.Lock()
	defer l.mu.Unlock()

	l.answers[status]++
}

// statuses returns the number of answers of each status since the last call of statuses.
func (l *ledger) statuses() map[int]int {
	l.mu.Lock()
	defer l.mu.Unlock()

	all := l.answers
	l.answers = map[int]int{}

	return all
}

// verdict returns an error that names the first broken promise, or nil if there is none.
func (l *ledger) verdict() error {
	l.mu.Lock()
	defer l.mu.Unlock()

	if len(l.faults) == 0 {
		return nil
	}

	return fmt.Errorf("%d promises were broken; the first: %s", len(l.faults), l.faults[0])
}
