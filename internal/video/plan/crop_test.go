package plan_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// A tall crop of a wide screen is shown whole, in a box of its own aspect; only a covering layout trims it.
// The boxes are calculated by hand: 960×1080 remain of 1920×1080.
func TestTallCrop(t *testing.T) {
	t.Parallel()

	half := values.CropBox{XPct: 25, WidthPct: 50, HeightPct: 100}
	clip := timeline.Clip{ID: "cl_1", LengthMs: 2_000, Screen: "su_silent"}
	whole := box(480, 0, 960, 1080)

	look := with()
	look.Clips[0].Crop = &half
	chunks := planned(t, look, defaults(), clip)
	require.Equal(t, plan.LanePassthrough, chunks[0].Lane)
	require.Equal(t, whole, chunks[0].Draw.Crop)
	require.Equal(t, box(480, 0, 960, 1080), chunks[0].Draw.Picture)

	still, err := plan.Reel(timeline.Video{Clips: []timeline.Clip{clip}}, look, gallery(), defaults(), 0, 1)
	require.NoError(t, err)
	require.Equal(t, whole, still[0].Scene.Inputs[0].Crop)
	require.Equal(t, plan.Rect{X: 480, Width: 960, Height: 1080}, still[0].Scene.At(0).Layers[0].To)

	clip.Camera = "su_camera"

	for _, c := range []struct {
		shape values.LayoutShape
		shown plan.Box
		to    plan.Rect
	}{
		{values.LayoutShape{Kind: values.LayoutKindCameraBubble}, whole, plan.Rect{X: 528, Y: 54, Width: 864, Height: 972}},
		{
			values.LayoutShape{Kind: values.LayoutKindTvPresenter, Position: new(values.LayoutPositionLeft)},
			whole,
			plan.Rect{X: 912, Y: 54, Width: 864, Height: 972},
		},
		{
			values.LayoutShape{Kind: values.LayoutKindScreenOnly, ScreenFit: new(values.ScreenFitCover)},
			box(480, 270, 960, 540),
			plan.Rect{Width: 1920, Height: 1080},
		},
	} {
		look.Clips[0].Base = &c.shape

		chunks, err := plan.Reel(timeline.Video{Clips: []timeline.Clip{clip}}, look, gallery(), defaults(), 0, 1)
		require.NoError(t, err)

		scene := *chunks[0].Scene
		v := scene.At(0)

		i := slices.IndexFunc(v.Layers, func(l plan.Layer) bool { return l.Screen })
		require.GreaterOrEqual(t, i, 0)
		require.Equal(t, c.shown, scene.Inputs[v.Layers[i].Input].Crop, c.shape.Kind)
		require.Equal(t, c.to, v.Layers[i].To, c.shape.Kind)
	}
}
