package workers_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/engine/encode"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit/footage"
	"github.com/reelgraph/reelgraph/workers/media"
	"github.com/reelgraph/reelgraph/workers/render"
)

// ordered returns a studio with an export of a short film that no job renders.
func ordered(t *testing.T) (*studio, *ent.Export) {
	t.Helper()

	s := newStudio(t)
	stop := s.work()
	src := s.recorded(footage.Film{Frames: 30})

	stop()

	return s, s.order(src)
}

// attempt makes an export as one of five attempts.
func attempt(deps media.Deps, exp *ent.Export, n int) error {
	return (&render.Render{Deps: deps}).Work(context.Background(), &river.Job[jobs.Render]{
		JobRow: &rivertype.JobRow{Attempt: n, MaxAttempts: 5}, Args: jobs.Render{ExportID: exp.ID},
	})
}

// TestRenderOfWhatStandsStill: a program that was stopped for hanging or for its time limit says nothing about the
// sources.
func TestRenderOfWhatStandsStill(t *testing.T) {
	t.Parallel()

	s, exp := ordered(t)
	hung := filepath.Join(t.TempDir(), "ffmpeg")
	require.NoError(t, os.WriteFile(hung, []byte("#!/bin/sh\ntrap 'exit 255' TERM\nsleep 600 & wait\n"), 0o700))

	deps := s.deps(s.store, s.topics)
	deps.Engine.Tools.FFmpeg, deps.Engine.Limits.Begin = hung, 300*time.Millisecond

	require.ErrorIs(t, attempt(deps, exp, 2), ffmpeg.ErrStalled)
	require.Equal(t, values.ExportStatusProcessing, s.export(exp.ID).Status)

	deps.Engine.Limits = ffmpeg.Limits{Wall: 300 * time.Millisecond}
	require.ErrorIs(t, attempt(deps, exp, 2), ffmpeg.ErrWallLimit)
	require.Equal(t, values.ExportStatusProcessing, s.export(exp.ID).Status)

	require.NoError(t, attempt(deps, exp, 5))
	require.Equal(t, "server_error", s.export(exp.ID).ErrorCode)
}

// TestRenderNeedsRoom: an export that does not fit on the disk is not started.
func TestRenderNeedsRoom(t *testing.T) {
	t.Parallel()

	s, exp := ordered(t)
	deps := s.deps(s.store, s.topics)
	deps.DiskReserve = 1 << 61

	require.NoError(t, attempt(deps, exp, 1), "whoever waits for it is told at once")
	require.Equal(t, values.ExportStatusFailed, s.export(exp.ID).Status)
	require.Equal(t, "no_space", s.export(exp.ID).ErrorCode)
}

// TestRenderMakesRoom: cached pieces are removed to make room for an export.
func TestRenderMakesRoom(t *testing.T) {
	t.Parallel()

	s, exp := ordered(t)
	deps := s.deps(s.store, s.topics)
	deps.CacheBytes = 1 << 40

	const size = 1 << 30 // large enough that other writers do not matter

	working, err := os.Create(filepath.Join(t.TempDir(), "working.mp4")) // of a process that makes another export
	require.NoError(t, err)
	require.NoError(t, unix.Fallocate(int(working.Fd()), 0, 0, size))
	require.NoError(t, working.Close())
	require.NoError(t, deps.Cache.Put(t.Context(), "old.mp4", working.Name()))

	old := filepath.Join(deps.Cache.Dir, "old.mp4")

	free, err := encode.FreeBytes(deps.Cache.Dir)
	require.NoError(t, err)

	deps.DiskReserve = free + size/2

	again := s.orderAs(exp.Granularity, planOf(t, exp))

	require.NoError(t, attempt(deps, exp, 1))
	require.Equal(t, "no_space", s.export(exp.ID).ErrorCode)
	require.FileExists(t, old, "no room would come of it")

	require.NoError(t, os.Remove(working.Name()))
	require.NoError(t, attempt(deps, again, 1))
	require.Equal(t, values.ExportStatusCompleted, s.export(again.ID).Status)
	require.NoFileExists(t, old)
}

// planOf is what an export was asked to show.
func planOf(t *testing.T, exp *ent.Export) (plan plan.ExportPlan) {
	t.Helper()

	require.NoError(t, json.Unmarshal(exp.Plan, &plan))

	return plan
}

