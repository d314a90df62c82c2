// Package coalesce lets requests that wait for the same kind of answer share one asking.
package coalesce

import (
	"errors"
	"runtime"
	"sync"
)

// Rounds lets the requests that arrive while an asking under their key is on its way share the next one.
// However many wait, whoever is asked hears from this process once at a time for each key, and never
// before the last of those who share has arrived: nobody gets an answer that was older than its question.
// The zero value is ready.
type Rounds[I, T any] struct {
	mu sync.Mutex
	// next holds the keys that are being asked under, with the round that collects; nil is none yet.
	next map[string]*round[I, T]
}

// round is one asking and those who share it.
type round[I, T any] struct {
	items []I           // what they want; final once it has begun
	turn  chan struct{} // closed when the first of them may ask
	done  chan struct{} // closed when the answer is there
	got   T
	err   error
}

// ErrLost is what the others of a round get when the one who led it did not come back.
var ErrLost = errors.New("the request that asked for this one broke down")

// Join takes part in the next asking under a key with one item. It returns the answer, and the items of
// those who arrived before in the same round. ask is called by the first of a round with all its items,
// and must end by itself: the others wait for it.
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
		<-mine.done // bounded by two askings

		return mine.items[:place], mine.got, mine.err
	}

	if busy {
		<-mine.turn
	}

	// Whoever is ready to run joins first. That takes no time where nobody is, and where many are it makes
	// rounds larger and askings fewer.
	runtime.Gosched()
	r.begin(key)

	defer r.release(key)
	defer close(mine.done)

	mine.got, mine.err = ask(mine.items)

	return nil, mine.got, mine.err
}

// begin ends the collecting of the round that is about to ask: who comes now is of the next.
func (r *Rounds[I, T]) begin(key string) {
	r.mu.Lock()
	defer r.mu.Unlock()

	r.next[key] = nil
}

// release lets the round that has collected meanwhile go.
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
