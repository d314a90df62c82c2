package chaos

import (
	"fmt"
	"sync"
)

// A call is one write that the workload asks for, under a key of its own.
type call struct {
	key    string // its Idempotency-Key, and the name of what it makes
	kind   kind
	method string
	path   string
	body   string

	answer string // the body of its 200; empty while nobody knows what became of it
}

// A kind says what a call does, and so what must be there afterwards.
type kind string

const (
	makesTag      kind = "tag"
	makesPlaylist kind = "playlist"       // with an event
	makesByGraph  kind = "graph playlist" // with an event, in a GraphQL mutation
	edits         kind = "edit"           // moves the revision of a video by one
	adds          kind = "added video"    // to a playlist of its own, with an event
	rollsBack     kind = "rolled back"    // makes a playlist and then fails: nothing of it may be seen
)

// A ledger knows what was asked for and what was acknowledged.
type ledger struct {
	mu      sync.Mutex
	count   int
	open    map[string]*call // asked for, and not answered yet
	done    []*call          // acknowledged
	undone  []*call          // those that roll back
	faults  []string         // promises that were not kept
	answers map[int]int      // by status; 0 is a connection that broke
	given   map[string]bool  // the playlists that a video is added to
}

func newLedger() *ledger {
	return &ledger{open: map[string]*call{}, answers: map[int]int{}, given: map[string]bool{}}
}

// begin enters a call before it is made.
func (l *ledger) begin(c *call) {
	l.mu.Lock()
	defer l.mu.Unlock()

	l.open[c.key] = c
	if c.kind == rollsBack {
		l.undone = append(l.undone, c)
	}
}

// number is unique within the ledger.
func (l *ledger) number() int {
	l.mu.Lock()
	defer l.mu.Unlock()

	l.count++

	return l.count
}

// acknowledge enters the answer of a call. One that was answered before must be answered alike.
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

// forget takes a call out whose outcome says nothing, because it must leave nothing.
func (l *ledger) forget(c *call) {
	l.mu.Lock()
	defer l.mu.Unlock()

	delete(l.open, c.key)
}

// unknown are the calls of which nobody knows what became.
func (l *ledger) unknown() []*call {
	l.mu.Lock()
	defer l.mu.Unlock()

	all := make([]*call, 0, len(l.open))
	for _, c := range l.open {
		all = append(all, c)
	}

	return all
}

// acknowledged are the answered calls of some kinds.
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

// brokenf enters a promise that was not kept.
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

// statuses are how many answers there were of each status since they were last asked for.
func (l *ledger) statuses() map[int]int {
	l.mu.Lock()
	defer l.mu.Unlock()

	all := l.answers
	l.answers = map[int]int{}

	return all
}

// verdict is an error that names the promises which were not kept; nil when all were.
func (l *ledger) verdict() error {
	l.mu.Lock()
	defer l.mu.Unlock()

	if len(l.faults) == 0 {
		return nil
	}

	return fmt.Errorf("%d promises were not kept; the first: %s", len(l.faults), l.faults[0])
}
