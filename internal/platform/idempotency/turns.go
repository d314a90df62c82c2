package idempotency

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// turns keeps one user from using all connections for requests with a key.
type turns struct {
	each int

	mu     sync.Mutex
	byUser map[string]*turn
}

// turn counts the requests of one user.
type turn struct {
	places chan struct{}
	users  int // requests that hold a place or wait for it
}

// errTurns is the cause when a request is not executed because the user's other requests took too long.
var errTurns = errors.New("idempotency: the user has too many concurrent requests with a key")

// await waits until the user may run another request with a key. The caller must release this place. If the wait takes
// too long, await returns fault.Unavailable.
func (t *turns) await(ctx context.Context, userID string) (done func(), err error) {
	if t.each == 0 {
		return func() {}, nil
	}

	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()

	own := t.of(userID)

	select {
	case own.places <- struct{}{}:
		return func() {
			<-own.places
			t.leave(userID, own)
		}, nil
	case <-ctx.Done():
		t.leave(userID, own)

		return nil, fault.Unavailable(time.Second).Because(errTurns)
	}
}

func (t *turns) of(userID string) *turn {
	t.mu.Lock()
	defer t.mu.Unlock()

	own, known := t.byUser[userID]
	if !known {
		own = &turn{places: make(chan struct{}, t.each)}
		t.byUser[userID] = own
	}

	own.users++

	return own
}

func (t *turns) leave(userID string, own *turn) {
	t.mu.Lock()
	defer t.mu.Unlock()

	if own.users--; own.users == 0 {
		delete(t.byUser, userID)
	}
}
