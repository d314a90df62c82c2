package sound_test

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
	reel "github.com/reelgraph/reelgraph/test/testkit/footage"
	"github.com/reelgraph/reelgraph/test/testkit/rendering"
)

// ebur128 returns what FFmpeg's meter reports for a file's sound: LUFS, and dB of the true peak.
func ebur128(t *testing.T, path string) (integrated, peak float64) {
	t.Helper()

	out, err := reel.Said(t.Context(), "-i", path, "-vn", "-af", "ebur128=peak=true", "-f", "null", "-")
	require.NoError(t, err)

	value := func(pattern string) float64 {
		found := regexp.MustCompile(pattern).FindStringSubmatch(out[max(0, strings.LastIndex(out, "Summary:")):])
		require.NotNil(t, found, out)

		v, err := strconv.ParseFloat(found[1], 64)
		require.NoError(t, err)

		return v
	}

	return value(`I:\s+(-?[\d.]+) LUFS`), value(`Peak:\s+(-?[\d.]+) dBFS`)
}

// Speech has the promised loudness however quiet the recording is, with limited peaks and cleaner pauses. Studio sound
// is made once.
func TestStudioSound(t *testing.T) {
	t.Parallel()

	for name, volumeDB := range map[string]float64{"quiet": -30, "loud": -4} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			s := rendering.New(t)
			clip := rendering.Cleaned(t, s, volumeDB)
			result := s.Render(t, rendering.Wide(), clip)

			integrated, peak := ebur128(t, result.Path)
			t.Logf("%.1f LUFS, %.1f dBTP", integrated, peak)
			require.InDelta(t, -16, integrated, 0.5)
			require.LessOrEqual(t, peak, -1.5)

			before, after := rendering.RMS(t, s.Files["su_a"].Path, 100), rendering.RMS(t, result.Path, 100)
			// A syllable and the middle of a pause.
			gain := func(levels []float64) float64 { return 20 * math.Log10(levels[31]/(levels[40]+1e-9)) }
			require.Greater(t, gain(after), gain(before)+3, "the pauses are cleaner")

			// A second export reuses the cleaned sound.
			kept, err := filepath.Glob(filepath.Join(s.Cache.Dir, plan.Voice{Content: s.Sources["su_a"].Content, Heard: s.Sources["su_a"].Heard}.StudioKey()+"*"))
			require.NoError(t, err)
			require.Len(t, kept, 1)

			was, err := os.Stat(kept[0])
			require.NoError(t, err)

			clip.Sounds[0].Volume = 0.5
			half := s.Render(t, rendering.Wide(), clip)
			quieter, _ := ebur128(t, half.Path)
			require.InDelta(t, integrated-6.02, quieter, 0.2, "the volume applies to the studio sound")

			now, err := os.Stat(kept[0])
			require.NoError(t, err)
			require.True(t, os.SameFile(was, now))
			require.Equal(t, was.ModTime(), now.ModTime())
		})
	}
}

// Studio sound does not shift time: every click is heard with its flash.
func TestStudioSoundStaysInTime(t *testing.T) {
	t.Parallel()

	events := []int64{500, 1_500, 2_500, 3_500}
	s := rendering.New(t)
	s.Add(t, "su_a", clickAndFlash(t, reel.Film{Frames: 120, EventsMs: events}, "sync.mp4"))

	clip := s.Clip("su_a", values.SpanOf(1_800, 500))
	clip.LengthMs = 4_000
	clip.Sounds[0].Studio = true
	result := s.Render(t, rendering.Wide(), clip)

	flashes, err := reel.FlashesMs(t.Context(), result.Path)
	require.NoError(t, err)
	clicks, err := reel.ClicksMs(t.Context(), result.Path)
	require.NoError(t, err)
	require.Len(t, flashes, len(events))
	require.Len(t, clicks, len(events))

	for i := range flashes {
		require.InDelta(t, flashes[i], clicks[i], 5)
	}
}
