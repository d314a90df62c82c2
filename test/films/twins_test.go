package films_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/values"
	reel "github.com/reelgraph/reelgraph/test/testkit/footage"
	"github.com/reelgraph/reelgraph/test/testkit/rendering"
)

// A film laid twice over a clip gives two streams that differ only in times and lengths. Each shows its own pictures in
// every chunk, with one worker, whose decoders continue, and with four.
func TestTwins(t *testing.T) {
	t.Parallel()

	s := rendering.New(t)
	s.Add(t, "su_screen", rendering.Counter(t, reel.Film{Frames: 390}, "screen.mp4"))
	s.Add(t, "su_over", rendering.Counter(t, reel.Film{Frames: 380}, "over.mp4"))

	over := func(x float64, startMs, endMs int64) values.ShownEffect {
		return values.ShownEffect{
			Kind: values.EffectKindMediaOverlay, StartMs: startMs, EndMs: endMs, SourceID: "su_over",
			Params: values.EffectParams{
				Overlay: &values.OverlayParams{Point: values.Point{XPct: x, YPct: 50}, Dimensions: values.Size{Width: 480, Height: 270}},
			},
		}
	}

	for name, c := range map[string]struct{ from, to int64 }{
		"one ends sooner": {1_000, 11_500}, "one begins later": {3_000, 8_500},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			look := rendering.Plain(over(5, 1_000, 8_500), over(50, c.from, c.to))
			look.Clips[0].Base = &values.LayoutShape{Kind: values.LayoutKindScreenOnly}
			plan := s.PlanLook(t, look, rendering.Tiny(), s.Clip("su_screen"))

			var drawn [][][]byte

			for _, workers := range []int{1, 4} {
				one := s.Beside(t)
				one.Engine.Workers = workers
				result := one.RenderPlan(t, plan)
				drawn = append(drawn, one.Chunks(t, plan))

				requireTwin(t, result.Path, 16, 1_000, 8_500)
				requireTwin(t, result.Path, 160, c.from, c.to)
			}

			require.Equal(t, drawn[0], drawn[1], "with one worker and with four")
		})
	}
}

// requireTwin requires the film at x to count its frames from fromMs to toMs.
func requireTwin(t *testing.T, path string, x int, fromMs, toMs int64) {
	t.Helper()

	got, err := reel.Indices(t.Context(), path, reel.Window{X: x, Y: 90, Width: 80, Height: 45})
	require.NoError(t, err)

	first, end := int(fromMs*30/1000), int(toMs*30/1000)
	for n := first; n < end; n++ {
		require.Equal(t, n-first, got[n], "frame %d at %d", n, x)
	}
}
