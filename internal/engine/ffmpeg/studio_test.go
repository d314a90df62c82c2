package ffmpeg_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
	reel "github.com/reelgraph/reelgraph/test/testkit/footage"
	"github.com/reelgraph/reelgraph/test/testkit/rendering"
)

// spoken is a film whose sound is like speech over noise: syllables of a buzzing voice, words, pauses,
// and a hiss under all of it, as loud as asked for. Clicks mark moments.
func spoken(t *testing.T, volumeDB float64, seconds int, name string) string {
	t.Helper()

	// A buzz of 120 Hz with formants, in syllables of 0.2 s, with a pause after every fifth.
	voice := "lt(mod(t,1.4),1)*pow(abs(sin(PI*t/0.2)),0.5)*(0.5*sin(2*PI*120*t)+0.35*sin(2*PI*480*t)+0.25*sin(2*PI*1440*t)+0.1*sin(2*PI*2640*t))"
	sound := fmt.Sprintf("aevalsrc=exprs='%s+0.004*(random(0)-0.5)':s=48000:c=mono:d=%d,volume=%.1fdB", voice, seconds, volumeDB)
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, rendering.Tools(t).Run(t.Context(), ffmpeg.Command{Args: []string{
		"-f", "lavfi", "-i", fmt.Sprintf("color=black:s=160x90:r=30:d=%d", seconds), "-f", "lavfi", "-i", sound,
		"-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", "-b:a", "128k", path,
	}}))

	return path
}

// ebur128 is what FFmpeg's own meter says of the sound of a file: LUFS, and dB of the true peak.
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

// cleaned is a clip of speech with studio sound, five seconds long.
func cleaned(s *rendering.Studio, t *testing.T, volumeDB float64) timeline.Clip {
	t.Helper()

	info := s.Add(t, "su_a", spoken(t, volumeDB, 5, "spoken.mp4"))
	clip := s.Clip("su_a")
	clip.LengthMs = info.DurationMs
	clip.Sounds[0].Studio = true

	return clip
}

// Speech comes out as loud as promised however quiet it was recorded, its peaks bounded and its pauses
// cleaner, and it is made once.
func TestStudioSound(t *testing.T) {
	t.Parallel()

	for name, volumeDB := range map[string]float64{"quiet": -30, "loud": -4} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			s := rendering.New(t)
			clip := cleaned(s, t, volumeDB)
			result := s.Render(t, rendering.Wide(), clip)

			integrated, peak := ebur128(t, result.Path)
			t.Logf("%.1f LUFS, %.1f dBTP", integrated, peak)
			require.InDelta(t, -16, integrated, 0.5)
			require.LessOrEqual(t, peak, -1.5)

			before, after := rms(t, s.Files["su_a"].Path, 100), rms(t, result.Path, 100)
			// A syllable and the middle of a pause.
			gain := func(levels []float64) float64 { return 20 * math.Log10(levels[31]/(levels[40]+1e-9)) }
			require.Greater(t, gain(after), gain(before)+3, "the pauses are cleaner")

			// Another export of it cleans nothing.
			kept, err := filepath.Glob(filepath.Join(s.Cache.Dir, plan.Voice{Content: s.Sources["su_a"].Content, Heard: s.Sources["su_a"].Heard}.StudioKey()+"*"))
			require.NoError(t, err)
			require.Len(t, kept, 1)

			was, err := os.Stat(kept[0])
			require.NoError(t, err)

			clip.Sounds[0].Volume = 0.5
			half := s.Render(t, rendering.Wide(), clip)
			quieter, _ := ebur128(t, half.Path)
			require.InDelta(t, integrated-6.02, quieter, 0.2, "a volume is of the studio sound")

			now, err := os.Stat(kept[0])
			require.NoError(t, err)
			require.True(t, os.SameFile(was, now))
			require.Equal(t, was.ModTime(), now.ModTime())
		})
	}
}

// Studio sound moves nothing: every click is heard when its flash is seen.
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
