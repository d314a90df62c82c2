package compositor

import (
	"image"
	"image/color"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/compositor/lettering"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

var systemFonts = sync.OnceValues(func() (*lettering.Fonts, error) { return lettering.Load() })

// installed returns the fonts of this machine. The test fails if a font of the catalog is missing.
func installed(tb testing.TB) *lettering.Fonts {
	tb.Helper()

	fonts, err := systemFonts()
	require.NoError(tb, err)
	require.Empty(tb, fonts.Missing(), "sh scripts/install.sh run installs them")

	return fonts
}

// toRGBA converts a frame as a player does, by the inverse of BT.709 as published.
func toRGBA(f Frame) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, f.Width, f.Height))

	for y := range f.Height {
		for x := range f.Width {
			out.SetRGBA(x, y, pixel(f, x, y))
		}
	}

	return out
}

func pixel(f Frame, x, y int) color.RGBA {
	u, v := f.Planes[1].Row(y / 2)[x/2], f.Planes[2].Row(y / 2)[x/2]

	return played(float64(f.Planes[0].Row(y)[x]), float64(u), float64(v))
}

// played returns the color that a player shows for a sample of luma and two of chroma.
func played(y, u, v float64) color.RGBA {
	y, u, v = (y-16)*255/219, (u-128)*255/224, (v-128)*255/224
	clip := func(v float64) uint8 { return uint8(max(0, min(255, v)) + 0.5) }

	return color.RGBA{clip(y + 1.5748*v), clip(y - 0.1873*u - 0.4681*v), clip(y + 1.8556*u), 255}
}

// near asserts a pixel's color, as closely as 8 bits of limited range allow.
func near(t *testing.T, f Frame, x, y int, want Colour, within int, what string) {
	t.Helper()

	got := pixel(f, x, y)
	for i, pair := range [][2]uint8{{got.R, want.R}, {got.G, want.G}, {got.B, want.B}} {
		require.InDelta(t, pair[1], pair[0], float64(within), "%s: channel %d of %v at %d,%d, want %v", what, i, got, x, y, want)
	}
}

// full returns a frame in one color.
func full(w, h int, c Colour) Frame {
	f := NewFrame(w, h)
	f.Fill(c)

	return f
}

// blank returns a frame to be painted over; NewFrame would paint it black first.
func blank(w, h int) Frame {
	f, err := FrameOf(make([]byte, FrameBytes(w, h)), w, h)
	if err != nil {
		panic(err)
	}

	return f
}

// noise returns a frame of pseudo-random samples, from its own small generator.
func noise(w, h int, seed uint32) Frame {
	f := NewFrame(w, h)
	for _, p := range f.Planes {
		for i := range p.Pix {
			seed = seed*1664525 + 1013904223
			p.Pix[i] = byte(16 + seed>>24%220)
		}
	}

	return f
}

func box(x, y, w, h float64) plan.Rect { return plan.Rect{X: x, Y: y, Width: w, Height: h} }

func inputOf(f Frame) plan.Input {
	return plan.Input{
		Content: "x", Size: plan.Size{Width: f.Width, Height: f.Height}, Still: true, Alpha: len(f.Alpha.Pix) > 0,
		Part: box(0, 0, 1, 1),
	}
}

// painted paints one view.
func painted(t *testing.T, w, h int, v plan.View, inputs ...Frame) Frame {
	t.Helper()

	scene := plan.Scene{
		Frame: plan.Size{Width: w, Height: h}, FPS: 30, Frames: 1, Shots: []plan.Shot{{View: v}},
	}
	for _, f := range inputs {
		scene.Inputs = append(scene.Inputs, inputOf(f))
	}

	p, err := New(scene, installed(t), 0)
	require.NoError(t, err)

	dst := noise(w, h, 7) // the old content must not matter
	require.NoError(t, p.Paint(dst, v, inputs))

	again := noise(w, h, 8)
	require.NoError(t, p.Paint(again, v, inputs))
	require.Equal(t, dst.Planes, again.Planes, "the second frame, drawn from kept parts, is the same")

	return dst
}

func sized(w, h int) plan.Rect { return box(0, 0, float64(w), float64(h)) }

func solid(c values.Color) plan.Background {
	return plan.Background{Type: values.BackgroundTypeSolid, Color: c}
}
