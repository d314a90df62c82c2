// Package coalesce lets concurrent requests of one kind share one call. Start reading at Rounds.Join.
package coalesce

import (
	"errors"
	"runtime"
	"sync"
)

// Rounds combines requests that have the same key into shared calls. While a call for a key runs, later requests with
// this key wait. The next call serves all of them. So this process runs at most one call for a key at a time, and no
// request gets a result that was computed before it arrived. The zero value is ready for use.
type Rounds[I, T any] struct {
	mu sync.Mutex
	// next has an entry for each key for which a call is running. The entry is the round that collects requests for
	// the next call, or nil if none has arrived.
	next map[string]*round[I, T]
}

// round is one call and the requests that share it.
type round[I, T any] struct {
	items []I           // one per request; final once the call has begun
	turn  chan struct{} // closed when the first request of the round may call
	done  chan struct{} // closed when the result is there
	got   T
	err   error
}

// ErrLost means that the request that made a shared call panicked. The other requests that share the call get this
// error.
var ErrLost = errors.New("the request that made the shared call panicked")

// Join adds item to the next call for key, waits for that call and returns its result. before holds the items that
// other requests added to the same call earlier. The request that added the first item calls ask with all items. ask
// must always return, because the other requests wait for it without a timeout.
func (r *Rounds[I, T]) Join(key string, item I, ask func(items []I) (T, error)) (before []I, got T, err error) {
	r.mu.Lock()

	mine, busy := r.next[key]

	if mine == nil {
		if r.next == nil {
			r.next = map[string]*round[I, T]{}
		}

		mine = &round[I, T]{turn: make(chan struct{}), done: make(chan struct{}), err: ErrLost}
		r.next[key] = mine
	}

	place := len(mine.items)
	mine.items = append(mine.items, item)
	r.mu.Unlock()

	if place > 0 {
		<-mine.done // takes at most two calls

		return mine.items[:place], mine.got, mine.err
	}

	if busy {
		<-mine.turn
	}

	// Let runnable goroutines join first. This is free when there are none, and makes rounds larger when there are
	// many.
	runtime.Gosched()
	r.begin(key)

	defer r.release(key)
	defer close(mine.done)

	mine.got, mine.err = ask(mine.items)

	return nil, mine.got, mine.err
}

// begin closes the current round. Later requests join the next round.
func (r *Rounds[I, T]) begin(key string) {
	r.mu.Lock()
	defer r.mu.Unlock()

	r.next[key] = nil
}

// release starts the next round if requests have arrived for it.
func (r *Rounds[I, T]) release(key string) {
	r.mu.Lock()
	defer r.mu.Unlock()

	mine := r.next[key]
	if mine == nil {
		delete(r.next, key)

		return
	}

	close(mine.turn)
}
