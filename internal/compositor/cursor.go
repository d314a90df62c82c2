package compositor

import (
	"math"

	"github.com/reelgraph/reelgraph/internal/render"
)

// arrow is the pointer's outline, its tip at the origin, in heights of the pointer.
var arrow = [][2]float64{
	{0, 0}, {0, 0.81}, {0.188, 0.647}, {0.318, 0.945}, {0.452, 0.887}, {0.325, 0.594}, {0.573, 0.567},
}

// How the pointer is drawn, in heights of the pointer.
const (
	arrowRim    = 0.055
	arrowShade  = 0.09
	rippleFrom  = 0.25
	rippleTo    = 1.15
	rippleWidth = 0.09
	pressed     = 0.16 // how much smaller it is while it is pressed
)

// pointer draws the cursor and the ripple of a click.
type pointer struct{ mask mask }

// draw draws a cursor, cut off where its layer ends.
func (p *pointer) draw(dst Frame, c *render.Cursor, layer *mask) {
	size := c.Size * (1 - pressed*c.Press)

	if c.Press > 0 {
		p.ripple(dst, c, layer)
	}

	reach := render.Rect{X: c.X - size/2, Y: c.Y - size/2, Width: 1.7 * size, Height: 2 * size}

	stage := func(col Colour, dy float64, cover func(distance float64) float64) {
		p.mask.fill(reach, dst.bounds(), func(x, y float64) float64 {
			return cover(toArrow((x-c.X)/size, (y-c.Y-dy)/size) * size)
		})
		p.mask.keep(layer)
		stain(dst, &p.mask, col)
	}

	edge := func(d float64) float64 { return 0.5 - d }

	stage(Black, arrowShade*size/2, func(d float64) float64 { return 0.35 * (1 - d/(arrowShade*size+1)) })
	stage(White, 0, func(d float64) float64 { return edge(d - arrowRim*size) })
	stage(Colour{17, 17, 17, 255}, 0, edge)
}

// ripple is a ring that grows and fades.
func (p *pointer) ripple(dst Frame, c *render.Cursor, layer *mask) {
	radius := c.Size * (rippleTo - (rippleTo-rippleFrom)*c.Press)
	half := c.Size * rippleWidth / 2 * (0.4 + 0.6*c.Press)
	reach := grown(render.Rect{X: c.X, Y: c.Y}, radius+half+1)

	p.mask.fill(reach, dst.bounds(), func(x, y float64) float64 {
		d := math.Abs(math.Hypot(x-c.X, y-c.Y)-radius) - half

		return c.Press * max(0, min(1, 0.5-d))
	})
	p.mask.keep(layer)
	stain(dst, &p.mask, Colour{59, 130, 246, 255})
}

// toArrow is the distance to the arrow's outline, negative within.
func toArrow(x, y float64) float64 {
	nearest, inside := math.Inf(1), false

	for i, a := range arrow {
		b := arrow[(i+1)%len(arrow)]
		ex, ey, px, py := b[0]-a[0], b[1]-a[1], x-a[0], y-a[1]
		t := max(0, min(1, (px*ex+py*ey)/(ex*ex+ey*ey)))
		dx, dy := px-t*ex, py-t*ey
		nearest = min(nearest, dx*dx+dy*dy)

		if (a[1] > y) != (b[1] > y) && px < ex*py/ey {
			inside = !inside
		}
	}

	if inside {
		return -math.Sqrt(nearest)
	}

	return math.Sqrt(nearest)
}
