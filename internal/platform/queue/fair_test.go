package queue_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/queue"
)

// hall is a fair queue whose jobs last until the test ends them.
type hall struct {
	bundle

	begun chan string

	mu   sync.Mutex
	ends map[string]chan error
}

func openHall(t *testing.T, places int) *hall {
	t.Helper()

	h := &hall{bundle: setup(t), begun: make(chan string, 100), ends: map[string]chan error{}}
	workers := river.NewWorkers()
	river.AddWorker(workers, &worker{work: func(ctx context.Context, job *river.Job[probe]) error {
		h.begun <- job.Args.Name

		select {
		case err := <-h.end(job.Args.Name):
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	}})

	locks := queue.NewLocks(h.db)
	q, err := queue.New(h.db, h.dsn, workers, queue.Config{
		Fair: []string{"fair"}, Grace: time.Millisecond, Locks: locks, Logger: h.logger,
		// It never polls, so a waiting job begins only when a free place is announced.
		Queues: map[string]river.QueueConfig{"fair": {FetchPollInterval: time.Hour, MaxWorkers: places}},
	})
	require.NoError(t, err)

	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))

	ended := make(chan error, 1)
	go func() { ended <- q.Run(ctx) }()

	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-ended)
		require.NoError(t, locks.Close())
	})

	return h
}

func (h *hall) end(name string) chan error {
	h.mu.Lock()
	defer h.mu.Unlock()

	if h.ends[name] == nil {
		h.ends[name] = make(chan error, 1)
	}

	return h.ends[name]
}

// enter inserts jobs named after their workspace: "a1" is of workspace a, "-1" of none.
func (h *hall) enter(t *testing.T, names ...string) []int64 {
	t.Helper()

	params := make([]river.InsertManyParams, len(names))
	for i, name := range names {
		params[i] = river.InsertManyParams{Args: probe{Name: name}, InsertOpts: &river.InsertOpts{Queue: "fair"}}
		if workspace := name[:1]; workspace != "-" {
			params[i].InsertOpts.Metadata = queue.ForWorkspace(workspace)
		}
	}

	inserted, err := h.inserter(t).InsertMany(t.Context(), params)
	require.NoError(t, err)

	ids := make([]int64, len(inserted))
	for i, r := range inserted {
		ids[i] = r.Job.ID
	}

	return ids
}

func (h *hall) awaitBegun(t *testing.T, n int) []string {
	t.Helper()

	var names []string

	for range n {
		select {
		case name := <-h.begun:
			names = append(names, name)
		case <-time.After(patience):
			require.Fail(t, "no further job has begun", "after %v", names)
		}
	}

	return names
}

// nothingBegins checks that no job begins after all announcements were handled.
func (h *hall) nothingBegins(t *testing.T) {
	t.Helper()

	h.enter(t, "-last")
	require.Equal(t, []string{"-last"}, h.awaitBegun(t, 1), "a job without a workspace is fetched like the others, and only it may begin")

	h.end("-last") <- nil
}

func TestFairQueueKeepsHalfOfItsPlacesForOthers(t *testing.T) {
	t.Parallel()

	for places, most := range map[int]int{1: 1, 2: 1, 3: 1, 4: 2, 7: 3} {
		t.Run(fmt.Sprint(places), func(t *testing.T) {
			t.Parallel()

			h := openHall(t, places)

			var crowd []string
			for i := range 20 {
				crowd = append(crowd, fmt.Sprintf("a%02d", i))
			}

			h.enter(t, crowd...)
			require.ElementsMatch(t, crowd[:most], h.awaitBegun(t, most), "the first jobs of the only workspace")

			if places == 1 {
				return // the only place is taken
			}

			h.nothingBegins(t)

			h.enter(t, "b1")
			require.Equal(t, []string{"b1"}, h.awaitBegun(t, 1), "another workspace does not wait")

			h.end(crowd[0]) <- nil

			require.Equal(t, []string{crowd[most]}, h.awaitBegun(t, 1), "a freed place is used immediately")
		})
	}
}

