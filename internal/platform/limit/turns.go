package limit

import (
	"context"
	"sync"
)

// turns lets the requests of one caller be counted one after the other. In Postgres they would wait for the same row, each
// with a connection that the requests of others need. The zero value is ready.
type turns struct {
	mu  sync.Mutex
	all map[string]*turn
}

// turn is whose turn it is of one caller.
type turn struct {
	taken chan struct{} // holds one value while somebody has it
	users int           // who have it or wait for it
}

// take waits for the caller's turn, and returns how to end it. It fails when the context ends first.
func (t *turns) take(ctx context.Context, caller string) (end func(), err error) {
	t.mu.Lock()

	if t.all == nil {
		t.all = map[string]*turn{}
	}

	mine := t.all[caller]
	if mine == nil {
		mine = &turn{taken: make(chan struct{}, 1)}
		t.all[caller] = mine
	}

	mine.users++
	t.mu.Unlock()

	leave := func() {
		t.mu.Lock()
		defer t.mu.Unlock()

		if mine.users--; mine.users == 0 {
			delete(t.all, caller)
		}
	}

	select {
	case mine.taken <- struct{}{}:
		return func() {
			<-mine.taken
			leave()
		}, nil
	case <-ctx.Done():
		leave()

		return nil, ctx.Err() //nolint:wrapcheck // the caller says for what it waited
	}
}
