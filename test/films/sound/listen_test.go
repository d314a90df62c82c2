package sound_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/audio"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
	reel "github.com/reelgraph/reelgraph/test/testkit/footage"
	"github.com/reelgraph/reelgraph/test/testkit/rendering"
)

// Sound of any rate, codec and number of channels is in sync with its picture, also when decoding starts in the middle.
func TestRenderSoundOfAnyKind(t *testing.T) {
	t.Parallel()

	kinds := map[string]string{
		"5.1 in AC-3.mkv": "-c:a ac3 -ac 6", "5.1 in E-AC-3.ts": "-c:a eac3 -ac 6", "5.1 in AAC.mp4": "-c:a aac -ac 6 -b:a 384k",
		"7.1 in FLAC.mkv": "-c:a flac -ac 8", "Opus.mkv": "-c:a libopus", "MP3.flv": "-c:a libmp3lame -ar 44100", "MP2.ts": "-c:a mp2",
		"24 bits.mov": "-c:a pcm_s24be", "8 bits.mov": "-c:a pcm_u8 -ar 11025 -ac 1",
	}

	for _, rate := range []string{"22050", "44100", "96000"} {
		for _, ending := range []string{".mp4", ".mkv", ".ts"} {
			kinds[rate+ending] = "-c:a aac -b:a 192k -ar " + rate
		}
	}

	for name, sound := range kinds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			s := rendering.New(t)
			s.Add(t, "su_a", clickAndFlash(t, reel.Film{
				Frames: 270, EventsMs: []int64{400, 3_800, 5_200, 8_000}, Sound: strings.Fields(sound),
			}, name))

			clip := s.Clip("su_a", values.SpanOf(0, 3_000))
			clip.LengthMs = 9_000

			result := s.Render(t, rendering.Wide(), clip)
			flashes, err := reel.FlashesMs(t.Context(), result.Path)
			require.NoError(t, err)
			require.Len(t, flashes, 3)

			for i, want := range []float64{800, 2_200, 5_000} {
				require.InDelta(t, want, flashes[i], 1, "flash %d", i)
			}

			clicks, err := reel.ClicksMs(t.Context(), result.Path)
			require.NoError(t, err)
			require.Len(t, clicks, 3)

			for i := range flashes {
				require.InDelta(t, flashes[i], clicks[i], 10, "click %d", i)
			}
		})
	}
}

