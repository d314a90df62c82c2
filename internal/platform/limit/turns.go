package limit

import (
	"context"
	"sync"
)

// turns lets only one request of each caller be counted at a time. Otherwise the requests of a caller would wait for
// the same row in Postgres, and each would hold a connection that other callers need. The zero value is ready for use.
type turns struct {
	mu  sync.Mutex
	all map[string]*turn
}

// turn is the lock of one caller.
type turn struct {
	taken chan struct{} // full while the lock is held
	users int           // requests that hold the lock or wait for it
}

// take waits for the caller's turn and returns the function that ends it. It fails if the context ends first.
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

		return nil, ctx.Err() //nolint:wrapcheck // the callers wrap it
	}
}
