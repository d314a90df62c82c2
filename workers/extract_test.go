package workers_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/extracts"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit/footage"
	"github.com/reelgraph/reelgraph/workers/still"
)

// TestExtractWaitsForStorage: while the storage is unavailable, the extract stays pending, and clients are asked to
// retry.
func TestExtractWaitsForStorage(t *testing.T) {
	t.Parallel()

	s := newStudio(t)
	stop := s.work()
	src := s.recorded(footage.Film{Frames: 30})

	stop()

	recipe, err := json.Marshal(extracts.Recipe{
		Kind: values.ExtractStill, SourceID: src.ID, Content: src.Sha256, LengthMs: src.DurationMs, Format: values.StillFormatJPG,
	})
	require.NoError(t, err)

	var row *ent.Extract

	s.member.Do(t, s.store, func(ctx context.Context, c *ent.Client) {
		row = c.Extract.Create().SetWorkspaceID(src.WorkspaceID).SetSubjectID(src.ID).SetKey("still").SetRecipe(recipe).SaveX(ctx)
	})

	w := &still.Extract{Deps: s.deps(s.store, s.topics)}
	last := &river.Job[jobs.Extract]{
		JobRow: &rivertype.JobRow{Attempt: 2, MaxAttempts: 2, CreatedAt: s.now()}, Args: jobs.Extract{ExtractID: row.ID},
	}

	var snooze *river.JobSnoozeError

	back := s.away()

	require.ErrorAs(t, w.Work(t.Context(), last), &snooze)
	back()
	require.NoError(t, w.Work(t.Context(), last))

	row, err = s.store.Client(s.system()).Extract.Get(s.system(), row.ID)
	require.NoError(t, err)
	require.Equal(t, values.ExtractStatusReady, row.Status, row.ErrorMessage)
	require.Len(t, row.Files, 1)
}

// TestSlowStillSaysSo: if drawing a picture takes too long, the job succeeds without a retry, and the extract has the
// reason.
func TestSlowStillSaysSo(t *testing.T) {
	t.Parallel()

	s := newStudio(t)
	stop := s.work()
	src := s.recorded(footage.Film{Frames: 30})

	stop()

	for name, recipe := range map[string]extracts.Recipe{
		"a still":          {Kind: values.ExtractStill, Format: values.StillFormatJPG},
		"a large still":    {Kind: values.ExtractStill, Format: values.StillFormatPNG, Width: 640},
		"a moving picture": {Kind: values.ExtractStill, Format: values.StillFormatGIF, DurationMs: 500},
	} {
		recipe.SourceID, recipe.Content, recipe.LengthMs = src.ID, src.Sha256, src.DurationMs
		written, err := json.Marshal(recipe)
		require.NoError(t, err)

		var row *ent.Extract

		s.member.Do(t, s.store, func(ctx context.Context, c *ent.Client) {
			row = c.Extract.Create().SetWorkspaceID(src.WorkspaceID).SetSubjectID(src.ID).SetKey(name).SetRecipe(written).SaveX(ctx)
		})

		w := &still.Extract{Deps: s.deps(s.store, s.topics), StillTime: time.Nanosecond}
		require.NoError(t, w.Work(t.Context(), &river.Job[jobs.Extract]{
			JobRow: &rivertype.JobRow{Attempt: 1, MaxAttempts: 2, CreatedAt: s.now()}, Args: jobs.Extract{ExtractID: row.ID},
		}), name)

		row, err = s.store.Client(s.system()).Extract.Get(s.system(), row.ID)
		require.NoError(t, err)

		if recipe.DurationMs > 0 {
			require.Equal(t, values.ExtractStatusReady, row.Status, row.ErrorMessage)

			continue
		}

		require.Equal(t, values.ExtractStatusFailed, row.Status)
		require.Equal(t, "This picture takes longer than 1ns to draw. Ask for a smaller one, or use fewer or shorter texts and effects there.", row.ErrorMessage)
	}
}
