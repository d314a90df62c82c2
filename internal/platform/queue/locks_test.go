package queue_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/queue"
)

func locksOf(t *testing.T, b bundle) *queue.Locks {
	t.Helper()

	locks := queue.NewLocks(b.db)

	t.Cleanup(func() { require.NoError(t, locks.Close()) })

	return locks
}

// fill takes slots until none is free.
func fill(t *testing.T, locks *queue.Locks, name string, places int) []func() {
	t.Helper()

	var releases []func()

	for {
		release, taken, err := locks.TrySlot(t.Context(), name, places)
		require.NoError(t, err)

		if !taken {
			return releases
		}

		releases = append(releases, release)
	}
}

func TestSlotsAreSharedByAllProcesses(t *testing.T) {
	t.Parallel()

	b := setup(t)
	one, other := locksOf(t, b), locksOf(t, b)

	release, taken, err := one.TrySlot(t.Context(), "ep_1", 8)
	require.NoError(t, err)
	require.True(t, taken)
	rest := fill(t, other, "ep_1", 8)
	require.Len(t, rest, 7)
	require.Empty(t, fill(t, one, "ep_1", 8))
	require.Len(t, fill(t, one, "ep_2", 8), 8, "another name has its own slots")

	release()
	release() // the second call does nothing
	require.Len(t, fill(t, other, "ep_1", 8), 1)
	rest[3]()
	require.Len(t, fill(t, one, "ep_1", 8), 1)
}

func TestSlotsOfADeadConnectionAreFree(t *testing.T) {
	t.Parallel()

	b := setup(t)
	one, other := locksOf(t, b), locksOf(t, b)
	lost := fill(t, one, "ep_1", 3)
	require.Len(t, lost, 3)

	_, err := b.db.ExecContext(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		_, taken, err := other.TrySlot(t.Context(), "ep_1", 3)

		return err == nil && taken
	}, patience, time.Millisecond)
	require.Len(t, fill(t, other, "ep_1", 3), 2)

	_, _, err = one.TrySlot(t.Context(), "ep_2", 3)
	require.Error(t, err, "the first request notices that the connection is gone")

	for _, release := range lost {
		release() // of the lost connection: frees no slot of others
	}

	require.Empty(t, fill(t, one, "ep_1", 3))
}

func TestCanceledCallerTakesNoSlotAndFreesNone(t *testing.T) {
	t.Parallel()

	b := setup(t)
	one, other := locksOf(t, b), locksOf(t, b)
	require.Len(t, fill(t, one, "ep_1", 2), 2)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()

	_, _, err := one.TrySlot(ctx, "ep_2", 2)
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, fill(t, other, "ep_1", 2))
}

// Requests that come while the connection is busy share the next query: no place is given twice.
func TestSlotsUnderConcurrency(t *testing.T) {
	t.Parallel()

	const places, names, rounds = 3, 5, 40

	b := setup(t)
	processes := []*queue.Locks{locksOf(t, b), locksOf(t, b)}

	var (
		held [names]atomic.Int64
		most [names]atomic.Int64
		all  sync.WaitGroup
	)
	for worker := range 40 {
		all.Go(func() {
			for round := range rounds {
				at := (worker + round) % names

				release, taken, err := processes[worker%2].TrySlot(t.Context(), fmt.Sprint("ep", at), places)
				if err != nil {
					t.Error(err)

					return
				}

				if !taken {
					continue
				}

				now := held[at].Add(1)
				for high := most[at].Load(); now > high && !most[at].CompareAndSwap(high, now); high = most[at].Load() {
				}

				runtime.Gosched()
				held[at].Add(-1)
				release()
			}
		})
	}

	all.Wait()

	for at := range names {
		require.LessOrEqual(t, most[at].Load(), int64(places))
		require.Len(t, fill(t, processes[0], fmt.Sprint("ep", at), places), places, "all are free again")
	}
}

func TestTryAllTakesAllOrNone(t *testing.T) {
	t.Parallel()

	b := setup(t)
	one, other := locksOf(t, b), locksOf(t, b)

	release, taken, err := one.TryAll(t.Context(), "ep_1", 8)
	require.NoError(t, err)
	require.True(t, taken)

	for _, locks := range []*queue.Locks{one, other} {
		_, again, err := locks.TryAll(t.Context(), "ep_1", 8)
		require.NoError(t, err)
		require.False(t, again)
		require.Empty(t, fill(t, locks, "ep_1", 8))
	}

	idle, err := other.Idle(t.Context(), []string{"ep_1", "ep_2"}, 8)
	require.NoError(t, err)
	require.Equal(t, []string{"ep_2"}, idle)
	release()

	leave, taken, err := one.TrySlot(t.Context(), "ep_1", 8)
	require.NoError(t, err)
	require.True(t, taken)
	_, taken, err = other.TryAll(t.Context(), "ep_1", 8)
	require.NoError(t, err)
	require.False(t, taken, "one is held")
	require.Len(t, fill(t, one, "ep_1", 8), 7, "the others were released")
	leave()
}

func TestKeepLockOfAnotherProcess(t *testing.T) {
	t.Parallel()

	b := setup(t)

	one, other := locksOf(t, b), locksOf(t, b)
	for range 2 {
		mine, err := one.Keep(t.Context(), "the look")
		require.NoError(t, err)
		require.True(t, mine)
		mine, err = other.Keep(t.Context(), "the look")
		require.NoError(t, err)
		require.False(t, mine)
	}

	require.NoError(t, one.Close())
	mine, err := other.Keep(t.Context(), "the look")
	require.NoError(t, err)
	require.True(t, mine)
}
