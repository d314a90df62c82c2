package sound_test

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
	reel "github.com/reelgraph/reelgraph/test/testkit/footage"
	"github.com/reelgraph/reelgraph/test/testkit/rendering"
)

func clickAndFlash(t *testing.T, f reel.Film, name string) string {
	t.Helper()

	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, reel.ClickAndFlash(t.Context(), path, f))

	return path
}

// beatOf returns a length and a film's frame rate such that any whole number of beats begins with a frame, in the film
// and in an export at that speed and 60 fps.
func beatOf(tb testing.TB, speed timeline.Speed) (ms int64, fps int) {
	tb.Helper()

	for _, b := range []struct {
		ms  int64
		fps int
	}{{100, 30}, {125, 40}, {175, 40}} {
		if b.ms*60*speed.Den%(1000*speed.Num) == 0 {
			return b.ms, b.fps
		}
	}

	require.Fail(tb, "no beat is whole frames", "at speed %v", speed)

	return 0, 0
}

// requireTogether requires flashes and clicks at these times of a film, in milliseconds, and at no others. Each time is
// the start of a frame, so a flash is off either by rounding or by a whole frame; a tolerance of one millisecond tells
// them apart. It returns the largest distance of a flash from its time, and of a click from its flash.
func requireTogether(tb testing.TB, path string, want []float64) (stray, apart float64) {
	tb.Helper()

	flashes, err := reel.FlashesMs(tb.Context(), path)
	require.NoError(tb, err)
	clicks, err := reel.ClicksMs(tb.Context(), path)
	require.NoError(tb, err)
	require.Len(tb, flashes, len(want))
	require.Len(tb, clicks, len(want))

	for i := range want {
		require.InDelta(tb, want[i], flashes[i], 1, "flash %d", i)
		require.InDelta(tb, want[i], clicks[i], 10, "click %d", i)
		require.InDelta(tb, flashes[i], clicks[i], 10, "flash %d and its click", i)

		stray, apart = max(stray, math.Abs(flashes[i]-want[i])), max(apart, math.Abs(clicks[i]-flashes[i]))
	}

	return stray, apart
}

// exportedMs returns when a moment of a clip appears in an export that repeats the clip, after that many whole clips.
func exportedMs(clock timeline.Clock, clips int, ms int64, speed timeline.Speed) float64 {
	return float64(int64(clips)*clock.DurationMs()+clock.Play(ms)) * float64(speed.Den) / float64(speed.Num)
}

// Sound and picture of a moment stay together after every cut and smooth transition, at every speed. All times are
// whole frames of source and output, so only the renderer can separate them.
func TestRenderKeepsSoundAndPictureTogether(t *testing.T) {
	t.Parallel()

	// In beats: one event shortly before and one shortly after each edge of each cut, and some in between.
	const length = 118

	events := []int64{4, 12, 20, 26, 32, 36, 78, 80, 84, 96, 108, 114}
	cuts := []values.Span{values.SpanOf(14, 6), values.SpanOf(34, 46), values.SpanOf(110, 2)}

	type film struct {
		name  string
		speed timeline.Speed
	}

	films := []film{{"sync.mkv", timeline.Normal()}} // other containers are read differently; one speed is enough

	for _, speed := range timeline.Speeds() {
		name := "sync.mp4"
		if speed == (timeline.Speed{Num: 3, Den: 2}) {
			name = "sync.ts"
		}

		films = append(films, film{name, speed})
	}

	made := map[string]*rendering.Studio{}

	for _, f := range films {
		beat, fps := beatOf(t, f.speed)
		times := make([]int64, len(events))

		for i := range events {
			times[i] = events[i] * beat
		}

		all := made[fmt.Sprint(f.name, beat)]
		if all == nil {
			all = rendering.New(t)
			all.Add(t, "su_a", clickAndFlash(t, reel.Film{FPS: fps, Frames: int(length*beat) * fps / 1000, EventsMs: times}, f.name))
			made[fmt.Sprint(f.name, beat)] = all
		}

		t.Run(fmt.Sprintf("%s at %v", f.name, f.speed), func(t *testing.T) {
			t.Parallel()

			s := all.Beside(t)
			settings := rendering.Wide()
			settings.FPS, settings.Speed = 60, f.speed

			clip := s.Clip("su_a")
			clip.LengthMs = length * beat

			for _, c := range cuts {
				clip.Cuts = append(clip.Cuts, values.SpanOf(c.StartMs*beat, c.LengthMs()*beat))
			}

			second := clip
			second.Smooth = true
			clock := clip.Clock()

			var want []float64

			for i := range 2 {
				for _, ms := range times {
					if !clock.Cutout(ms) {
						want = append(want, exportedMs(clock, i, ms, f.speed))
					}
				}
			}

			stray, apart := requireTogether(t, s.Render(t, settings, clip, second).Path, want)
			t.Logf("flashes at most %.2f ms from their times, clicks %.2f ms from them", stray, apart)
		})
	}
}

// Volumes multiply, two sounds of a clip are mixed, missing sound is silence, and sound that is too loud is limited,
// not clipped.
func TestRenderMixes(t *testing.T) {
	t.Parallel()

	s := rendering.New(t)
	loud := []string{"-af", "volume=6", "-c:a", "aac", "-b:a", "192k"}
	s.Add(t, "su_a", rendering.Counter(t, reel.Film{Frames: 30, Tone: 440, Sound: loud}, "a.mp4"))
	s.Add(t, "su_b", rendering.Counter(t, reel.Film{Frames: 30, Tone: 1000, Sound: loud}, "b.mp4"))
	s.Add(t, "su_silent", rendering.Counter(t, reel.Film{Frames: 30}, "silent.mp4"))

	volumes := func(a, b float64) timeline.Clip {
		c := s.Clip("su_a")
		c.LengthMs = 1_000
		c.Sounds = []timeline.Sound{{Source: "su_a", Volume: a}, {Source: "su_b", Volume: b}}

		return c
	}
	silent := s.Clip("su_silent")
	silent.LengthMs = 1_000

	result := s.Render(t, rendering.Wide(), volumes(1, 0), silent, volumes(0, 0.5), volumes(0.5, 0.5), volumes(2, 2))
	levels := rendering.RMS(t, result.Path, 500)
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

// A sound that begins after the picture, or ends before it, stays at its time.
func TestRenderLateSound(t *testing.T) {
	t.Parallel()

	path := rendering.Counter(t, reel.Film{Frames: 120, Tone: 440, SoundMs: 1_500}, "a.mp4")
	late := path + ".late.mp4"
	require.NoError(t, rendering.Tools(t).Run(t.Context(), ffmpeg.Command{
		Args: []string{"-i", path, "-itsoffset", "1.5", "-i", path, "-map", "0:v", "-map", "1:a", "-c", "copy", late},
	}))

	s := rendering.New(t)
	s.Add(t, "su_a", late)
	clip := s.Clip("su_a")
	clip.LengthMs = 4_000

	var heard strings.Builder
	for _, level := range rendering.RMS(t, s.Render(t, rendering.Wide(), clip).Path, 250) {
		fmt.Fprint(&heard, map[bool]string{true: "x", false: "."}[level > 0.01])
	}

	require.Equal(t, "......xxxxxx....", heard.String())
}
