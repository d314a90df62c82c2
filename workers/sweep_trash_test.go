package workers_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/workers/housekeeping"
)

// A video is deleted with its files when it has been in the trash for 30 days, and not a moment earlier. Neither are
// those that were trashed later or restored.
func TestSweepPurgesTheTrash(t *testing.T) {
	t.Parallel()

	s := newStudio(t)
	src, shared := s.stored(), s.stored()
	elsewhere := testkit.NewMember(t, s.store, testkit.MemberOpts{})
	old, later, restored := s.video, testkit.NewVideo(t, s.store, s.member, testkit.VideoOpts{Source: shared}), testkit.NewVideo(t, s.store, s.member, testkit.VideoOpts{})
	foreign := testkit.NewVideo(t, s.store, elsewhere, testkit.VideoOpts{})
	trashed := time.Now().UTC().Truncate(time.Millisecond)

	s.member.Do(t, s.store, func(ctx context.Context, c *ent.Client) {
		for i, screen := range []*ent.Source{src, shared} {
			c.Clip.Create().SetVideo(old).SetScreenSource(screen).SetName("Clip").SetPosition(i).SetRecordingMs(1).SetDurationMs(1).
				SetCuts(values.Cuts{}).SetBackground(values.DefaultBackground()).SetHasMicrophone(false).SetHasSystemAudio(false).ExecX(ctx)
		}

		c.Video.Update().Where(video.IDIn(old.ID, restored.ID)).SetTrashedAt(trashed).ExecX(ctx)
		c.Video.UpdateOneID(later.ID).SetTrashedAt(trashed.Add(time.Hour)).ExecX(ctx)
		c.Video.UpdateOneID(restored.ID).ClearTrashedAt().ExecX(ctx)
	})
	elsewhere.Do(t, s.store, func(ctx context.Context, c *ent.Client) {
		c.Video.UpdateOneID(foreign.ID).SetTrashedAt(trashed).ExecX(ctx)
	})

	// left sweeps and returns which videos there still are, in the trash or not.
	left := func() []string {
		require.NoError(t, (&housekeeping.Sweep{Deps: s.deps(s.store, s.topics)}).Work(t.Context(), nil))
		s.discard()
		s.discard() // a deleted source has a job of its own for its file

		ctx := auth.WithTrash(s.system())
		named, err := s.store.Client(ctx).Video.Query().IDs(ctx)
		require.NoError(t, err)

		return named
	}

	const month = 30 * 24 * time.Hour

	s.late.Store(int64(month - time.Minute))
	require.ElementsMatch(t, []string{old.ID, later.ID, restored.ID, foreign.ID}, left())
	require.True(t, s.kept(src.BlobKey))

	s.late.Store(int64(month))
	require.ElementsMatch(t, []string{later.ID, restored.ID}, left())
	require.False(t, s.kept(src.BlobKey))
	require.True(t, s.kept(shared.BlobKey), "another video in the trash uses it")

	s.late.Store(int64(month + time.Hour))
	require.Equal(t, []string{restored.ID}, left())
	require.False(t, s.kept(shared.BlobKey))
}
