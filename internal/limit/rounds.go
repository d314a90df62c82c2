package limit

import (
	"errors"
	"sync"
)

// rounds lets the requests of one caller that arrive while a statement of that caller is on its way share
// the next one. However many wait, the database sees one statement at a time from this process, begun
// after the last of them had arrived, and the counter's row is not fought over.
type rounds[T any] struct {
	mu sync.Mutex
	// next holds who has a statement on its way, with the round that collects behind it; nil is none yet.
	next map[string]*round[T]
}

// round is one statement and those who share it.
type round[T any] struct {
	total int           // of what they want counted; final once turn is closed
	turn  chan struct{} // closed when the first of them may send it
	done  chan struct{} // closed when its result is there
	got   T
	err   error
}

func newRounds[T any]() *rounds[T] { return &rounds[T]{next: map[string]*round[T]{}} }

// errLost is what the others of a round get when the one who led it did not come back.
var errLost = errors.New("the request that counted for this one broke down")

// join takes part in the caller's next statement with n, which is above 0. It returns the statement's result
// and what those before this request have in it. count sends it for a total.
func (r *rounds[T]) join(caller string, n int, count func(total int) (T, error)) (before int, got T, err error) {
	r.mu.Lock()

	mine, busy := r.next[caller]

	if !busy {
		r.next[caller] = nil
		r.mu.Unlock()

		defer r.release(caller)

		got, err = count(n)

		return 0, got, err
	}

	if mine == nil {
		mine = &round[T]{turn: make(chan struct{}), done: make(chan struct{}), err: errLost}
		r.next[caller] = mine
	}

	before = mine.total
	mine.total += n
	r.mu.Unlock()

	if before > 0 {
		<-mine.done // bounded by the timeout of two statements

		return before, mine.got, mine.err
	}

	<-mine.turn

	defer r.release(caller)
	defer close(mine.done)

	mine.got, mine.err = count(mine.total)

	return 0, mine.got, mine.err
}

// release lets the round that has collected meanwhile go.
func (r *rounds[T]) release(caller string) {
	r.mu.Lock()
	defer r.mu.Unlock()

	mine := r.next[caller]
	if mine == nil {
		delete(r.next, caller)

		return
	}

	r.next[caller] = nil

	close(mine.turn)
}
