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

// attempt renders an export as attempt n of five.
func attempt(deps media.Deps, exp *ent.Export, n int) error {
	return (&render.Render{Deps: deps}).Work(context.Background(), &river.Job[jobs.Render]{
		JobRow: &rivertype.JobRow{Attempt: n, MaxAttempts: 5}, Args: jobs.Render{ExportID: exp.ID},
	})
}

// TestRenderRetriesHungProgram: a program that was stopped for hanging or for its time limit says nothing about the
// sources.
func TestRenderRetriesHungProgram(t *testing.T) {
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

	require.NoError(t, attempt(deps, exp, 1), "the export fails at the first attempt")
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

	working, err := os.Create(filepath.Join(t.TempDir(), "working.mp4")) // belongs to a process that renders another export
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
	require.FileExists(t, old, "removing it would free nothing")

	require.NoError(t, os.Remove(working.Name()))
	require.NoError(t, attempt(deps, again, 1))
	require.Equal(t, values.ExportStatusCompleted, s.export(again.ID).Status)
	require.NoFileExists(t, old)
}

// planOf returns the plan stored with an export.
func planOf(t *testing.T, exp *ent.Export) (plan plan.ExportPlan) {
	t.Helper()

	require.NoError(t, json.Unmarshal(exp.Plan, &plan))

	return plan
}

// TestCacheKeepsToItsShareOfTheDisk: the cache never takes more than its share of the disk, whatever its limit is.
func TestCacheKeepsToItsShareOfTheDisk(t *testing.T) {
	t.Parallel()

	s, exp := ordered(t)
	deps := s.deps(s.store, s.topics)
	deps.CacheBytes = 1 << 62

	free, err := encode.FreeBytes(s.data)
	require.NoError(t, err)

	require.NoError(t, os.MkdirAll(deps.Cache.Dir, 0o700))
	old := filepath.Join(deps.Cache.Dir, "old.mp4")
	require.NoError(t, os.WriteFile(old, nil, 0o600))
	require.NoError(t, os.Truncate(old, free)) // takes no disk space, but counts for the limit

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
	deps.Blobs = fetching{s.blobs, make(chan struct{})} // would wait forever

	s.member.Do(t, s.store, func(ctx context.Context, c *ent.Client) {
		c.Source.Update().SetBytes(1 << 60).ExecX(ctx)
	})
	require.NoError(t, attempt(deps, exp, 1))
	require.Equal(t, "no_space", s.export(exp.ID).ErrorCode)
}

// fetching is a store whose fetches never end.
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

// keeping is a store that stores a file but never returns.
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

// TestRenderCancelsWhileFetchingAndStoring: an export can be canceled while sources are fetched and while the file is
// stored.
func TestRenderCancelsWhileFetchingAndStoring(t *testing.T) {
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
				require.FailNow(t, "the render did not wait", "%v", err)
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
				require.FailNow(t, "the cancellation had no effect")
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
