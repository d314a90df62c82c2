package compositor

import (
	"math"

	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// A snake runs once around its layer in snakeSeconds; snakeLength is its length as a share of the outline.
const (
	snakeSeconds = 5
	snakeLength  = 0.4
)

// ring is the line around a layer: for each of its samples, how much of it is covered and how far along the outline it
// is.
type ring struct {
	luma, chroma ringPlane
	ways         [256][4]byte // color and alpha for each distance behind the head
}

type ringPlane struct {
	at    []int32
	cover []byte
	way   []byte
}

// set takes the samples of the mask that are outside the hole.
func (r *ring) set(m *mask, box plan.Rect, hole, within rect) {
	m.luma.trace(&r.luma, m.bounds, 1, box, hole, within.width())
	m.chroma.trace(&r.chroma, m.bounds.halved(), 2, box, hole.halved(), within.width()/2)

	head, tail := Colour{34, 211, 238, 255}.exact(), Colour{139, 92, 246, 255}.exact()

	for i := range r.ways {
		behind := float64(i) / float64(len(r.ways)) / snakeLength
		for k := range 3 {
			r.ways[i][k] = rounded(head[k] + (tail[k]-head[k])*min(1, 2*behind))
		}

		r.ways[i][3] = rounded(255 * max(0.15, min(1, 2*(1-behind))))
	}
}

// trace lists the samples of a plane, which are k pixels apart.
func (c *coverage) trace(r *ringPlane, at rect, k float64, box plan.Rect, hole rect, stride int) {
	r.at, r.cover, r.way = r.at[:0], r.cover[:0], r.way[:0]

	for y, s := range c.spans {
		for x := s.from; x < s.to; x++ {
			px, py := at.x0+x, at.y0+y
			if px >= hole.x0 && px < hole.x1 && py >= hole.y0 && py < hole.y1 {
				continue
			}

			r.at = append(r.at, int32(py*stride+px))
			r.cover = append(r.cover, byte(s.at(c.alpha[y*c.stride:], x)))
			r.way = append(r.way, byte(way(box, (float64(px)+0.5)*k, (float64(py)+0.5)*k)*256))
		}
	}
}

// way returns how far along the box's outline a place is, clockwise from the upper left corner: from 0 to just below 1.
func way(b plan.Rect, x, y float64) float64 {
	x, y = max(0, min(b.Width, x-b.X)), max(0, min(b.Height, y-b.Y))
	top, right, bottom, left := y, b.Width-x, b.Height-y, x

	var along float64

	switch min(top, right, bottom, left) {
	case top:
		along = x
	case right:
		along = b.Width + y
	case bottom:
		along = b.Width + b.Height + right
	default:
		along = 2*b.Width + b.Height + bottom
	}

	return min(along/(2*(b.Width+b.Height)), 0.999)
}

// draw draws the line at a time in seconds.
func (r *ring) draw(dst Frame, seconds float64) {
	_, turn := math.Modf(seconds / snakeSeconds)
	head := byte(turn * 256)

	for i, p := range dst.Planes {
		of := &r.luma
		if i > 0 {
			of = &r.chroma
		}

		stride, width := int32(p.Stride), int32(p.Width)

		for k, at := range of.at {
			c := &r.ways[head-of.way[k]]
			d := &p.Pix[at/width*stride+at%width]
			*d = mixed(*d, c[i], weight(of.cover[k])*weight(c[3])/whole)
		}
	}
}