// Joined files change their channels or rate in the middle. What follows is heard at its time and at its own loudness,
// in films and in speech recognition.
func TestSoundChangesFormat(t *testing.T) {
	t.Parallel()

	run := func(t *testing.T, args ...string) {
		t.Helper()
		require.NoError(t, reel.FFmpeg(t.Context(), nil, nil, append([]string{"-v", "error", "-y"}, args...)...))
	}

	for name, change := range map[string]struct {
		ending        string
		before, after string // channel layout and sample rate of each part
		packed        string // container around it; empty means none
	}{
		"one channel, then two":  {"aac", "mono 44100", "stereo 44100", ""},
		"two channels, then one": {"mp3", "stereo 44100", "mono 44100", ""},
		"in an MP4":              {"aac", "mono 48000", "stereo 48000", "mp4"},
		"in a Matroska":          {"aac", "mono 44100", "stereo 44100", "mkv"},
		"rates":                  {"mp3", "stereo 44100", "stereo 22050", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			folder := t.TempDir()
			path := filepath.Join(folder, "joined."+change.ending)

			var joined []byte

			for i, volume := range []string{"0.2", "0.4"} {
				layout, rate, _ := strings.Cut([]string{change.before, change.after}[i], " ")

				tone := volume + "*sin(2*PI*441*t)"
				if layout == "stereo" {
					tone += "|" + tone
				}

				one := filepath.Join(folder, "one."+change.ending)
				run(t, "-f", "lavfi", "-i", "aevalsrc='"+tone+"':d=3:s="+rate+":c="+layout, one)

				content, err := os.ReadFile(one)
				require.NoError(t, err)

				joined = append(joined, content...)
			}

			require.NoError(t, os.WriteFile(path, joined, 0o600))

			if change.packed != "" {
				packed := filepath.Join(folder, "packed."+change.packed)
				run(t, "-i", path, "-c", "copy", packed)
				path = packed
			}

			s := rendering.New(t)
			s.Add(t, "su_a", rendering.Counter(t, reel.Film{Frames: 180}, "a.mp4"))
			s.AddAs(t, "su_b", path, probe.KindAudio)

			clip := s.Clip("su_a")
			clip.LengthMs = 6_000
			clip.Sounds = []timeline.Sound{{Source: "su_b", Volume: 1}}

			for i, level := range rendering.RMS(t, s.Render(t, rendering.Wide(), clip).Path, 500) {
				want := 0.2 / math.Sqrt2
				if i >= 6 {
					want = 0.4 / math.Sqrt2
				}

				if i != 0 && i != 6 { // encoders delay by some hundredths of a second
					require.InEpsilon(t, want, level, 0.07, "half second %d", i)
				}
			}

			recording, err := probe.Open(t.Context(), s.Engine.Tools, s.Files["su_b"])
			require.NoError(t, err)

			var heard []int16

			require.NoError(t, audio.Samples(t.Context(), s.Engine.Runner(), recording, 8_000, func(some []int16) {
				for i := 0; i < len(some); i += 2 { // the left channel
					heard = append(heard, some[i])
				}
			}))
			require.InDelta(t, 6*8_000, len(heard), 0.15*8_000)

			for i, want := range []float64{0.2, 0.2, 0.4, 0.4} {
				peak := 0.0
				for _, v := range heard[i*12_000+2_000 : i*12_000+10_000] {
					peak = max(peak, math.Abs(float64(v))/32_768)
				}

				require.InDelta(t, want, peak, 0.02, "quarter %d", i)
			}
		})
	}
}

// After the end of a sound there is silence, also when decoding starts there.
func TestRenderBehindTheEndOfTheSound(t *testing.T) {
	t.Parallel()

	for _, name := range []string{"a.mp4", "a.mkv", "a.ts"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			s := rendering.New(t)
			s.Add(t, "su_a", rendering.Counter(t, reel.Film{Frames: 300, Tone: 440, SoundMs: 1_500}, name))

			clip := s.Clip("su_a", values.SpanOf(0, 5_000))
			clip.LengthMs = 9_000

			levels := rendering.RMS(t, s.Render(t, rendering.Wide(), clip).Path, 500)
			require.Len(t, levels, 8)

			for _, level := range levels {
				require.Less(t, level, 1e-3)
			}

			var said bytes.Buffer

			require.NoError(t, audio.Speech(t.Context(), s.Engine.Runner(), s.Files["su_a"], 16_000, 9_000, &said))
			require.Equal(t, 9*16_000*2, said.Len())
		})
	}
}

// If a sound's decoder fails in the middle, the export fails instead of being silent.
func TestRenderFailsWithItsSound(t *testing.T) {
	t.Parallel()

	s := rendering.New(t)
	s.Add(t, "su_a", rendering.Counter(t, reel.Film{Frames: 90, Tone: 440}, "a.mp4"))
	clip := s.Clip("su_a")
	clip.LengthMs = 3_000
	plan := s.Plan(t, rendering.Wide(), clip)

	ffmpeg := s.Engine.Tools.FFmpeg
	s.Engine.Tools.FFmpeg = rendering.Before(t, ffmpeg, `case "$*" in *'nut pipe:1') `+ffmpeg+` "$@" | head -c 200000; exit 3;; esac`)

	_, err := s.Engine.Render(t.Context(), plan, s.Files, s.Cache, nil)
	require.ErrorContains(t, err, "exit status 3")
}
