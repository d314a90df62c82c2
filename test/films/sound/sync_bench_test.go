package sound_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
	reel "github.com/reelgraph/reelgraph/test/testkit/footage"
	"github.com/reelgraph/reelgraph/test/testkit/rendering"
)

// BenchmarkSync exports 5 to 20 minutes of clicks and flashes, cut 90 times and joined by smooth transitions, at every
// speed and with sound of several rates. It requires both at their times and reports the largest deviations from those
// times and from each other, in milliseconds.
func BenchmarkSync(b *testing.B) {
	const (
		length = 2_100 // in beats, of a recording that is shown three times
		cut    = 2
	)

	rates := map[string]string{
		"0.5": "48000", "0.75": "32000", "1": "44100", "1.25": "24000", "1.5": "22050", "1.75": "88200", "2": "96000",
	}

	for _, speed := range timeline.Speeds() {
		rate, known := rates[speed.String()]
		require.True(b, known, "a rate for speed %v", speed)

		b.Run(speed.String(), func(b *testing.B) {
			beat, fps := beatOf(b, speed)
			cuts := []values.Span{values.SpanOf(0, 15*beat)} // decoding starts in the middle

			var events []int64

			// One event shortly before and one shortly after each cut, all at the start of a frame. There is no event
			// where a transition fades.
			for at := int64(22); at < length-20; at += 65 {
				cuts = append(cuts, values.SpanOf(at*beat, cut*beat))
				events = append(events, (at-2)*beat, (at+cut+2)*beat, (at+30)*beat)
			}

			path := filepath.Join(b.TempDir(), "sync.mp4")
			require.NoError(b, reel.ClickAndFlash(b.Context(), path, reel.Film{
				FPS: fps, Frames: int(length*beat) * fps / 1000, EventsMs: events,
				Sound: []string{"-c:a", "aac", "-b:a", "192k", "-ar", rate},
			}))

			for b.Loop() {
				s := rendering.New(b)
				s.Add(b, "su_a", path)

				clip := s.Clip("su_a", cuts...)
				clip.LengthMs = length * beat
				clip.Smooth = true

				var want []float64

				for i := range 3 {
					for _, ms := range events {
						want = append(want, exportedMs(clip.Clock(), i, ms, speed))
					}
				}

				settings := rendering.Wide()
				settings.FPS, settings.Speed = 60, speed
				result := s.Render(b, settings, clip, clip, clip)

				stray, apart := requireTogether(b, result.Path, want)
				b.ReportMetric(apart, "worst-ms")
				b.ReportMetric(stray, "flash-ms")
				b.Logf("%d events in %.0f s", len(want), float64(result.DurationMs)/1000)
			}
		})
	}
}
