package idempotency

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// turns keep one user from holding all connections that requests with a key need.
type turns struct {
	each int

	mu     sync.Mutex
	byUser map[string]*turn
}

// turn is one user's.
type turn struct {
	places chan struct{}
	users  int // who hold it or wait for it
}

// errTurns is the cause of a request that was not executed because its user's others took too long.
var errTurns = errors.New("idempotency: the user has too many requests with a key at once")

// await returns when the user has a place; the caller gives it back. When none comes in time, the error is
// fault.Unavailable.
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
