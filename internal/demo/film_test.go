package demo

import (
	"bytes"
	"crypto/sha256"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func screens() map[string]Screen {
	return map[string]Screen{"page": Page(), "editor": Editor(), "form": Form()}
}

// What is on a screen changes during the film, and is the same in every film.
func TestScreensAreDrawnAlike(t *testing.T) {
	t.Parallel()

	for name, s := range screens() {
		again := screens()[name]
		seen := map[[sha256.Size]byte]bool{}
		one, other := Frame{canvas: newCanvas(s.Width, s.Height)}, Frame{canvas: newCanvas(s.Width, s.Height)}

		for ms := 0; ms < s.LengthMs; ms += s.LengthMs / 8 {
			one.Ms, other.Ms = ms, ms
			s.Draw(one)
			again.Draw(other)
			require.True(t, bytes.Equal(one.Pix, other.Pix), "%s at %d ms", name, ms)
			seen[sha256.Sum256(one.Pix)] = true
		}

		require.Greater(t, len(seen), 4, name)
	}
}

// The pointer stays on the screen, goes on in time, and clicks.
func TestPointersAreMouseData(t *testing.T) {
	t.Parallel()

	for name, s := range screens() {
		clicks, last := 0, -1

		for _, p := range s.Pointer {
			require.GreaterOrEqual(t, p.TimeMs, last, name)
			require.Less(t, p.TimeMs, s.LengthMs, name)

			last = p.TimeMs
			if p.Click {
				clicks++
			}

			x, y := p.Percent()
			require.True(t, x >= 0 && x <= 100 && y >= 0 && y <= 100, "%s: %v", name, p)
		}

		require.GreaterOrEqual(t, clicks, 3, name)
	}
}

// The mouth of a presenter moves with the voice.
func TestPresenterSpeaks(t *testing.T) {
	t.Parallel()

	loud := make([]int16, SoundRate)
	for i := range loud {
		loud[i] = int16(12_000 * (1 - 2*(i/50%2)))
	}

	silent, speaking := Frame{canvas: newCanvas(PresenterSize, PresenterSize), Ms: 500}, Frame{canvas: newCanvas(PresenterSize, PresenterSize), Ms: 500}
	Presenter(Looks()[0], Speech{}, 1000).Draw(silent)
	Presenter(Looks()[0], Speech{Sound: loud}, 1000).Draw(speaking)

	dark := func(f Frame) (n int) {
		for y := 340; y < 460; y++ {
			for x := 260; x < 380; x++ {
				if f.RGBAAt(x, y) == hex(0x7a2e2e) {
					n++
				}
			}
		}

		return n
	}
	require.Greater(t, dark(speaking), 2*dark(silent))
	require.Positive(t, dark(silent))
}

func TestFilmIsEncoded(t *testing.T) {
	t.Parallel()

	film := Film{Width: 64, Height: 48, LengthMs: 500, Sound: make([]int16, SoundRate/4), Draw: func(f Frame) { f.fill(0, 0, 64, 48, hex(uint32(f.Ms))) }}
	content, err := film.Encode(t.Context(), "ffmpeg")
	require.NoError(t, err)

	path := filepath.Join(t.TempDir(), "film.mp4")
	require.NoError(t, os.WriteFile(path, content, 0o600))
	out, err := exec.CommandContext(t.Context(), "ffprobe", "-v", "error", "-count_packets", "-show_entries", "stream=codec_name,nb_read_packets",
		"-of", "csv=p=0", path).Output()
	require.NoError(t, err)
	lines := strings.Fields(string(out))
	require.Equal(t, "h264,15", lines[0])
	require.True(t, strings.HasPrefix(lines[1], "aac,"), "the sound is as long as the pictures: %s", lines[1])

	_, err = film.Encode(t.Context(), "/nothing/ffmpeg")
	require.Error(t, err)
}
