package compositor

import (
	"math"

	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// mask is how much of each pixel a shape covers, in the planes of a picture.
type mask struct {
	bounds rect // even corners, in the target picture
	luma   coverage
	chroma coverage
	row    []float64 // scratch
}

// coverage is the alpha of each sample of a plane within the mask's bounds, with a span for each line.
type coverage struct {
	stride int
	alpha  []byte
	spans  []span
}

// span describes one line: alpha is 0 outside from..to, and solid within inner..innerEnd, where the samples are not
// written.
type span struct {
	from, inner, innerEnd, to int
	solid                     byte
}

// steps is how many slices of a line are measured. Horizontally the measure is exact.
const steps = 16

// set makes this the mask of a shape in a box, clipped to a picture. It reuses its memory.
func (m *mask) set(b plan.Rect, c plan.Corner, opacity float64, within rect) {
	c = bounded(c, b)
	m.bounds = outer(b).cut(within)

	if m.bounds.empty() {
		m.bounds = rect{}
	}

	w, h := m.bounds.width(), m.bounds.height()
	m.luma.resize(w, h)
	m.chroma.resize(w/2, h/2)

	if cap(m.row) < w {
		m.row = make([]float64, w)
	}

	m.row = m.row[:w]

	b = moved(b, -float64(m.bounds.x0), -float64(m.bounds.y0))
	for y := range h {
		m.luma.spans[y] = m.line(b, c, opacity, y)
	}

	m.halve()
}

func (c *coverage) resize(w, h int) {
	c.stride = w
	if cap(c.alpha) < w*h {
		c.alpha = make([]byte, w*h)
	}

	c.alpha = c.alpha[:w*h]

	if cap(c.spans) < h {
		c.spans = make([]span, h)
	}

	c.spans = c.spans[:h]
}

// line computes one line of the luma.
func (m *mask) line(b plan.Rect, c plan.Corner, opacity float64, y int) span {
	w := len(m.row)
	top, bottom := max(b.Y, float64(y)), min(b.Y+b.Height, float64(y+1))

	if bottom <= top || w == 0 {
		return span{}
	}

	// The shape is widest where it is nearest to its middle, and narrowest at the other end.
	near := max(top, min(bottom, b.Y+b.Height/2))
	wide, narrow := inset(c, near-b.Y, b.Height), max(inset(c, top-b.Y, b.Height), inset(c, bottom-b.Y, b.Height))

	clamp := func(v float64) int { return int(max(0, min(float64(w), v))) }
	out := span{
		from:     clamp(math.Floor(b.X + wide)),
		inner:    clamp(math.Ceil(b.X + narrow)),
		innerEnd: clamp(math.Floor(b.X + b.Width - narrow)),
		to:       clamp(math.Ceil(b.X + b.Width - wide)),
		solid:    rounded(255 * opacity * (bottom - top)),
	}
	out.innerEnd = max(out.innerEnd, out.inner)

	m.measure(b, c, top, bottom, out)

	alpha := m.luma.alpha[y*w:][:w]

	for x := out.from; x < out.to; x++ {
		if x == out.inner {
			x = out.innerEnd
		}

		if x < out.to {
			alpha[x] = rounded(255 * opacity * m.row[x])
		}
	}

	return out
}

// measure sums how much of each pixel outside the inner part is covered between two heights.
func (m *mask) measure(b plan.Rect, c plan.Corner, top, bottom float64, of span) {
	clear(m.row[of.from:of.to])

	for i := range steps {
		y := top + (bottom-top)*(float64(i)+0.5)/steps
		in := inset(c, y-b.Y, b.Height)
		share := (bottom - top) / steps
		m.add(b.X+in, b.X+b.Width-in, share, of.from, of.inner)
		m.add(b.X+in, b.X+b.Width-in, share, of.innerEnd, of.to)
	}
}

// add covers the part of pixels from..to that is between two edges.
func (m *mask) add(left, right, share float64, from, to int) {
	for x := from; x < to; x++ {
		if c := min(right, float64(x+1)) - max(left, float64(x)); c > 0 {
			m.row[x] += c * share
		}
	}
}

// halve sets the chroma's coverage to the mean of the luma's.
func (m *mask) halve() {
	for y := range m.chroma.spans {
		a, b := m.luma.spans[2*y], m.luma.spans[2*y+1]
		upper := m.luma.alpha[2*y*m.luma.stride:][:m.luma.stride]
		lower := m.luma.alpha[(2*y+1)*m.luma.stride:][:m.luma.stride]
		out := span{from: min(a.start(), b.start()) / 2, to: (max(a.to, b.to) + 1) / 2}
		out.inner, out.innerEnd = out.to, out.to

		if a.solid == b.solid {
			inner, innerEnd := (max(a.inner, b.inner)+1)/2, min(a.innerEnd, b.innerEnd)/2
			if inner < innerEnd {
				out.inner, out.innerEnd, out.solid = inner, innerEnd, a.solid
			}
		}

		row := m.chroma.alpha[y*m.chroma.stride:][:m.chroma.stride]

		for x := out.from; x < out.to; x++ {
			if x == out.inner && out.inner < out.innerEnd {
				x = out.innerEnd - 1

				continue
			}

			sum := a.at(upper, 2*x) + a.at(upper, 2*x+1) + b.at(lower, 2*x) + b.at(lower, 2*x+1)
			row[x] = byte((sum + 2) / 4)
		}

		m.chroma.spans[y] = out
	}
}

// start returns where the line begins; a very large number if it is empty.
func (s span) start() int {
	if s.to == 0 {
		return math.MaxInt / 2
	}

	return s.from
}

// at returns the alpha of one sample.
func (s span) at(alpha []byte, x int) int {
	switch {
	case x < s.from || x >= s.to:
		return 0
	case x >= s.inner && x < s.innerEnd:
		return int(s.solid)
	default:
		return int(alpha[x])
	}
}

// plane returns the coverage of the picture's plane with that index.
func (m *mask) plane(i int) (*coverage, rect) {
	if i == 0 {
		return &m.luma, m.bounds
	}

	return &m.chroma, m.bounds.halved()
}

// bounded returns the corner with a radius that fits into the box.
func bounded(c plan.Corner, b plan.Rect) plan.Corner {
	c.Radius = max(0, min(c.Radius, b.Width/2, b.Height/2))

	return c
}

// inset returns how much narrower than its box a shape is, on each side, at a height in the box.
func inset(c plan.Corner, y, height float64) float64 {
	d := c.Radius - min(y, height-y)
	if d <= 0 {
		return 0
	}

	d = min(1, d/c.Radius)
	d *= d

	if c.Squircle {
		return c.Radius * (1 - math.Sqrt(math.Sqrt(1-d*d)))
	}

	return c.Radius * (1 - math.Sqrt(1-d))
}

// aroundCorner returns the corner of a box with a margin around it, with the same center.
func aroundCorner(c plan.Corner, by float64) plan.Corner {
	if c.Radius > 0 {
		c.Radius = max(0, c.Radius+by)
	}

	return c
}

// fill makes a mask from a function of the center of each pixel in a box: 0 means not covered, 1 covered.
func (m *mask) fill(b plan.Rect, within rect, cover func(x, y float64) float64) {
	m.bounds = outer(b).cut(within)
	if m.bounds.empty() {
		m.bounds = rect{}
	}

	w, h := m.bounds.width(), m.bounds.height()
	m.luma.resize(w, h)
	m.chroma.resize(w/2, h/2)

	for y := range h {
		for x := range w {
			c := cover(float64(m.bounds.x0+x)+0.5, float64(m.bounds.y0+y)+0.5)
			m.luma.alpha[y*w+x] = byte(255*max(0, min(1, c)) + 0.5)
		}

		m.luma.spans[y] = span{inner: w, innerEnd: w, to: w}
	}

	m.halve()
}

// keep intersects the mask with another one of the same picture.
func (m *mask) keep(other *mask) {
	for i := range 2 {
		c, at := m.plane(i)
		o, from := other.plane(i)

		for y := range c.spans {
			row := c.alpha[y*c.stride:][:c.stride]
			oy := at.y0 + y - from.y0

			if oy < 0 || oy >= len(o.spans) {
				c.spans[y] = span{}

				continue
			}

			own, s, line := c.spans[y], o.spans[oy], o.alpha[oy*o.stride:][:o.stride]
			for x := range row {
				row[x] = byte(own.at(row, x) * s.at(line, at.x0+x-from.x0) / 255)
			}

			c.spans[y] = solidSpan(row)
		}
	}
}

// drop subtracts another mask of the same picture.
func (m *mask) drop(other *mask) {
	for i := range 2 {
		c, at := m.plane(i)
		o, from := other.plane(i)

		for y := range c.spans {
			s, row := &c.spans[y], c.alpha[y*c.stride:][:c.stride]
			for x := s.inner; x < s.innerEnd; x++ {
				row[x] = s.solid
			}

			s.inner, s.innerEnd = s.to, s.to

			oy := at.y0 + y - from.y0
			if oy < 0 || oy >= len(o.spans) {
				continue
			}

			line := o.alpha[oy*o.stride:]
			for x := s.from; x < s.to; x++ {
				row[x] = byte(int(row[x]) * (255 - o.spans[oy].at(line, at.x0+x-from.x0)) / 255)
			}
		}
	}
}
