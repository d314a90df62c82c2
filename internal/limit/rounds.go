package limit

import (
	"errors"
	"sync"
)

// rounds lets the requests of one caller that arrive while a statement of that caller is on its way share
// the next one. However many wait, the database sees one statement at a time from this process, begun
// after the last of them had arrived, and the counter's row is not fought over.
type rounds struct {
	mu sync.Mutex
	// next holds who has a statement on its way, with the round that collects behind it; nil is none yet.
	next map[string]*round
}

// round is one statement and those who share it.
type round struct {
	size int           // final once turn is closed
	turn chan struct{} // closed when the first of them may send it
	done chan struct{} // closed when its result is there
	got  admission
	err  error
}

func newRounds() *rounds { return &rounds{next: map[string]*round{}} }

// errLost is what the others of a round get when the one who led it did not come back.
var errLost = errors.New("the request that counted for this one broke down")

// join takes part in the caller's next statement and returns its result and this request's place in it,
// from 0. count sends it for n requests.
func (r *rounds) join(caller string, count func(n int) (admission, error)) (place int, got admission, err error) {
	r.mu.Lock()

	mine, busy := r.next[caller]

	if !busy {
		r.next[caller] = nil
		r.mu.Unlock()

		defer r.release(caller)

		got, err = count(1)

		return 0, got, err
	}

	if mine == nil {
		mine = &round{turn: make(chan struct{}), done: make(chan struct{}), err: errLost}
		r.next[caller] = mine
	}

	place = mine.size
	mine.size++
	r.mu.Unlock()

	if place > 0 {
		<-mine.done // bounded by the timeout of two statements

		return place, mine.got, mine.err
	}

	<-mine.turn

	defer r.release(caller)
	defer close(mine.done)

	mine.got, mine.err = count(mine.size)

	return 0, mine.got, mine.err
}

// release lets the round that has collected meanwhile go.
func (r *rounds) release(caller string) {
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
