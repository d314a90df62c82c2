package media_test

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/media"
	reel "github.com/reelgraph/reelgraph/internal/testkit/footage"
	"github.com/reelgraph/reelgraph/internal/timeline"
)

func clickAndFlash(t *testing.T, f reel.Film, name string) string {
	t.Helper()

	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, reel.ClickAndFlash(t.Context(), path, f))

	return path
}

// Sound and picture of one moment stay together behind every cut, behind a smooth transition, at every
// speed. All times are whole
// frames of the source and of the output, so that nothing but the renderer can part them.
func TestRenderKeepsSoundAndPictureTogether(t *testing.T) {
	t.Parallel()

	// One event shortly before and one shortly behind each edge of each cut, and one per clip between.
	events := []int64{400, 1_800, 2_600, 4_000, 5_600, 6_200, 11_800, 12_000, 12_400, 14_200, 17_800, 18_400, 19_400}
	film := reel.Film{Frames: 600, EventsMs: events}
	cuts := []timeline.Span{timeline.SpanOf(2_000, 600), timeline.SpanOf(6_000, 6_000), timeline.SpanOf(18_000, 200)}
	heard := func(ms int64) bool {
		for _, c := range cuts {
			if ms >= c.StartMs && ms < c.EndMs {
				return false
			}
		}

		return true
	}

	for name, speeds := range map[string][]string{
		"sync.mp4": {"0.5", "1", "1.5", "2"}, "sync.mkv": {"1"}, "sync.ts": {"1"},
	} {
		all := newStudio(t)
		all.add(t, "su_a", clickAndFlash(t, film, name))

		for _, text := range speeds {
			t.Run(name+" at "+text, func(t *testing.T) {
				t.Parallel()

				s := all.beside(t)
				settings := wide()
				settings.FPS = 60

				var err error

				settings.Speed, err = timeline.ParseSpeed(text)
				require.NoError(t, err)

				clip := s.clip("su_a", cuts...)
				clip.LengthMs = 20_000
				clock := clip.Clock()
				second := clip
				second.Smooth = true
				result := s.render(t, settings, clip, second)

				var want []float64

				for i := range int64(2) {
					for _, ms := range events {
						if heard(ms) {
							want = append(want, float64(i*clock.DurationMs()+clock.Play(ms))*float64(settings.Speed.Den)/float64(settings.Speed.Num))
						}
					}
				}

				flashes, err := reel.FlashesMs(t.Context(), result.Path)
				require.NoError(t, err)
				clicks, err := reel.ClicksMs(t.Context(), result.Path)
				require.NoError(t, err)
				require.Len(t, flashes, len(want))
				require.Len(t, clicks, len(want))

				worst := 0.0

				for i := range want {
					require.InDelta(t, want[i], flashes[i], 1, "flash %d", i)
					require.InDelta(t, flashes[i], clicks[i], 10, "click %d", i)
					worst = max(worst, math.Abs(clicks[i]-flashes[i]))
				}

				t.Logf("at most %.2f ms apart", worst)
			})
		}
	}
}

// rms are the levels of the sound of a file in windows of a length.
func rms(t *testing.T, path string, windowMs int) []float64 {
	t.Helper()

	samples, err := reel.Samples(t.Context(), path)
	require.NoError(t, err)

	var levels []float64

	for window := 48 * windowMs; len(samples) >= window; samples = samples[window:] {
		sum := 0.0
		for _, s := range samples[:window] {
			sum += float64(s) * float64(s)
		}

		levels = append(levels, math.Sqrt(sum/float64(window)))
	}

	return levels
}

// Volumes multiply, two sounds of a clip are mixed, no sound is silence, and what is too loud is
// turned down and not clipped.
func TestRenderMixes(t *testing.T) {
	t.Parallel()

	s := newStudio(t)
	loud := []string{"-af", "volume=6", "-c:a", "aac", "-b:a", "192k"}
	s.add(t, "su_a", counter(t, reel.Film{Frames: 30, Tone: 440, Sound: loud}, "a.mp4"))
	s.add(t, "su_b", counter(t, reel.Film{Frames: 30, Tone: 1000, Sound: loud}, "b.mp4"))
	s.add(t, "su_silent", counter(t, reel.Film{Frames: 30}, "silent.mp4"))

	volumes := func(a, b float64) timeline.Clip {
		c := s.clip("su_a")
		c.LengthMs = 1_000
		c.Sounds = []timeline.Sound{{Source: "su_a", Volume: a}, {Source: "su_b", Volume: b}}

		return c
	}
	silent := s.clip("su_silent")
	silent.LengthMs = 1_000

	result := s.render(t, wide(), volumes(1, 0), silent, volumes(0, 0.5), volumes(0.5, 0.5), volumes(2, 2))
	levels := rms(t, result.Path, 500)
	require.Len(t, levels, 10)

	// The tone has amplitude 1/8, times 6, on one channel.
	one := 0.75 / math.Sqrt2
	for i, want := range []float64{one, 0, one / 2, one / math.Sqrt2} {
		require.InDelta(t, want, levels[2*i], 0.02, "clip %d", i)
	}

	samples, err := reel.Samples(t.Context(), result.Path)
	require.NoError(t, err)

	peak := 0.0
	for _, v := range samples[4*48_000:] {
		peak = max(peak, math.Abs(float64(v)))
	}

	require.InDelta(t, 0.95, peak, 0.04, "limited")
	require.Greater(t, levels[8], 0.35)
}

// A sound that begins after the picture, or ends before it, stays where it was.
func TestRenderLateSound(t *testing.T) {
	t.Parallel()

	path := counter(t, reel.Film{Frames: 120, Tone: 440, SoundMs: 1_500}, "a.mp4")
	late := path + ".late.mp4"
	require.NoError(t, tools(t).Run(t.Context(), media.Command{
		Args: []string{"-i", path, "-itsoffset", "1.5", "-i", path, "-map", "0:v", "-map", "1:a", "-c", "copy", late},
	}))

	s := newStudio(t)
	s.add(t, "su_a", late)
	clip := s.clip("su_a")
	clip.LengthMs = 4_000

	var heard strings.Builder
	for _, level := range rms(t, s.render(t, wide(), clip).Path, 250) {
		fmt.Fprint(&heard, map[bool]string{true: "x", false: "."}[level > 0.01])
	}

	require.Equal(t, "......xxxxxx....", heard.String())
}
