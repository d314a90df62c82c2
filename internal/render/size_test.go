package render_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/reelgraph/reelgraph/internal/render"
)

func TestArtboard(t *testing.T) {
	t.Parallel()

	for source, want := range map[render.Size]render.Size{
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
		require.Equal(t, want, render.Artboard(source), "%v", source)
	}
}

func TestResolutionSize(t *testing.T) {
	t.Parallel()

	for _, c := range []struct{ artboard, p1080, uhd render.Size }{
		{render.Size{1920, 1080}, render.Size{1920, 1080}, render.Size{3840, 2160}},
		{render.Size{640, 360}, render.Size{1920, 1080}, render.Size{3840, 2160}},
		{render.Size{854, 480}, render.Size{1920, 1080}, render.Size{3840, 2158}},
		{render.Size{1920, 1200}, render.Size{1728, 1080}, render.Size{3456, 2160}},
		{render.Size{1080, 1920}, render.Size{1080, 1920}, render.Size{2160, 3840}},
		{render.Size{1080, 1350}, render.Size{1080, 1350}, render.Size{2160, 2700}},
		{render.Size{500, 500}, render.Size{1080, 1080}, render.Size{2160, 2160}},
		{render.Size{3840, 128}, render.Size{1920, 64}, render.Size{3840, 128}},
		{render.Size{640, 480}, render.Size{1440, 1080}, render.Size{2880, 2160}},
	} {
		require.Equal(t, c.p1080, render.P1080.Size(c.artboard), "1080p of %v", c.artboard)
		require.Equal(t, c.uhd, render.UHD4K.Size(c.artboard), "4k of %v", c.artboard)
	}

	rapid.Check(t, func(t *rapid.T) {
		side := rapid.IntRange(64, 1920)
		artboard := render.Size{Width: 2 * side.Draw(t, "w"), Height: 2 * side.Draw(t, "h")}
		got := render.P1080.Size(artboard)

		require.Zero(t, got.Width%2+got.Height%2)
		require.LessOrEqual(t, max(got.Width, got.Height), 1920)
		require.LessOrEqual(t, min(got.Width, got.Height), 1080)
		// The aspect is off by no more than one pixel of the shorter side.
		require.InDelta(t, float64(got.Width)*float64(artboard.Height)/float64(artboard.Width), float64(got.Height),
			1.01*max(1, float64(artboard.Height)/float64(artboard.Width)))
	})
}

// What is shown whole in a frame of its aspect fills it: even sides of one aspect are up to two pixels apart.
func TestAPictureFillsAFrameOfItsAspect(t *testing.T) {
	t.Parallel()

	for _, size := range []render.Size{{3024, 1964}, {1964, 3024}, {1366, 768}, {2560, 1664}, {854, 480}, {1179, 2556}} {
		for _, r := range []render.Resolution{render.P1080, render.UHD4K} {
			frame := r.Size(render.Artboard(size))
			require.Equal(t, render.Box{Size: frame}, render.Inside(size, frame), "%v in %v", size, frame)
		}
	}

	require.Equal(t, render.Box{X: 96, Size: render.Size{Width: 1728, Height: 1080}},
		render.Inside(render.Size{Width: 1280, Height: 800}, render.Size{Width: 1920, Height: 1080}))
	require.Equal(t, render.Size{Width: 2, Height: 2}, render.Inside(render.Size{Width: 4, Height: 4}, render.Size{Width: 1, Height: 1}).Size)
}
