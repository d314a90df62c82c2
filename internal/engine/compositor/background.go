package compositor

import (
	"math"

	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// colours returns the colors of a background, blended over black.
func colours(b plan.Background) (first, second Colour) {
	on := func(c values.Color) Colour {
		parsed, err := ParseColour(string(c))
		if err != nil {
			return Black // New has checked the colors
		}

		return parsed.over(Black)
	}

	return on(b.Color), on(b.Color2)
}

// gradient draws a linear gradient: 0 degrees from the bottom up, 90 from left to right. As in CSS the corners in that
// direction have the pure colors. Ordered dithering hides the steps between two sample values, which would be visible
// as stripes.
func gradient(f Frame, from, to Colour, degrees int) {
	sin, cos := math.Sincos(float64(degrees) * math.Pi / 180)
	w, h := float64(f.Width), float64(f.Height)
	length := math.Abs(w*sin) + math.Abs(h*cos)
	a, b := from.exact(), to.exact()

	for i, p := range f.Planes {
		k := float64(1 + min(i, 1))

		for y := range p.Height {
			row := p.Row(y)
			for x := range row {
				dx, dy := (float64(x)+0.5)*k-w/2, (float64(y)+0.5)*k-h/2
				t := max(0, min(1, 0.5+(dx*sin-dy*cos)/length))
				row[x] = byte(a[i] + (b[i]-a[i])*t + dither[y&3][x&3])
			}
		}
	}
}

// dither is added to a sample before it is truncated; the values are spread evenly from 1/32 to 31/32.
var dither = func() [4][4]float64 {
	order := [4][4]int{{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}}

	var out [4][4]float64

	for y, row := range order {
		for x, v := range row {
			out[y][x] = (float64(v) + 0.5) / 16
		}
	}

	return out
}()

// flow draws two colors that slowly flow into each other. The picture depends only on the time.
type flow struct {
	scale scaler
	small Frame
}

// flowCell is how many pixels of 1080p one computed sample covers: the flow is soft.
const flowCell = 24

// draw paints the whole picture for a time in seconds.
func (f *flow) draw(dst Frame, from, to Colour, seconds float64) {
	if f.small.empty() {
		cell := max(1, min(dst.Width, dst.Height)*flowCell/1080)
		f.small = NewFrame(even(dst.Width/cell), even(dst.Height/cell))
	}

	a, b := from.exact(), to.exact()
	aspect := float64(dst.Width) / float64(dst.Height)

	for i, p := range f.small.Planes {
		for y := range p.Height {
			v := (float64(y) + 0.5) / float64(p.Height)
			row := p.Row(y)

			for x := range row {
				u := (float64(x) + 0.5) / float64(p.Width) * aspect
				row[x] = rounded(a[i] + (b[i]-a[i])*flowing(u, v, seconds))
			}
		}
	}

	f.scale.draw(dst, f.small, plan.Rect{Width: float64(f.small.Width), Height: float64(f.small.Height)})
}

// flowing returns the share of the second color at a place, measured in picture heights. Waves bend waves.
func flowing(u, v, t float64) float64 {
	bent := u + 0.35*math.Sin(2.3*v+0.31*t) + 0.15*math.Sin(4.1*u-0.23*t)
	wave := 0.6*math.Sin(2.1*bent+0.17*t) + 0.4*math.Sin(3.4*v-1.7*bent+0.29*t)
	t = 0.5 + 0.5*wave

	return t * t * (3 - 2*t)
}

func even(n int) int { return max(4, n&^1) }
