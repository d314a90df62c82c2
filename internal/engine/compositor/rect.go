package compositor

import (
	"math"

	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// rect is a rectangle of whole pixels; its right and lower edges are exclusive.
type rect struct{ x0, y0, x1, y1 int }

func (r rect) width() int  { return r.x1 - r.x0 }
func (r rect) height() int { return r.y1 - r.y0 }
func (r rect) empty() bool { return r.x1 <= r.x0 || r.y1 <= r.y0 }

// halved returns the rectangle in the planes of chroma. Its corners must be even.
func (r rect) halved() rect { return rect{r.x0 / 2, r.y0 / 2, r.x1 / 2, r.y1 / 2} }

func (r rect) cut(o rect) rect {
	return rect{max(r.x0, o.x0), max(r.y0, o.y0), min(r.x1, o.x1), min(r.y1, o.y1)}
}

func (r rect) shifted(dx, dy int) rect { return rect{r.x0 + dx, r.y0 + dy, r.x1 + dx, r.y1 + dy} }

// outer returns the smallest rectangle with even corners that contains the box.
func outer(b plan.Rect) rect {
	return rect{
		floorEven(b.X), floorEven(b.Y),
		-floorEven(-(b.X + b.Width)), -floorEven(-(b.Y + b.Height)),
	}
}

// inner returns the largest rectangle with even corners inside the box; it may be empty.
func inner(b plan.Rect) rect {
	return rect{
		-floorEven(-b.X), -floorEven(-b.Y), floorEven(b.X + b.Width), floorEven(b.Y + b.Height),
	}
}

func moved(b plan.Rect, dx, dy float64) plan.Rect {
	b.X, b.Y = b.X+dx, b.Y+dy

	return b
}

// grown returns the box with a margin around it; a negative margin shrinks it.
func grown(b plan.Rect, by float64) plan.Rect {
	return plan.Rect{X: b.X - by, Y: b.Y - by, Width: max(0, b.Width+2*by), Height: max(0, b.Height+2*by)}
}

func scaled(b plan.Rect, k float64) plan.Rect {
	return plan.Rect{X: b.X * k, Y: b.Y * k, Width: b.Width * k, Height: b.Height * k}
}

// onGrid reports whether the box is on even pixels and has even sides, so that it also fits the chroma.
func onGrid(b plan.Rect) bool {
	return outer(b) == inner(b) && math.Mod(b.X, 2) == 0 && math.Mod(b.Y, 2) == 0 &&
		math.Mod(b.Width, 2) == 0 && math.Mod(b.Height, 2) == 0
}

func floorEven(v float64) int { return int(math.Floor(v/2)) * 2 }
