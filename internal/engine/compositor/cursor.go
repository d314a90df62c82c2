package compositor

import (
	"math"

	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// arrow is the pointer's outline, with its tip at the origin, in heights of the pointer.
var arrow = [][2]float64{
	{0, 0}, {0, 0.81}, {0.188, 0.647}, {0.318, 0.945}, {0.452, 0.887}, {0.325, 0.594}, {0.573, 0.567},
}

// Sizes of the pointer and the ripple, in heights of the pointer.
const (
	arrowRim    = 0.055
	arrowShade  = 0.09
	rippleFrom  = 0.25
	rippleTo    = 1.15
	rippleWidth = 0.09
	pressed     = 0.16 // how much smaller it is while pressed
)

// pointer draws the cursor and the ripple of a click.
type pointer struct {
	mask mask
	far  []float32 // each pixel's distance from the outline
}

// draw draws a cursor, clipped to its layer.
func (p *pointer) draw(dst Frame, c *plan.Cursor, layer *mask) {
	size := c.Size * (1 - pressed*c.Press)

	if c.Press > 0 {
		p.ripple(dst, c, layer)
	}

	reach := outer(plan.Rect{X: c.X - 0.4*size, Y: c.Y - 0.4*size, Width: 1.4 * size, Height: 1.8 * size})
	w := reach.width()
	p.far = grow(p.far, w*reach.height())

	for i := range p.far {
		x, y := float64(reach.x0+i%w)+0.5, float64(reach.y0+i/w)+0.5
		p.far[i] = float32(toArrow((x-c.X)/size, (y-c.Y)/size) * size)
	}

	stage := func(col Colour, down int, cover func(distance float64) float64) {
		area := plan.Rect{X: float64(reach.x0), Y: float64(reach.y0), Width: float64(w), Height: float64(reach.height())}
		p.mask.fill(area, dst.bounds(), func(x, y float64) float64 {
			return cover(float64(p.far[max(0, int(y)-reach.y0-down)*w+int(x)-reach.x0]))
		})
		p.mask.keep(layer)
		stain(dst, &p.mask, col)
	}

	edge := func(d float64) float64 { return 0.5 - d }

	stage(Black, int(arrowShade*size/2+0.5), func(d float64) float64 { return 0.35 * (1 - d/(arrowShade*size+1)) })
	stage(White, 0, func(d float64) float64 { return edge(d - arrowRim*size) })
	stage(Colour{17, 17, 17, 255}, 0, edge)
}

// ripple draws a ring that grows and fades.
func (p *pointer) ripple(dst Frame, c *plan.Cursor, layer *mask) {
	radius := c.Size * (rippleTo - (rippleTo-rippleFrom)*c.Press)
	half := c.Size * rippleWidth / 2 * (0.4 + 0.6*c.Press)
	reach := grown(plan.Rect{X: c.X, Y: c.Y}, radius+half+1)

	p.mask.fill(reach, dst.bounds(), func(x, y float64) float64 {
		d := math.Abs(math.Hypot(x-c.X, y-c.Y)-radius) - half

		return c.Press * max(0, min(1, 0.5-d))
	})
	p.mask.keep(layer)
	stain(dst, &p.mask, Colour{59, 130, 246, 255})
}

// toArrow returns the distance to the arrow's outline, negative inside.
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
