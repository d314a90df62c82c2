package audio_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/audio"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// noise returns random samples with a level in decibels of full scale.
func noise(ms int, db float64) []int16 {
	r := rand.New(rand.NewPCG(7, 7))
	top := 32768 * math.Pow(10, db/20) * math.Sqrt(3)
	all := make([]int16, 2*ms*audio.LevelRate/1000)

	for i := 0; i < len(all); i += 2 {
		all[i] = int16(top * (2*r.Float64() - 1))
		all[i+1] = all[i]
	}

	return all
}

func silences(lengthMs int64, pieces ...[]int16) []values.Span {
	var l audio.Levels
	for _, piece := range pieces {
		l.Add(piece)
	}

	return l.Silences(lengthMs)
}

// Whatever the level of the constant noise, the sound that rises above it is speech.
func TestSilencesAreMeasuredFromTheNoise(t *testing.T) {
	t.Parallel()

	for _, floor := range []float64{-80, -60, -45, -38} {
		got := silences(3000, noise(800, floor), noise(1200, -15), noise(90, floor), noise(410, -15), noise(500, floor))
		require.Equal(t, []values.Span{{StartMs: 0, EndMs: 800}, {StartMs: 2500, EndMs: 3000}}, got, "%v dB; 90 ms are too short", floor)
	}
}

// Two seconds of speech in a minute are found in any noise. A click is not speech, and a cry does not turn the talk
// before it into silence.
func TestSilencesAroundRareSpeech(t *testing.T) {
	t.Parallel()

	for _, floor := range []float64{-90, -60, -52, -40} {
		got := silences(60_000, noise(40_000, floor), noise(2000, -15), noise(18_000, floor))
		require.Equal(t, []values.Span{{EndMs: 40_000}, {StartMs: 42_000, EndMs: 60_000}}, got, "%v dB", floor)
	}

	require.Equal(t, []values.Span{{EndMs: 30_000}}, silences(30_000, noise(20_000, -60), noise(50, -3), noise(9950, -60)), "a click")
	require.Empty(t, silences(30_000, noise(20_000, -25), noise(1000, -3), noise(9000, -25)), "a cry")
}

func TestSilencesOfConstantSound(t *testing.T) {
	t.Parallel()

	whole := []values.Span{{EndMs: 2000}}

	require.Empty(t, silences(2000, noise(2000, -20)), "constant level")
	require.Equal(t, whole, silences(2000, noise(2000, -70)), "inaudible")
	require.Equal(t, whole, silences(2000), "no sound")
	require.Equal(t, []values.Span{{StartMs: 1000, EndMs: 1255}}, silences(1255, noise(1000, -20)), "the recording is longer")
	require.Equal(t, []values.Span{{EndMs: 500}}, silences(500, noise(1000, -60), noise(500, -20)), "and shorter")
}

func TestWaveform(t *testing.T) {
	t.Parallel()

	var w audio.Waveform

	w.Add([]int16{-32768, -32768, 32767, 32767})
	w.Add(make([]int16, 2*audio.SamplesPerPixel-4))
	w.Add([]int16{-1, -1, 256, 256})
	require.Equal(t, []int8{-128, 127, -1, 1}, w.Data())
}
