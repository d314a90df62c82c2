package media_test

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	reel "github.com/reelgraph/reelgraph/internal/testkit/footage"
	"github.com/reelgraph/reelgraph/internal/timeline"
)

// BenchmarkSync exports ten minutes of clicks and flashes, cut ninety times and joined by smooth
// transitions, at the speeds at which every moment is a frame and with sound of several rates, and reports how far apart
// the two are at worst, in milliseconds.
func BenchmarkSync(b *testing.B) {
	const (
		lengthMs = 210_000 // of a recording that is shown three times
		cutMs    = 200
	)

	var (
		events []int64
		cuts   = []timeline.Span{timeline.SpanOf(0, 1_500)} // decoding begins in the middle
	)

	// Around each cut one event shortly before and one shortly behind; all begin with a frame. Nothing
	// happens where a transition fades.
	for at := int64(2_000); at < lengthMs-2_000; at += 6_600 {
		cuts = append(cuts, timeline.SpanOf(at, cutMs))
		events = append(events, at-200, at+cutMs+200, at+3_000)
	}

	for _, of := range [][2]string{{"0.5", "48000"}, {"1", "44100"}, {"1.5", "22050"}, {"2", "96000"}} {
		text, rate := of[0], of[1]

		b.Run(text, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "sync.mp4")
			require.NoError(b, reel.ClickAndFlash(b.Context(), path, reel.Film{
				Frames: lengthMs * 30 / 1000, EventsMs: events, Sound: []string{"-c:a", "aac", "-b:a", "192k", "-ar", rate},
			}))

			for b.Loop() {
				s := newStudio(b)
				s.add(b, "su_a", path)

				clip := s.clip("su_a", cuts...)
				clip.LengthMs = lengthMs
				clip.Smooth = true
				clock := clip.Clock()

				settings := wide()
				settings.FPS = 60

				var err error

				settings.Speed, err = timeline.ParseSpeed(text)
				require.NoError(b, err)

				result := s.render(b, settings, clip, clip, clip)
				flashes, err := reel.FlashesMs(b.Context(), result.Path)
				require.NoError(b, err)
				clicks, err := reel.ClicksMs(b.Context(), result.Path)
				require.NoError(b, err)
				require.Len(b, flashes, 3*len(events))
				require.Len(b, clicks, len(flashes))

				worst, stray := 0.0, 0.0

				for i := range clicks {
					play := float64(int64(i/len(events))*clock.DurationMs() + clock.Play(events[i%len(events)]))
					want := play * float64(settings.Speed.Den) / float64(settings.Speed.Num)
					stray = math.Max(stray, math.Abs(flashes[i]-want))
					worst = math.Max(worst, math.Abs(clicks[i]-flashes[i]))
				}

				require.LessOrEqual(b, worst, 10.0, "a click and its flash")
				b.ReportMetric(worst, "worst-ms")
				b.ReportMetric(stray, "flash-ms")
				b.Logf("%d events in %.0f s", len(clicks), float64(result.DurationMs)/1000)
			}
		})
	}
}
