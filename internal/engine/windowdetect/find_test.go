package windowdetect_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/windowdetect"
	"github.com/reelgraph/reelgraph/test/testkit/footage"
)

// The size of the recordings, and their number of frames.
const (
	wide, high = 640, 360
	frames     = 3
)

// canvas is a color picture that a recording is drawn on.
type canvas struct{ rgb []byte }

type colour [3]int

func (c canvas) set(x, y int, to colour) {
	for i, v := range to {
		c.rgb[3*(y*wide+x)+i] = byte(min(max(v, 0), 255))
	}
}

func (c canvas) fill(b windowdetect.Box, to func(x, y int) colour) {
	for y := b.Y0; y < b.Y1; y++ {
		for x := b.X0; x < b.X1; x++ {
			c.set(x, y, to(x, y))
		}
	}
}

func plain(r, g, b int) func(int, int) colour {
	return func(int, int) colour { return colour{r, g, b} }
}

// text draws lines that look like writing, different in every frame.
func (c canvas) text(b windowdetect.Box, frame int, ink colour) {
	r := rand.New(rand.NewPCG(1, uint64(frame)))

	for y := b.Y0; y+8 < b.Y1; y += 14 {
		for x := b.X0; x+6 < b.X1; x += 7 {
			if r.IntN(5) == 0 {
				continue
			}

			for i := range 24 {
				if r.IntN(2) == 0 {
					c.set(x+i%5, y+i/4, ink)
				}
			}
		}
	}
}

// app draws a window with a title bar, a border of one pixel, writing, and a shadow around it.
func (c canvas) app(b windowdetect.Box, frame int) {
	for grow := 10; grow > 0; grow-- {
		for y := max(b.Y0-grow, 0); y < min(b.Y1+grow, high); y++ {
			for _, x := range []int{b.X0 - grow, b.X1 + grow - 1} {
				c.darken(x, y, grow)
			}
		}

		for x := max(b.X0-grow, 0); x < min(b.X1+grow, wide); x++ {
			for _, y := range []int{b.Y0 - grow, b.Y1 + grow - 1} {
				c.darken(x, y, grow)
			}
		}
	}

	c.fill(b, plain(60, 60, 60))
	c.fill(windowdetect.Box{X0: b.X0 + 1, Y0: b.Y0 + 1, X1: b.X1 - 1, Y1: b.Y0 + 20}, plain(225, 225, 228))
	c.fill(windowdetect.Box{X0: b.X0 + 1, Y0: b.Y0 + 20, X1: b.X1 - 1, Y1: b.Y1 - 1}, plain(250, 250, 250))
	c.text(windowdetect.Box{X0: b.X0 + 30, Y0: b.Y0 + 40, X1: b.X1 - 30, Y1: b.Y1 - 20}, frame, colour{30, 30, 30})
}

func (c canvas) darken(x, y, grow int) {
	if x < 0 || x >= wide || y < 0 || y >= high {
		return
	}

	for i := range 3 {
		at := 3*(y*wide+x) + i
		c.rgb[at] = byte(int(c.rgb[at]) - (11-grow)*2)
	}
}

// label is a recording and where its window is; the zero box means none.
type label struct {
	draw func(c canvas, frame int)
	box  windowdetect.Box
}

func labels() map[string]label {
	inner := windowdetect.Box{X0: 101, Y0: 53, X1: 541, Y1: 309}
	whole := windowdetect.Box{X1: wide, Y1: high}

	return map[string]label{
		"a window on a coloured desktop": {func(c canvas, frame int) {
			c.fill(whole, plain(30, 120, 140))
			c.app(inner, frame)
		}, inner},
		"a window on a desktop with a bar and icons": {func(c canvas, frame int) {
			c.fill(whole, plain(150, 80, 120))
			c.fill(windowdetect.Box{Y0: 336, X1: wide, Y1: high}, plain(40, 40, 44))
			c.text(windowdetect.Box{X0: 8, Y0: 340, X1: 90, Y1: 356}, 1, colour{220, 220, 220})
			c.text(windowdetect.Box{X0: 10, Y0: 20, X1: 40, Y1: 60}, 2, colour{250, 250, 250})
			c.app(inner, frame)
		}, inner},
		"a window on a gradient": {func(c canvas, frame int) {
			c.fill(whole, func(x, y int) colour { return colour{40 + x/4, 60 + y/3, 200 - x/6} })
			c.app(inner, frame)
		}, inner},
		"black bars above and below": {func(c canvas, frame int) {
			c.fill(windowdetect.Box{Y0: 46, X1: wide, Y1: 314}, scenery(frame))
		}, windowdetect.Box{Y0: 46, X1: wide, Y1: 314}},
		"black bars beside": {func(c canvas, frame int) {
			c.fill(windowdetect.Box{X0: 80, X1: 560, Y1: high}, scenery(frame))
		}, windowdetect.Box{X0: 80, X1: 560, Y1: high}},
		"a browser": {func(c canvas, frame int) {
			c.fill(windowdetect.Box{X1: wide, Y1: 22}, plain(205, 208, 214))
			c.fill(windowdetect.Box{X0: 6, Y0: 5, X1: 150, Y1: 22}, plain(245, 245, 245))
			c.text(windowdetect.Box{X0: 14, Y0: 9, X1: 90, Y1: 20}, 3, colour{70, 70, 70})
			c.fill(windowdetect.Box{Y0: 22, X1: wide, Y1: 47}, plain(245, 245, 245))
			c.text(windowdetect.Box{X0: 80, Y0: 28, X1: 240, Y1: 42}, 4, colour{90, 90, 90})
			c.fill(windowdetect.Box{Y0: 47, X1: wide, Y1: 48}, plain(190, 190, 190))
			c.fill(windowdetect.Box{Y0: 48, X1: wide, Y1: high}, plain(255, 255, 255))
			c.text(windowdetect.Box{X0: 60, Y0: 80, X1: 580, Y1: 340}, frame, colour{20, 20, 20})
		}, windowdetect.Box{Y0: 48, X1: wide, Y1: high}},
		"a film":    {func(c canvas, frame int) { c.fill(whole, scenery(frame)) }, windowdetect.Box{}},
		"one color": {func(c canvas, _ int) { c.fill(whole, plain(20, 120, 60)) }, windowdetect.Box{}},
		"writing everywhere": {func(c canvas, frame int) {
			c.fill(whole, plain(255, 255, 255))
			c.text(whole, frame, colour{20, 20, 20})
		}, windowdetect.Box{}},
		"an editor with panes": {func(c canvas, frame int) {
			c.fill(whole, plain(30, 30, 34))
			c.fill(windowdetect.Box{X0: 140, Y0: 30, X1: wide, Y1: 340}, plain(50, 50, 56))
			c.text(windowdetect.Box{X0: 8, Y0: 8, X1: 132, Y1: 350}, 5, colour{200, 200, 200})
			c.text(windowdetect.Box{X0: 160, Y0: 40, X1: 620, Y1: 330}, frame, colour{230, 230, 230})
		}, windowdetect.Box{}},
	}
}