func TestFairQueueServesFewestPlacesFirst(t *testing.T) {
	t.Parallel()

	h := openHall(t, 1)
	h.enter(t, "a1")
	require.Equal(t, []string{"a1"}, h.awaitBegun(t, 1))
	h.enter(t, "a2", "a3", "b1", "c1", "b2")

	var order []string
	for last := "a1"; len(order) < 5; {
		h.end(last) <- nil

		last = h.awaitBegun(t, 1)[0]
		order = append(order, last)
	}
	// Whether a2 comes before b1 depends on whether the end of a1 is already recorded when River fetches.
	require.ElementsMatch(t, []string{"a2", "b1", "c1"}, order[:3], "no workspace gets a second turn before each had a first")
	require.Less(t, slices.Index(order, "b1"), slices.Index(order, "c1"))
	require.ElementsMatch(t, []string{"a3", "b2"}, order[3:])
}

func TestFairQueueDoesNotBoundTheServersOwnJobs(t *testing.T) {
	t.Parallel()

	h := openHall(t, 4)
	h.enter(t, "-1", "-2", "-3", "-4", "-5")
	began := h.awaitBegun(t, 4)
	slices.Sort(began)
	require.Equal(t, []string{"-1", "-2", "-3", "-4"}, began)
}

func TestOthersReportsWaitingWorkspace(t *testing.T) {
	t.Parallel()

	h := openHall(t, 4)
	ids := h.enter(t, "a1", "a2", "b1")
	h.awaitBegun(t, 3)

	others := func(i int) bool {
		job, err := h.inserter(t).JobGet(t.Context(), ids[i])
		require.NoError(t, err)
		require.Equal(t, rivertype.JobStateRunning, job.State)
		wait, err := queue.Others(t.Context(), h.db, job)
		require.NoError(t, err)

		return wait
	}
	require.False(t, others(0), "no job waits")
	h.enter(t, "a3")
	require.False(t, others(0), "only its own workspace waits")

	// All four places are taken, so the jobs of c wait.
	h.enter(t, "b2")
	require.Equal(t, []string{"b2"}, h.awaitBegun(t, 1))
	ids = append(ids, h.enter(t, "c1")...)
	require.True(t, others(0), "c holds nothing, a two places")
	require.True(t, others(2), "b also has two places")

	_, err := h.db.ExecContext(t.Context(), "UPDATE river_job SET priority = 2 WHERE id = $1", ids[3])
	require.NoError(t, err)
	require.False(t, others(0), "a job behind others counts for nothing")
	_, err = h.db.ExecContext(t.Context(), "UPDATE river_job SET priority = 1, scheduled_at = now() + interval '1 minute' WHERE id = $1", ids[3])
	require.NoError(t, err)
	require.False(t, others(0), "a job scheduled for later does not wait yet")
}

// Jobs are chosen by our own SQL; what it records equals what River records.
func TestFairQueueBeginsJobsAsRiverDoes(t *testing.T) {
	t.Parallel()

	b := setup(t)

	tried := make([]string, 100)
	for i := range tried {
		tried[i] = fmt.Sprintf("client-%d", i)
	}

	for _, attempted := range []string{"NULL", "'{}'", "'{client-0}'", "'{" + strings.Join(tried[:99], ",") + "}'", "'{" + strings.Join(tried, ",") + "}'"} {
		var rows []rivertype.JobRow

		for _, name := range []string{"plain", "fair"} {
			inserted, err := b.inserter(t).Insert(t.Context(), probe{Name: "x"}, &river.InsertOpts{Queue: name, Metadata: queue.ForWorkspace("w")})
			require.NoError(t, err)
			_, err = b.db.ExecContext(t.Context(), "UPDATE river_job SET attempted_by = "+attempted+", attempt = 3 WHERE id = $1", inserted.Job.ID)
			require.NoError(t, err)
			begun, err := queue.Take(t.Context(), b.db, name, "me", 100)
			require.NoError(t, err)
			require.Len(t, begun, 1)
			row := *begun[0]
			require.WithinDuration(t, time.Now(), *row.AttemptedAt, time.Minute)
			row.ID, row.Queue, row.AttemptedAt, row.CreatedAt, row.ScheduledAt = 0, "", nil, time.Time{}, time.Time{}
			rows = append(rows, row)
		}

		require.Equal(t, rows[0], rows[1], "attempted by %s", attempted)
	}
}
