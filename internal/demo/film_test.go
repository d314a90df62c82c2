package demo

import (
	"bytes"
	"crypto/sha256"
	"testing"

	"github.com/stretchr/testify/require"
)

func screens() map[string]Screen {
	return map[string]Screen{"page": Page(), "editor": Editor(), "form": Form()}
}

// The picture changes during the film, and is the same in every film.
func TestScreensAreReproducible(t *testing.T) {
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

// The pointer stays on the screen, moves forward in time, and clicks.
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

func TestFilmLengthIsExact(t *testing.T) {
	t.Parallel()

	film := Film{Width: 4, Height: 2, LengthMs: 500, Sound: []int16{1, -2}, Draw: func(f Frame) { f.fill(0, 0, 4, 2, hex(uint32(f.Ms))) }}

	var pictures bytes.Buffer

	require.NoError(t, film.WritePictures(&pictures))
	require.Equal(t, 15*4*4*2, pictures.Len())
	require.Equal(t, []byte{0, 1, 0x0a, 0xff}, pictures.Bytes()[8*4*4*2:][:4], "the ninth frame is at 266 ms, 0x10a")
	require.Len(t, film.Samples(), SoundRate)
	require.Equal(t, []byte{1, 0, 0xfe, 0xff, 0, 0}, film.Samples()[:6])
}

func TestLinesDoNotOverlap(t *testing.T) {
	t.Parallel()

	second := make([]int16, SoundRate)
	speech, err := NewSpeech([]Line{{500, "one"}, {1600, "two"}}, [][]int16{second, second})
	require.NoError(t, err)
	require.Equal(t, []int{1500, 2600}, speech.EndsMs)
	require.Len(t, speech.Sound, SoundRate*26/10)

	_, err = NewSpeech([]Line{{500, "one"}, {1400, "two"}}, [][]int16{second, second})
	require.ErrorContains(t, err, "1500 ms")
}
