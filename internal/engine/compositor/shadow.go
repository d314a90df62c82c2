package compositor

import (
	"math"

	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// shadow is a soft shadow of a shape. It is computed at a small size, because a soft picture has no details to lose.
type shadow struct {
	shape mask
	small [2][]float32
	bytes Plane
	scale scaler
}

// set makes m the shadow of a shape. spread is the standard deviation of the blur in pixels. It leaves out the hole,
// which something opaque covers.
func (s *shadow) set(m *mask, b plan.Rect, c plan.Corner, spread, opacity float64, within, hole rect) {
	k := 1 / max(1, min(4, math.Floor(spread/3)))
	margin := math.Ceil(3 * spread * k)
	area := outer(grown(scaled(b, k), margin))

	s.shape.set(scaled(b, k), plan.Corner{Radius: c.Radius * k, Squircle: c.Squircle}, opacity, area)
	s.load(area)

	for range 3 {
		s.smooth(area.width(), area.height(), boxRadius(spread*k))
	}

	s.bytes = Plane{
		Pix: grow(s.bytes.Pix, area.width()*area.height()), Stride: area.width(), Width: area.width(), Height: area.height(),
	}
	for i, v := range s.small[0] {
		s.bytes.Pix[i] = byte(v + 0.5)
	}

	full := scaled(plan.Rect{
		X: float64(area.x0), Y: float64(area.y0), Width: float64(area.width()), Height: float64(area.height()),
	}, 1/k)
	s.enlarge(m, full, within, hole, k)
}

// load copies the shape's coverage into an area around it.
func (s *shadow) load(area rect) {
	for i := range s.small {
		s.small[i] = grow(s.small[i], area.width()*area.height())
	}

	clear(s.small[0])

	at := s.shape.bounds.shifted(-area.x0, -area.y0)
	for y, line := range s.shape.luma.spans {
		from := s.shape.luma.alpha[y*s.shape.luma.stride:]
		to := s.small[0][(at.y0+y)*area.width()+at.x0:]

		for x := line.from; x < line.to; x++ {
			to[x] = float32(line.at(from, x))
		}
	}
}

// boxRadius returns the radius of a box blur that, applied three times, approximates a bell curve.
func boxRadius(spread float64) float64 { return (math.Sqrt(4*spread*spread+1) - 1) / 2 }

// smooth averages over a box, across and down. The radius may be fractional.
func (s *shadow) smooth(w, h int, radius float64) {
	a, b := s.small[0], s.small[1]
	for y := range h {
		average(b[y*w:], a[y*w:], w, 1, radius)
	}

	for x := range w {
		average(a[x:], b[x:], h, w, radius)
	}
}

// average computes the mean around each of n samples that are step apart; outside them are zeros.
func average(dst, src []float32, n, step int, radius float64) {
	r := int(radius)
	rest := float32(radius) - float32(r)
	share := 1 / (2*float32(radius) + 1)

	at := func(i int) float32 {
		if i < 0 || i >= n {
			return 0
		}

		return src[i*step]
	}

	var sum float32
	for i := range min(r+1, n) {
		sum += src[i*step]
	}

	for i := range n {
		dst[i*step] = (sum + rest*(at(i-r-1)+at(i+r+1))) * share
		sum += at(i+r+1) - at(i-r)
	}
}

// enlarge draws the small shadow, which covers a box of the picture, into the mask.
func (s *shadow) enlarge(m *mask, full plan.Rect, within, hole rect, k float64) {
	m.bounds = outer(full).cut(within)
	if m.bounds.empty() {
		m.bounds = rect{}
	}

	w, h := m.bounds.width(), m.bounds.height()
	m.luma.resize(w, h)
	m.chroma.resize(w/2, h/2)

	if m.bounds.empty() {
		return
	}

	x, y := (float64(m.bounds.x0)-full.X)*k, (float64(m.bounds.y0)-full.Y)*k
	axes := &s.scale.axes
	axes[0].set(x, float64(w)*k, w, s.bytes.Width)
	axes[1].set(y, float64(h)*k, h, s.bytes.Height)
	axes[2].set(x, float64(w)*k, w/2, s.bytes.Width)
	axes[3].set(y, float64(h)*k, h/2, s.bytes.Height)

	s.scale.plane(m.luma.whole(w, h), s.bytes, &axes[0], &axes[1])
	s.scale.plane(m.chroma.whole(w/2, h/2), s.bytes, &axes[2], &axes[3])
	m.luma.around(hole.shifted(-m.bounds.x0, -m.bounds.y0))
	m.chroma.around(hole.shifted(-m.bounds.x0, -m.bounds.y0).halved())
}

func (c *coverage) whole(w, h int) Plane { return Plane{c.alpha, c.stride, w, h} }

// around makes every line reach from edge to edge, except for the hole, whose corners are even.
func (c *coverage) around(hole rect) {
	hole.x0, hole.x1 = max(0, hole.x0), min(c.stride, hole.x1)

	for y := range c.spans {
		s := span{inner: c.stride, innerEnd: c.stride, to: c.stride}
		if y >= hole.y0 && y < hole.y1 && hole.x0 < hole.x1 {
			s.inner, s.innerEnd = hole.x0, hole.x1
		}

		c.spans[y] = s
	}
}
