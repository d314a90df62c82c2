package queue_test

import (
	"testing"
	"time"

	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/queue"
)

// orphan inserts a job that the named process is recorded to run.
func (b bundle) orphan(t *testing.T, runner string, attempt int, metadata string) int64 {
	t.Helper()

	inserted, err := b.inserter(t).Insert(t.Context(), probe{}, nil)
	require.NoError(t, err)
	_, err = b.db.ExecContext(t.Context(), `UPDATE river_job SET state = 'running', attempt = $2, max_attempts = 3,
		attempted_at = now(), attempted_by = ARRAY['before', $3], metadata = $4 WHERE id = $1`, inserted.Job.ID, attempt, runner, metadata)
	require.NoError(t, err)

	return inserted.Job.ID
}

func TestRescueFreesJobsOfDeadProcesses(t *testing.T) {
	t.Parallel()

	b := setup(t)
	mine, theirs := locksOf(t, b), queue.NewLocks(b.db)
	rescue, neighbour := queue.NewRescue(b.db, mine, "me"), queue.NewRescue(b.db, theirs, "neighbour")
	now := time.Now()
	require.NoError(t, neighbour.Once(t.Context(), now))

	own := b.orphan(t, "me", 1, "{}")
	defer rescue.Begin(own)()

	alive := b.orphan(t, "neighbour", 1, "{}")
	again := b.orphan(t, "dead", 1, "{}")
	last := b.orphan(t, "dead", 3, "{}")
	canceled := b.orphan(t, "dead", 1, `{"cancel_attempted_at": "2026-01-01T00:00:00Z"}`)
	states := func() []rivertype.JobState {
		var states []rivertype.JobState
		for _, id := range []int64{own, alive, again, last, canceled} {
			states = append(states, b.job(t, id).State)
		}

		return states
	}

	const running = rivertype.JobStateRunning

	require.NoError(t, rescue.Once(t.Context(), now))
	require.NoError(t, rescue.Once(t.Context(), now.Add(queue.RescueAfter-time.Millisecond)))
	require.Equal(t, []rivertype.JobState{running, running, running, running, running}, states())

	require.NoError(t, rescue.Once(t.Context(), now.Add(queue.RescueAfter)))
	require.Equal(t, []rivertype.JobState{
		running, running, rivertype.JobStateAvailable, rivertype.JobStateDiscarded, rivertype.JobStateCancelled,
	}, states())
	job := b.job(t, again)
	require.Equal(t, 1, job.Attempt)
	require.Len(t, job.Errors, 1)
	require.Equal(t, "the process that ran the job ended", job.Errors[0].Error)

	require.NoError(t, theirs.Close())

	later := now.Add(time.Hour)
	require.NoError(t, rescue.Once(t.Context(), later))
	require.Equal(t, running, b.job(t, alive).State, "a process is missed for a while before it counts as dead")
	require.NoError(t, rescue.Once(t.Context(), later.Add(queue.RescueAfter)))
	require.Equal(t, rivertype.JobStateAvailable, b.job(t, alive).State)
	require.Equal(t, running, b.job(t, own).State)
}

func TestRescueForgetsReturnedProcess(t *testing.T) {
	t.Parallel()

	b := setup(t)
	locks := queue.NewLocks(b.db)
	rescue := queue.NewRescue(b.db, locksOf(t, b), "me")
	id := b.orphan(t, "neighbour", 1, "{}")
	now := time.Now()
	require.NoError(t, rescue.Once(t.Context(), now))
	require.NoError(t, queue.NewRescue(b.db, locks, "neighbour").Once(t.Context(), now))
	require.NoError(t, rescue.Once(t.Context(), now.Add(time.Second)))
	require.NoError(t, locks.Close())
	require.NoError(t, rescue.Once(t.Context(), now.Add(queue.RescueAfter)))
	require.Equal(t, rivertype.JobStateRunning, b.job(t, id).State)
}

// A job has ended, but the database was unreachable for longer than River tries to record that.
func TestRescueFreesOwnJobsThatHaveEnded(t *testing.T) {
	t.Parallel()

	b := setup(t)
	rescue := queue.NewRescue(b.db, locksOf(t, b), "me")
	id, now := b.orphan(t, "me", 1, "{}"), time.Now()
	end := rescue.Begin(id)
	require.NoError(t, rescue.Once(t.Context(), now))
	now = now.Add(time.Hour)
	require.NoError(t, rescue.Once(t.Context(), now))
	end()
	require.NoError(t, rescue.Once(t.Context(), now))
	require.NoError(t, rescue.Once(t.Context(), now.Add(queue.StrayAfter-time.Millisecond)))
	require.Equal(t, rivertype.JobStateRunning, b.job(t, id).State)

	// The end was recorded after all, and the job has begun again.
	_, err := b.db.ExecContext(t.Context(), "UPDATE river_job SET attempted_at = attempted_at + interval '1 second' WHERE id = $1", id)
	require.NoError(t, err)

	now = now.Add(queue.StrayAfter)
	require.NoError(t, rescue.Once(t.Context(), now))
	require.Equal(t, rivertype.JobStateRunning, b.job(t, id).State)

	require.NoError(t, rescue.Once(t.Context(), now.Add(queue.StrayAfter)))
	job := b.job(t, id)
	require.Equal(t, rivertype.JobStateAvailable, job.State)
	require.Equal(t, "the end of the job could not be recorded", job.Errors[0].Error)
}