// scenery returns a picture of soft shapes that moves.
func scenery(frame int) func(x, y int) colour {
	return func(x, y int) colour {
		a := 90 + 60*((x+3*frame)/37%2) + (x*7+y*3)%23
		b := 80 + 50*((y+2*frame)/29%2) + (x*5+y*11)%19

		return colour{a, b, (a + b) / 2}
	}
}

// recorded draws a recording, encodes it as a recorder would, and decodes its brightness.
func recorded(t *testing.T, draw func(c canvas, frame int)) []windowdetect.Frame {
	t.Helper()

	var raw bytes.Buffer

	for frame := range frames {
		c := canvas{make([]byte, 3*wide*high)}
		draw(c, frame)
		raw.Write(c.rgb)
	}

	size, path := fmt.Sprintf("%dx%d", wide, high), filepath.Join(t.TempDir(), "screen.mp4")
	ffmpeg(t, &raw, "-f", "rawvideo", "-pix_fmt", "rgb24", "-video_size", size, "-framerate", "5", "-i", "pipe:0",
		"-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "-pix_fmt", "yuv420p", path)
	luma := ffmpeg(t, nil, "-i", path, "-vf", "extractplanes=y", "-f", "rawvideo", "pipe:1")
	require.Len(t, luma, frames*wide*high)

	all := make([]windowdetect.Frame, frames)
	for i := range all {
		all[i] = windowdetect.Frame{Width: wide, Height: high, Luma: luma[i*wide*high : (i+1)*wide*high]}
	}

	return all
}

func ffmpeg(t *testing.T, in io.Reader, args ...string) []byte {
	t.Helper()

	var out bytes.Buffer

	require.NoError(t, footage.FFmpeg(t.Context(), in, &out, append([]string{"-loglevel", "error"}, args...)...))

	return out.Bytes()
}

// On labeled recordings each side is found within two pixels, and nothing is found where there is no window.
func TestLabelledRecordings(t *testing.T) {
	t.Parallel()

	for name, l := range labels() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			all := recorded(t, l.draw)
			found := windowdetect.Find(all[0], all[1:]...)

			if l.box == (windowdetect.Box{}) {
				require.Zero(t, found)

				return
			}

			for _, side := range [][2]int{
				{l.box.X0, found.Box.X0}, {l.box.Y0, found.Box.Y0}, {l.box.X1, found.Box.X1}, {l.box.Y1, found.Box.Y1},
			} {
				require.InDelta(t, side[0], side[1], 2, "%+v", found)
			}

			require.Greater(t, found.Confidence, 0.5)
			require.LessOrEqual(t, found.Confidence, 1.0)
		})
	}
}

// A window that is missing in most of the other frames is not found.
func TestAWindowMustStay(t *testing.T) {
	t.Parallel()

	made := labels()
	with := recorded(t, made["a window on a coloured desktop"].draw)
	without := recorded(t, made["a film"].draw)

	found := windowdetect.Find(with[0], with[1], with[2], without[0], without[1])
	require.NotZero(t, found)
	require.Equal(t, found, windowdetect.Find(with[0], with[1], with[2], without[0], without[1]), "equal frames, equal answers")
	require.Zero(t, windowdetect.Find(with[0], with[1], without[0], without[1], without[2]))
	require.Zero(t, windowdetect.Find(windowdetect.Frame{Width: 1, Height: 1, Luma: []byte{0}}))
}
