package workers_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/media"
	"github.com/reelgraph/reelgraph/internal/testkit/footage"
	"github.com/reelgraph/reelgraph/workers"
	"github.com/reelgraph/reelgraph/workers/jobs"
)

// ordered is a studio with an export of a short film that nobody makes.
func ordered(t *testing.T) (*studio, *ent.Export) {
	t.Helper()

	s := newStudio(t)
	stop := s.work()
	src := s.recorded(footage.Film{Frames: 30})
	stop()

	return s, s.order(src)
}

// attempt makes an export as one of five attempts.
func attempt(deps workers.MediaDeps, exp *ent.Export, n int) error {
	return workers.NewRender(deps).Work(context.Background(), &river.Job[jobs.Render]{
		JobRow: &rivertype.JobRow{Attempt: n, MaxAttempts: 5}, Args: jobs.Render{ExportID: exp.ID},
	})
}

// A program that was ended because it stood still says nothing about the sources.
func TestRenderOfWhatStandsStill(t *testing.T) {
	t.Parallel()

	s, exp := ordered(t)
	hung := filepath.Join(t.TempDir(), "ffmpeg")
	require.NoError(t, os.WriteFile(hung, []byte("#!/bin/sh\ntrap 'exit 255' TERM\nsleep 600 & wait\n"), 0o700))

	deps := s.deps(s.store, s.topics)
	deps.Engine.Tools.FFmpeg, deps.Engine.Limits.Begin = hung, 300*time.Millisecond

	require.ErrorIs(t, attempt(deps, exp, 2), media.ErrStalled)
	require.Equal(t, domain.ExportStatusProcessing, s.export(exp.ID).Status)

	require.NoError(t, attempt(deps, exp, 5))
	require.Equal(t, "server_error", s.export(exp.ID).ErrorCode)
}