// TestTheCacheLeavesMostOfTheDisk: the cache never takes more than its share of the disk, whatever its limit is.
func TestTheCacheLeavesMostOfTheDisk(t *testing.T) {
	t.Parallel()

	s, exp := ordered(t)
	deps := s.deps(s.store, s.topics)
	deps.CacheBytes = 1 << 62

	free, err := encode.FreeBytes(s.data)
	require.NoError(t, err)

	require.NoError(t, os.MkdirAll(deps.Cache.Dir, 0o700))
	old := filepath.Join(deps.Cache.Dir, "old.mp4")
	require.NoError(t, os.WriteFile(old, nil, 0o600))
	require.NoError(t, os.Truncate(old, free)) // takes no room, and counts

	require.NoError(t, attempt(deps, exp, 1))
	require.NoFileExists(t, old)
}

// TestRenderWaitsForStorage: an export survives a storage outage, as uploads do.
func TestRenderWaitsForStorage(t *testing.T) {
	t.Parallel()

	s, exp := ordered(t)
	w := &render.Render{Deps: s.deps(s.store, s.topics)}
	last := &river.Job[jobs.Render]{
		JobRow: &rivertype.JobRow{Attempt: 5, MaxAttempts: 5, CreatedAt: s.now()}, Args: jobs.Render{ExportID: exp.ID},
	}

	var snooze *river.JobSnoozeError

	back := s.away()

	require.ErrorAs(t, w.Work(t.Context(), last), &snooze)
	back()
	require.NoError(t, w.Work(t.Context(), last))
	require.Equal(t, values.ExportStatusCompleted, s.export(exp.ID).Status)
}

// TestRenderFetchesNothingWithoutRoom: remote recordings are not copied to a disk that is too full.
func TestRenderFetchesNothingWithoutRoom(t *testing.T) {
	t.Parallel()

	s, exp := ordered(t)
	deps := s.deps(s.store, s.topics)
	deps.Blobs = fetching{s.blobs, make(chan struct{})} // would wait for ever

	s.member.Do(t, s.store, func(ctx context.Context, c *ent.Client) {
		c.Source.Update().SetBytes(1 << 60).ExecX(ctx)
	})
	require.NoError(t, attempt(deps, exp, 1))
	require.Equal(t, "no_space", s.export(exp.ID).ErrorCode)
}

// fetching is a store whose files must be fetched, which never ends.
type fetching struct {
	*blob.Dir

	begun chan struct{}
}

func (fetching) Path(string) (string, bool) { return "", false }

func (f fetching) Open(ctx context.Context, _ string) (blob.Object, error) {
	close(f.begun)
	<-ctx.Done()

	return blob.Object{}, context.Cause(ctx)
}

// keeping is a store that keeps a file and never says so.
type keeping struct {
	*blob.Dir

	begun chan struct{}
}

func (k keeping) PutFile(ctx context.Context, key, path string) (blob.Stat, error) {
	if _, err := k.Dir.PutFile(ctx, key, path); err != nil {
		return blob.Stat{}, err
	}

	close(k.begun)
	<-ctx.Done()

	return blob.Stat{}, context.Cause(ctx)
}

// TestRenderIsCanceledAroundTheDrawing: an export can be canceled while sources are fetched and while the file is
// stored.
func TestRenderIsCanceledAroundTheDrawing(t *testing.T) {
	t.Parallel()

	for name, slow := range map[string]func(*blob.Dir, chan struct{}) blob.Store{
		"fetching": func(d *blob.Dir, begun chan struct{}) blob.Store { return fetching{d, begun} },
		"keeping":  func(d *blob.Dir, begun chan struct{}) blob.Store { return keeping{d, begun} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			s, exp := ordered(t)
			begun, ended := make(chan struct{}), make(chan error, 1)
			deps := s.deps(s.store, s.topics)
			deps.Blobs = slow(s.blobs, begun)

			go func() { ended <- attempt(deps, exp, 1) }()

			select {
			case <-begun:
			case err := <-ended:
				require.FailNow(t, "nothing had to be waited for", "%v", err)
			}

			now := time.Now()

			s.member.Do(t, s.store, func(ctx context.Context, c *ent.Client) {
				c.Export.UpdateOneID(exp.ID).SetStatus(values.ExportStatusCanceled).SetCancelRequestedAt(now).SetFinishedAt(now).ExecX(ctx)
				require.NoError(t, s.store.Notify(ctx, jobs.ExportTopic(exp.ID)))
			})

			select {
			case err := <-ended:
				require.NoError(t, err)
			case <-time.After(30 * time.Second):
				require.FailNow(t, "the cancellation was not heard")
			}

			require.Equal(t, values.ExportStatusCanceled, s.export(exp.ID).Status)

			kept, err := filepath.Glob(filepath.Join(s.data, "blobs", "exports", "*", "*"))
			require.NoError(t, err)
			require.Empty(t, kept)

			scratch, err := os.ReadDir(filepath.Join(s.data, "scratch"))
			if err == nil {
				require.Empty(t, scratch)
			}
		})
	}
}
