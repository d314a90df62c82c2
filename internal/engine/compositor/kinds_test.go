package compositor

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/effect"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Every visible kind of effect has a tile on the sheet, a planner and a painter.
func TestEveryKindIsPlannedAndPainted(t *testing.T) {
	t.Parallel()

	from := made(t)

	for _, kind := range effect.All() {
		if kind.Heard {
			continue
		}

		is := func(e values.ShownEffect) bool { return e.Kind == kind.Name }
		all := features()

		i := slices.IndexFunc(all, func(f feature) bool { return slices.ContainsFunc(f.look.Clips[0].Effects, is) })
		require.GreaterOrEqual(t, i, 0, "%s has no tile: add one to features", kind.Name)

		without := all[i]
		without.look.Clips = slices.Clone(without.look.Clips)
		without.look.Clips[0].Effects = slices.DeleteFunc(slices.Clone(without.look.Clips[0].Effects), is)

		require.NotEqual(t, all[i].scene(t, from), without.scene(t, from), "%s has no planner", kind.Name)
		require.NotEqual(t, all[i].picture(t, from).Pix, without.picture(t, from).Pix, "%s has no painter", kind.Name)
	}
}

// scene returns the last scene of the video up to the moment of the tile.
func (f feature) scene(t *testing.T, from recordings) *plan.Scene {
	t.Helper()

	chunks, err := plan.Reel(f.video, f.look, from.sources(), plan.Defaults(f.artboard), 0, f.atMs*plan.Defaults(f.artboard).FPS/1000+1)
	require.NoError(t, err)

	return chunks[len(chunks)-1].Scene
}
