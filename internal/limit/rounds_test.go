package limit

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// collected waits until that many requests share the caller's next statement.
func (r *rounds[T]) collected(t *testing.T, caller string, n int) {
	t.Helper()

	require.Eventually(t, func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()

		next := r.next[caller]

		return next != nil && next.total == n
	}, 10*time.Second, time.Millisecond)
}

func TestRequestsThatWaitShareAStatement(t *testing.T) {
	t.Parallel()

	var (
		r      = newRounds[admission]()
		sent   = make(chan int)
		answer = make(chan error)
		places = make(chan int, 10)
		failed = make(chan error, 10)
		all    sync.WaitGroup
	)

	ask := func(caller string) {
		all.Go(func() {
			place, got, err := r.join(caller, 1, func(n int) (admission, error) {
				sent <- n

				return admission{used: n}, <-answer
			})

			places <- place
			failed <- err

			if err == nil {
				require.Less(t, place, got.used)
			}
		})
	}

	ask("a")
	require.Equal(t, 1, <-sent)

	for n := range 5 {
		ask("a")
		r.collected(t, "a", n+1)
	}

	ask("b")
	require.Equal(t, 1, <-sent, "another caller waits for nobody")
	answer <- nil
	answer <- nil

	require.Equal(t, 5, <-sent)
	ask("a")
	r.collected(t, "a", 1)

	answer <- errors.New("gone") // all five

	require.Equal(t, 1, <-sent)
	answer <- nil

	all.Wait()

	count := map[int]int{}
	for range 8 {
		count[<-places]++
	}

	require.Equal(t, map[int]int{0: 4, 1: 1, 2: 1, 3: 1, 4: 1}, count)

	bad := 0

	for range 8 {
		if <-failed != nil {
			bad++
		}
	}

	require.Equal(t, 5, bad)
	require.Empty(t, r.next)
}

func TestABrokenLeaderIsNobodysAdmission(t *testing.T) {
	t.Parallel()

	r := newRounds[admission]()
	first, second := make(chan struct{}), make(chan error)

	go func() {
		_, _, _ = r.join("a", 1, func(int) (admission, error) { <-first; return admission{}, nil })
	}()

	require.Eventually(t, func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()

		_, busy := r.next["a"]

		return busy
	}, 10*time.Second, time.Millisecond)

	go func() {
		defer func() { _ = recover() }()

		_, _, _ = r.join("a", 1, func(int) (admission, error) { panic("out of everything") })
	}()

	r.collected(t, "a", 1)

	go func() {
		_, _, err := r.join("a", 1, func(int) (admission, error) { return admission{}, nil })
		second <- err
	}()

	r.collected(t, "a", 2)
	close(first)
	require.ErrorIs(t, <-second, errLost)
}
