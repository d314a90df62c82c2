package films_test

import (
	"archive/zip"
	"errors"
	"image/color"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/encode"
	"github.com/reelgraph/reelgraph/internal/video/mouse"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/test/testkit/chance"
	reel "github.com/reelgraph/reelgraph/test/testkit/footage"
	"github.com/reelgraph/reelgraph/test/testkit/rendering"
)

// BenchmarkRandom exports 200 timelines generated from seeds, with every feature at any time, and checks each film's
// frames and length.
func BenchmarkRandom(b *testing.B) {
	const timelines = 200

	for b.Loop() {
		all := rendering.New(b)
		all.Frame = plan.Size{}

		add := func(id string, f reel.Film) { all.Add(b, id, rendering.Counter(b, f, id+".mp4")) }
		add("screen", reel.Film{Frames: 45, Width: 320, Height: 180, Tone: 300})
		add("camera", reel.Film{Frames: 30, FPS: 25, Width: 160, Height: 120, Tone: 500})
		add("film", reel.Film{Frames: 20, Tone: 700})
		add("sound", reel.Film{Frames: 60, Tone: 900})
		picture(b, all, "image")
		all.Sources["mouse"] = plan.Source{Content: "mouse", Mouse: []mouse.Event{
			{TimeMs: 0, XPct: 10, YPct: 90, Type: mouse.Move}, {TimeMs: 400, XPct: 80, YPct: 20, Type: mouse.Click},
		}}

		fonts, err := all.Engine.Fonts()
		require.NoError(b, err)

		cast := chance.Cast{
			Screen: "screen", Camera: "camera", Film: "film", Image: "image", Mouse: "mouse", Sound: "sound", LongestMs: 2_000,
		}
		exported, frames := 0, int64(0)

		for seed := uint64(1); exported < timelines; seed++ {
			v, look, settings := cast.Timeline(rand.New(rand.NewPCG(seed, 0)))
			settings.Fonts = fonts

			planned, err := plan.Of(v, look, all.Sources, settings)
			if errors.Is(err, plan.ErrEmpty) {
				continue
			}

			require.NoError(b, err, "seed %d", seed)

			s := all.Beside(b)
			s.Engine.Workers = 1 + exported%4
			result, err := s.Engine.Render(b.Context(), planned, s.Files, s.Cache, nil)
			require.NoError(b, err, "seed %d", seed)

			checkPromise(b, v, settings, result)
			require.NoError(b, result.Discard())
			require.NoError(b, os.RemoveAll(s.Cache.Dir))

			exported++
			frames += result.Frames
		}

		b.ReportMetric(float64(exported), "films")
		b.ReportMetric(float64(frames), "frames")
	}
}

// picture adds a source with a partly transparent picture.
func picture(tb testing.TB, s *rendering.Studio, id string) {
	tb.Helper()

	s.Drawn(tb, id, 90, 60, func(x, y int) color.NRGBA {
		return color.NRGBA{R: uint8(2 * x), G: uint8(4 * y), B: 90, A: uint8(255 * (x / 30) / 2)}
	})
}

// checkPromise counts the frames of a film, or of the films in a ZIP, and checks their times.
func checkPromise(b *testing.B, v timeline.Video, s plan.Settings, result encode.Result) {
	b.Helper()

	rate := timeline.Rate{FPS: s.FPS, Speed: s.Speed}

	if s.Granularity == plan.Story {
		times, err := reel.FrameTimes(b.Context(), result.Path)
		require.NoError(b, err)
		require.Len(b, times, int(rate.Frames(v.DurationMs())))
		require.Len(b, times, int(result.Frames))
		require.InDelta(b, float64(len(times)-1)/float64(s.FPS), times[len(times)-1], 1e-6)
		require.InDelta(b, float64(len(times))*1000/float64(s.FPS), float64(result.DurationMs), 0.5)

		return
	}

	var want int64

	films := 0

	for _, c := range v.Clips {
		if d := c.Clock().DurationMs(); d > 0 {
			want += rate.Frames(d)
			films++
		}
	}

	packed, err := zip.OpenReader(result.Path)
	require.NoError(b, err)
	require.Len(b, packed.File, films)
	require.NoError(b, packed.Close())
	require.Equal(b, want, result.Frames)
}
