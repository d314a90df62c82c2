package workers_test

import (
	"context"
	"errors"
	"testing"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/demo/story"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/queue"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/workers/demo"
)

// demoOf creates a demo run of a new workspace.
func (s *studio) demoOf() (testkit.Member, *ent.DemoRun) {
	s.Helper()

	var run *ent.DemoRun

	m := testkit.NewMember(s.T, s.store, testkit.MemberOpts{})
	m.Do(s.T, s.store, func(ctx context.Context, c *ent.Client) { run = c.DemoRun.Create().SetUserID(m.UserID).SaveX(ctx) })

	return m, run
}

// demo returns the run as it is stored now.
func (s *studio) demo(run *ent.DemoRun) *ent.DemoRun {
	s.Helper()

	now, err := s.store.Client(s.system()).DemoRun.Get(s.system(), run.ID)
	require.NoError(s, err)

	return now
}

func fillOnce(w *demo.Fill, run *ent.DemoRun, n int) error {
	return w.Work(context.Background(), &river.Job[jobs.FillDemo]{
		JobRow: &rivertype.JobRow{Attempt: n, MaxAttempts: jobs.FillDemo{}.InsertOpts().MaxAttempts}, Args: jobs.FillDemo{RunID: run.ID},
	})
}

// One workspace is filled at a time, whichever process does it.
func TestDemosTakeTurns(t *testing.T) {
	t.Parallel()

	s := newStudio(t)
	_, run := s.demoOf()

	elsewhere := queue.NewLocks(s.store.DB)
	defer elsewhere.Close()

	release, taken, err := elsewhere.TrySlot(t.Context(), "demo", 1)
	require.NoError(t, err)
	require.True(t, taken)

	w := &demo.Fill{Deps: s.deps(s.store, s.topics), Guide: &story.Guide{Store: s.store}}

	_, snoozed := errors.AsType[*rivertype.JobSnoozeError](fillOnce(w, run, 1))
	require.True(t, snoozed)
	require.Equal(t, values.DemoStatusPending, s.demo(run).Status)

	release()

	require.Error(t, fillOnce(w, run, 1), "it has no programs")
	require.Equal(t, values.DemoStatusRunning, s.demo(run).Status)
}

// A demo that fails is tried again, and the last failure is shown. What the owner can change is shown at once.
func TestDemoFails(t *testing.T) {
	t.Parallel()

	s := newStudio(t)
	m, run := s.demoOf()
	w := &demo.Fill{Deps: s.deps(s.store, s.topics), Guide: &story.Guide{Store: s.store, Tools: ffmpeg.Tools{FFmpeg: "/nowhere/ffmpeg"}}}
	most := jobs.FillDemo{}.InsertOpts().MaxAttempts

	for n := 1; n < most; n++ {
		require.ErrorContains(t, fillOnce(w, run, n), "/nowhere/ffmpeg")
		require.Equal(t, values.DemoStatusRunning, s.demo(run).Status)
	}

	require.NoError(t, fillOnce(w, run, most))

	failed := s.demo(run)
	require.Equal(t, values.DemoStatusFailed, failed.Status)
	require.Equal(t, "server_error", failed.ErrorCode)
	require.NotContains(t, failed.ErrorMessage, "nowhere", "the cause is for the log")
	require.NotNil(t, failed.FinishedAt)

	require.NoError(t, fillOnce(w, run, 1), "a run that has ended stays as it is")
	require.True(t, failed.UpdatedAt.Equal(s.demo(run).UpdatedAt))

	_, err := s.store.DB.Exec(`UPDATE memberships SET role = 'admin' WHERE user_id = $1`, m.UserID)
	require.NoError(t, err)

	m.Do(t, s.store, func(ctx context.Context, c *ent.Client) {
		c.DemoRun.DeleteOneID(run.ID).ExecX(ctx)
		run = c.DemoRun.Create().SetUserID(m.UserID).SaveX(ctx)
	})
	require.NoError(t, fillOnce(w, run, 1))

	failed = s.demo(run)
	require.Equal(t, "forbidden", failed.ErrorCode)
	require.Contains(t, failed.ErrorMessage, "no longer an owner")

	videos, err := s.store.Client(s.system()).Video.Query().Count(auth.AsWorkspace(t.Context(), m.WorkspaceID))
	require.NoError(t, err)
	require.Zero(t, videos)
}
