package sound_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
	reel "github.com/reelgraph/reelgraph/test/testkit/footage"
	"github.com/reelgraph/reelgraph/test/testkit/rendering"
)

// addSound adds a source with a sound that FFmpeg computes.
func addSound(t *testing.T, s *rendering.Studio, id, expression string) {
	t.Helper()

	path := filepath.Join(t.TempDir(), id+".wav")
	require.NoError(t, s.Engine.Tools.Run(t.Context(), ffmpeg.Command{Args: []string{"-f", "lavfi", "-i", expression, path}}))
	s.AddAs(t, id, path, probe.KindAudio)
}

// Everything at once, cut and blended: the promised number of samples, no clicks, the same bytes with any number of
// workers, and each sound at its time.
func TestRenderSoundOfEverything(t *testing.T) {
	t.Parallel()

	s := rendering.New(t)
	s.Add(t, "su_a", rendering.Counter(t, reel.Film{Frames: 90, Tone: 200}, "a.mp4"))
	addSound(t, s, "su_music", "sine=frequency=500:sample_rate=44100:duration=0.9")
	addSound(t, s, "su_effect", "sine=frequency=2000:sample_rate=48000:duration=2")

	first := s.Clip("su_a", values.SpanOf(711, 503), values.SpanOf(1_999, 1))
	first.LengthMs = 3_000
	first.Sounds[0].Speech = true
	second := first
	second.Smooth = true
	second.Sounds = nil
	second.Cues = []timeline.Cue{{
		Sound: timeline.Sound{Source: "su_effect", Volume: 2}, Span: values.Span{StartMs: 1_214, EndMs: 1_614},
	}}
	video := timeline.Video{Clips: []timeline.Clip{first, second}, Music: &timeline.Sound{Source: "su_music", Volume: 0.5}}

	settings := rendering.Wide()
	plan := s.PlanVideo(t, settings, video)
	result := s.RenderPlan(t, plan)

	// The edit list removes the encoder's priming.
	samples, err := reel.Samples(t.Context(), result.Path)
	require.NoError(t, err)
	require.Equal(t, int64(4_992), video.DurationMs())
	require.InDelta(t, 150*1600, len(samples), 1024)
	require.Equal(t, int64(150*1600), plan.Outputs[0].Mix.Samples)

	steepest := 0.0 // the slopes of three tones of amplitude 1/8, with the effect doubled and the music halved
	for _, tone := range [][2]float64{{200, 0.125}, {500, 0.0625}, {2000, 0.25}} {
		steepest += tone[1] * 2 * math.Pi * tone[0] / 48_000
	}

	step := 0.0
	for i := 1; i < len(samples); i++ {
		step = max(step, math.Abs(float64(samples[i]-samples[i-1])))
	}

	require.Less(t, step, 1.25*steepest, "a click")

	// 10 ms windows: the effect is heard for 400 ms from 711 ms of the second clip on.
	for i, level := range bandLevels(samples, 2000) {
		ms := 10 * i
		if at := ms - (2_496 + 711); at >= 0 && at < 390 {
			require.Greater(t, level, 0.2, "%d ms", ms)
		} else if at < -10 || at > 400 {
			require.Less(t, level, 0.05, "%d ms", ms)
		}
	}

	// The music, half of 1/8, is 12 dB below the tone that stands for speech, and silent at the end.
	music := bandLevels(samples, 500)
	require.InDelta(t, 0.0625/4, music[100], 0.003)
	require.Less(t, music[len(music)-3], 0.001)

	again := s.Beside(t)
	again.Engine.Workers = 1
	other := again.RenderPlan(t, plan)
	one, err := os.ReadFile(result.Path)
	require.NoError(t, err)
	two, err := os.ReadFile(other.Path)
	require.NoError(t, err)
	require.True(t, bytes.Equal(one, two), "the same bytes")
}

// bandLevels returns the amplitude of one frequency in windows of 10 ms.
func bandLevels(samples []float32, hz float64) []float64 {
	var levels []float64

	const window = 480
	for ; len(samples) >= window; samples = samples[window:] {
		var re, im float64
		for i, s := range samples[:window] {
			re += float64(s) * math.Cos(2*math.Pi*hz*float64(i)/48_000)
			im += float64(s) * math.Sin(2*math.Pi*hz*float64(i)/48_000)
		}

		levels = append(levels, 2*math.Hypot(re, im)/window)
	}

	return levels
}
