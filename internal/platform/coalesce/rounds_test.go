package coalesce

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// collected waits until n requests wait for the next call under the key.
func (r *Rounds[I, T]) collected(t *testing.T, key string, n int) {
	t.Helper()

	require.Eventually(t, func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()

		next := r.next[key]

		return next != nil && len(next.items) == n
	}, 10*time.Second, time.Millisecond)
}

func TestWaitingRequestsShareOneCall(t *testing.T) {
	t.Parallel()

	var (
		r      = &Rounds[int, int]{}
		sent   = make(chan int)
		answer = make(chan error)
		places = make(chan int, 10)
		failed = make(chan error, 10)
		all    sync.WaitGroup
	)

	ask := func(caller string) {
		all.Go(func() {
			before, got, err := r.Join(caller, 1, func(items []int) (int, error) {
				sent <- len(items)

				return len(items), <-answer
			})

			places <- len(before)

			failed <- err

			if err == nil {
				require.Less(t, len(before), got)
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
	require.Equal(t, 1, <-sent, "another key does not wait")

	answer <- nil

	answer <- nil

	require.Equal(t, 5, <-sent)
	ask("a")
	r.collected(t, "a", 1)

	answer <- errors.New("gone") // fails all five

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

func TestPanicFailsTheRound(t *testing.T) {
	t.Parallel()

	r := &Rounds[int, int]{}
	began, first, second := make(chan struct{}), make(chan struct{}), make(chan error)

	go func() {
		_, _, _ = r.Join("a", 1, func([]int) (int, error) {
			close(began)
			<-first

			return 0, nil
		})
	}()

	<-began

	go func() {
		defer func() { _ = recover() }()

		_, _, _ = r.Join("a", 1, func([]int) (int, error) { panic("out of everything") })
	}()

	r.collected(t, "a", 1)

	go func() {
		_, _, err := r.Join("a", 1, func([]int) (int, error) { return 0, nil })
		second <- err
	}()

	r.collected(t, "a", 2)
	close(first)
	require.ErrorIs(t, <-second, ErrLost)
}

// Requests that are runnable when the first one would call share its call, however quick it is.
func TestRunnableRequestsShareTheFirstCall(t *testing.T) {
	t.Parallel()

	const callers = 100

	var (
		r       = &Rounds[int, int]{}
		askings atomic.Int64
		ready   sync.WaitGroup
		all     sync.WaitGroup
		start   = make(chan struct{})
	)

	ready.Add(callers)

	for range callers {
		all.Go(func() {
			ready.Done()
			<-start

			_, _, _ = r.Join("a", 1, func([]int) (int, error) {
				askings.Add(1)

				return 0, nil
			})
		})
	}

	ready.Wait()
	close(start)
	all.Wait()

	require.Less(t, askings.Load(), int64(callers/2))
}
