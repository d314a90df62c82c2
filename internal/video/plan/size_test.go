package plan_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/reelgraph/reelgraph/internal/video/plan"
)

func TestArtboard(t *testing.T) {
	t.Parallel()

	for source, want := range map[plan.Size]plan.Size{
		{1920, 1080}: {1920, 1080},
		{3840, 2160}: {1920, 1080},
		{2880, 1800}: {1920, 1200},
		{1080, 1920}: {1080, 1920},
		{1170, 2532}: {888, 1920}, // 887.2: the nearest even number
		{641, 481}:   {640, 480},
		{1279, 719}:  {1278, 718},
		{100, 100}:   {100, 100},
		{8000, 2}:    {1920, 2},
	} {
		require.Equal(t, want, plan.Artboard(source), "%v", source)
	}
}

func TestResolutionSize(t *testing.T) {
	t.Parallel()

	for _, c := range []struct{ artboard, p1080, uhd plan.Size }{
		{plan.Size{1920, 1080}, plan.Size{1920, 1080}, plan.Size{3840, 2160}},
		{plan.Size{640, 360}, plan.Size{1920, 1080}, plan.Size{3840, 2160}},
		{plan.Size{854, 480}, plan.Size{1920, 1080}, plan.Size{3840, 2158}},
		{plan.Size{1920, 1200}, plan.Size{1728, 1080}, plan.Size{3456, 2160}},
		{plan.Size{1080, 1920}, plan.Size{1080, 1920}, plan.Size{2160, 3840}},
		{plan.Size{1080, 1350}, plan.Size{1080, 1350}, plan.Size{2160, 2700}},
		{plan.Size{500, 500}, plan.Size{1080, 1080}, plan.Size{2160, 2160}},
		{plan.Size{3840, 128}, plan.Size{1920, 64}, plan.Size{3840, 128}},
		{plan.Size{640, 480}, plan.Size{1440, 1080}, plan.Size{2880, 2160}},
	} {
		require.Equal(t, c.p1080, plan.P1080.Size(c.artboard), "1080p of %v", c.artboard)
		require.Equal(t, c.uhd, plan.UHD4K.Size(c.artboard), "4k of %v", c.artboard)
	}

	rapid.Check(t, func(t *rapid.T) {
		side := rapid.IntRange(64, 1920)
		artboard := plan.Size{Width: 2 * side.Draw(t, "w"), Height: 2 * side.Draw(t, "h")}
		got := plan.P1080.Size(artboard)

		require.Zero(t, got.Width%2+got.Height%2)
		require.LessOrEqual(t, max(got.Width, got.Height), 1920)
		require.LessOrEqual(t, min(got.Width, got.Height), 1080)
		// The aspect is off by no more than one pixel of the shorter side.
		require.InDelta(t, float64(got.Width)*float64(artboard.Height)/float64(artboard.Width), float64(got.Height),
			1.01*max(1, float64(artboard.Height)/float64(artboard.Width)))
	})
}

// A picture fills a frame of its own aspect: even sides of one aspect differ by up to two pixels.
func TestPictureFillsFrameOfItsAspect(t *testing.T) {
	t.Parallel()

	for _, size := range []plan.Size{{3024, 1964}, {1964, 3024}, {1366, 768}, {2560, 1664}, {854, 480}, {1179, 2556}} {
		for _, r := range []plan.Resolution{plan.P1080, plan.UHD4K} {
			frame := r.Size(plan.Artboard(size))
			require.Equal(t, plan.Box{Size: frame}, plan.Inside(size, frame), "%v in %v", size, frame)
		}
	}

	require.Equal(t, plan.Box{X: 96, Size: plan.Size{Width: 1728, Height: 1080}},
		plan.Inside(plan.Size{Width: 1280, Height: 800}, plan.Size{Width: 1920, Height: 1080}))
	require.Equal(t, plan.Size{Width: 2, Height: 2}, plan.Inside(plan.Size{Width: 4, Height: 4}, plan.Size{Width: 1, Height: 1}).Size)
}
