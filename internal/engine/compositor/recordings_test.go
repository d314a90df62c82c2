package compositor

import (
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/draw"

	"github.com/reelgraph/reelgraph/internal/engine/compositor/lettering"
	"github.com/reelgraph/reelgraph/internal/video/mouse"
	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// recordings are synthetic sources, which stand still.
type recordings struct {
	pictures  map[string]Frame
	delivered map[delivery]Frame // decoded already: most tiles show the same in one size
}

type delivery struct {
	source string
	size   plan.Size
	part   plan.Rect
}

// made returns the recordings of the contact sheet.
func made(tb testing.TB) recordings {
	tb.Helper()

	return recordings{delivered: map[delivery]Frame{}, pictures: map[string]Frame{
		"screen": fakeScreen(tb, frameWidth, frameHeight), "camera": fakeCamera(frameWidth, frameHeight),
		"film": fakeFilm(frameWidth, frameHeight), "logo": fakeLogo(160),
	}}
}

// sources returns the recordings for the planner, and a mouse that clicks after one and a half seconds.
func (r recordings) sources() plan.Sources {
	all := plan.Sources{"mouse": {Content: "mouse", Mouse: []mouse.Event{
		{XPct: 22, YPct: 26, Type: mouse.Move}, {TimeMs: 1_500, XPct: 22, YPct: 26, Type: mouse.Click},
	}}}

	for id, f := range r.pictures {
		p := &plan.Picture{Size: plan.Size{Width: f.Width, Height: f.Height}, Still: true}
		if len(f.Alpha.Pix) > 0 {
			p.Colour.PixelFormat = "rgba"
		}

		all[id] = plan.Source{Content: id, Picture: p}
	}

	return all
}

// decoded returns what the decoder of an input delivers.
func (r recordings) decoded(in plan.Input) Frame {
	key := delivery{in.Content, in.Size, in.Part}
	if f, ok := r.delivered[key]; ok {
		return f
	}

	from, out := r.pictures[in.Content], blank(in.Size.Width, in.Size.Height)
	w, h := float64(from.Width), float64(from.Height)

	var s scaler

	s.draw(out, from, box(in.Part.X*w, in.Part.Y*h, in.Part.Width*w, in.Part.Height*h))

	if in.Alpha {
		out.Alpha = Plane{make([]byte, out.Width*out.Height), out.Width, out.Width, out.Height}
		s.drawAlpha(out.Alpha, from.Alpha)
	}

	r.delivered[key] = out

	return out
}

// fakeScreen draws a window with lines of text.
func fakeScreen(tb testing.TB, w, h int) Frame {
	tb.Helper()

	c := image.NewRGBA(image.Rect(0, 0, w, h))
	fill := func(x, y, width, height int, col color.Color) {
		draw.Draw(c, image.Rect(x, y, x+width, y+height), image.NewUniform(col), image.Point{}, draw.Src)
	}

	fill(0, 0, w, h, color.RGBA{245, 246, 250, 255})
	fill(0, 0, w, h/12, color.RGBA{38, 43, 64, 255})
	fill(0, h/12, w/5, h, color.RGBA{226, 229, 240, 255})

	for i := range 3 {
		fill(h/40+i*h/20, h/36, h/36, h/36, []color.Color{
			color.RGBA{255, 95, 86, 255}, color.RGBA{255, 189, 46, 255}, color.RGBA{39, 201, 63, 255},
		}[i])
	}

	for i := range 7 {
		fill(w/40, h/6+i*h/9, w/8, h/30, color.RGBA{160, 168, 200, 255})
	}

	size := float64(h) / 16
	for i, line := range []string{"Quarterly figures", "Account  4711-0815-2342", "Balance  1 234 567.89", "Password  correct horse"} {
		layout, err := installed(tb).Set(line, lettering.Style{Family: "Inter", Size: size, Weight: 500, Width: 100}, 0)
		require.NoError(tb, err)
		layout.Draw(c, float64(w)/4, float64(h)/6+float64(i)*2*size, color.RGBA{30, 34, 50, 255}, 0, 100)
	}

	for i, v := range []float64{0.3, 0.55, 0.42, 0.8, 0.66, 0.95} {
		bar := int(v * float64(h) / 4)
		fill(w/4+i*w/9, h*19/20-bar, w/14, bar, color.RGBA{88, 101, 242, 255})
	}

	return spriteOf(c).frame
}

// fakeCamera draws a speaker.
func fakeCamera(w, h int) Frame {
	f := NewFrame(w, h)
	gradient(f, Colour{240, 200, 160, 255}, Colour{120, 150, 190, 255}, 30)

	var m mask

	s := float64(min(w, h))
	x, y := float64(w)/2, float64(h)/2
	m.set(box(x-0.42*s, y+0.18*s, 0.84*s, s), plan.Corner{Radius: 0.4 * s}, 1, f.bounds())
	stain(f, &m, Colour{60, 90, 140, 255})
	m.set(box(x-0.19*s, y-0.32*s, 0.38*s, 0.46*s), plan.Corner{Radius: 0.19 * s}, 1, f.bounds())
	stain(f, &m, Colour{205, 150, 115, 255})

	return f
}

// fakeLogo draws a picture with transparency.
func fakeLogo(side int) Frame {
	f := full(side, side, Colour{255, 99, 71, 255})
	f.Alpha = Plane{make([]byte, side*side), side, side, side}

	for y := range side {
		for x := range side {
			d := math.Hypot(float64(x)+0.5-float64(side)/2, float64(y)+0.5-float64(side)/2)
			f.Alpha.Pix[y*side+x] = byte(255 * max(0, min(1, float64(side)/2-d)) * max(0.2, min(1, d/float64(side)*2)))
		}
	}

	return f
}

// fakeFilm draws a film: hills at dusk.
func fakeFilm(w, h int) Frame {
	f := NewFrame(w, h)
	gradient(f, Colour{18, 24, 66, 255}, Colour{226, 120, 84, 255}, 180)

	var m mask

	disc := func(x, y, radius float64, c Colour) {
		s := float64(h)
		m.set(box((x-radius)*s, (y-radius)*s, 2*radius*s, 2*radius*s), plan.Corner{Radius: radius * s}, 1, f.bounds())
		stain(f, &m, c)
	}

	disc(1.2, 0.62, 0.14, Colour{255, 214, 140, 255})
	disc(0.35, 1.55, 0.85, Colour{84, 62, 104, 255})
	disc(1.45, 1.6, 0.8, Colour{52, 44, 84, 255})

	return f
}
