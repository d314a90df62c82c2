package rendering

import (
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	reel "github.com/reelgraph/reelgraph/test/testkit/footage"
)

// Spoken makes a film whose sound resembles speech with noise, at the given volume: syllables of a buzzing voice,
// words, pauses and a hiss.
func Spoken(tb testing.TB, volumeDB float64, seconds int, name string) string {
	tb.Helper()

	// A buzz of 120 Hz with formants, in syllables of 0.2 s with a pause after every fifth.
	voice := "lt(mod(t,1.4),1)*pow(abs(sin(PI*t/0.2)),0.5)*" +
		"(0.5*sin(2*PI*120*t)+0.35*sin(2*PI*480*t)+0.25*sin(2*PI*1440*t)+0.1*sin(2*PI*2640*t))"
	sound := fmt.Sprintf("aevalsrc=exprs='%s+0.004*(random(0)-0.5)':s=48000:c=mono:d=%d,volume=%.1fdB", voice, seconds, volumeDB)
	path := filepath.Join(tb.TempDir(), name)
	require.NoError(tb, Tools(tb).Run(tb.Context(), ffmpeg.Command{Args: []string{
		"-f", "lavfi", "-i", fmt.Sprintf("color=black:s=160x90:r=30:d=%d", seconds), "-f", "lavfi", "-i", sound,
		"-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", "-b:a", "128k", path,
	}}))

	return path
}

// Cleaned is a clip of five seconds of speech with studio sound.
func Cleaned(tb testing.TB, s *Studio, volumeDB float64) timeline.Clip {
	tb.Helper()

	info := s.Add(tb, "su_a", Spoken(tb, volumeDB, 5, "spoken.mp4"))
	clip := s.Clip("su_a")
	clip.LengthMs = info.DurationMs
	clip.Sounds[0].Studio = true

	return clip
}

// RMS returns the sound levels of a file in windows of windowMs.
func RMS(tb testing.TB, path string, windowMs int) []float64 {
	tb.Helper()

	samples, err := reel.Samples(tb.Context(), path)
	require.NoError(tb, err)

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
