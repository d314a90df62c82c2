package compositor

import (
	"image"
	"image/color"
	"slices"

	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// sprite is a picture with transparency at its place in the frame.
type sprite struct {
	frame Frame
	mask  mask
}

// draw draws the sprite over the picture.
func (s *sprite) draw(dst Frame) {
	if s.frame.empty() {
		return
	}

	blit(dst, s.frame, s.mask.bounds.x0, s.mask.bounds.y0, &s.mask)
}

// canvas returns a transparent picture for the part of a rectangle that is in the frame, with even corners; nil if that
// is empty.
func canvas(r image.Rectangle, within rect) *image.RGBA {
	box := outer(plan.Rect{
		X: float64(r.Min.X), Y: float64(r.Min.Y), Width: float64(r.Dx()), Height: float64(r.Dy()),
	}).cut(within)
	if box.empty() {
		return nil
	}

	return image.NewRGBA(image.Rect(box.x0, box.y0, box.x1, box.y1))
}

// paint draws a color over a canvas through a mask of the frame.
func paint(dst *image.RGBA, m *mask, c Colour) {
	at := m.bounds

	for y := at.y0; y < at.y1; y++ {
		line := m.luma.spans[y-at.y0]
		row := m.luma.alpha[(y-at.y0)*m.luma.stride:]

		for x := at.x0 + line.from; x < at.x0+line.to; x++ {
			if p := (image.Point{X: x, Y: y}); !p.In(dst.Rect) {
				continue
			}

			a := line.at(row, x-at.x0) * int(c.A)
			px := dst.Pix[dst.PixOffset(x, y):][:4]

			for i, v := range [4]uint8{c.R, c.G, c.B, 255} {
				px[i] = uint8((int(px[i])*(255*255-a) + int(v)*a + 255*255/2) / (255 * 255))
			}
		}
	}
}

// spriteOf turns a canvas into a sprite. The chroma of four pixels is their mean weighted by alpha, so that invisible
// pixels do not color an edge.
func spriteOf(src *image.RGBA) *sprite {
	s := &sprite{}
	if src == nil {
		return s
	}

	r := src.Rect
	s.mask.bounds = rect{r.Min.X, r.Min.Y, r.Max.X, r.Max.Y}
	s.frame = NewFrame(r.Dx(), r.Dy())
	s.mask.luma.resize(r.Dx(), r.Dy())
	s.mask.chroma.resize(r.Dx()/2, r.Dy()/2)

	var (
		known [4]uint8 // a cache: most pixels equal their neighbors
		luma  uint8
	)

	for y := range r.Dy() {
		for x := range r.Dx() {
			px := [4]uint8(src.Pix[y*src.Stride+4*x:])
			s.mask.luma.alpha[y*r.Dx()+x] = px[3]

			if px[3] == 0 {
				continue
			}

			if px != known {
				known, luma = px, rounded(straight(px[:])[0])
			}

			s.frame.Planes[0].Row(y)[x] = luma
		}

		s.mask.luma.spans[y] = solidSpan(s.mask.luma.alpha[y*r.Dx():][:r.Dx()])
	}

	s.mask.halve()

	var c chroma

	for y := range r.Dy() / 2 {
		for x := range r.Dx() / 2 {
			above, below := src.Pix[2*y*src.Stride+8*x:], src.Pix[(2*y+1)*src.Stride+8*x:]
			c.of([4][4]uint8{[4]uint8(above), [4]uint8(above[4:]), [4]uint8(below), [4]uint8(below[4:])})

			s.frame.Planes[1].Row(y)[x], s.frame.Planes[2].Row(y)[x] = c.u, c.v
		}
	}

	return s
}

// chroma computes and caches the chroma of four pixels, which mostly equal their neighbors.
type chroma struct {
	pixels [4][4]uint8
	u, v   uint8
}

func (c *chroma) of(pixels [4][4]uint8) {
	if pixels == c.pixels {
		return
	}

	var u, v, seen float64

	for _, px := range pixels {
		if px[3] == 0 {
			continue
		}

		yuv, a := straight(px[:]), float64(px[3])
		u, v, seen = u+yuv[1]*a, v+yuv[2]*a, seen+a
	}

	*c = chroma{pixels: pixels}
	if seen > 0 {
		c.u, c.v = rounded(u/seen), rounded(v/seen)
	}
}

// straight returns the exact samples of a pixel with premultiplied alpha.
func straight(px []uint8) [3]float64 {
	k := 255 / float64(px[3])

	return exactYUV(float64(px[0])*k, float64(px[1])*k, float64(px[2])*k)
}

// with returns a copy of the sprite in which a part within it is replaced.
func (s *sprite) with(part *sprite) *sprite {
	if part.frame.empty() {
		return s
	}

	all := s.mask.bounds
	own := part.mask.bounds
	own.x0, own.x1, own.y0, own.y1 = own.x0-all.x0, own.x1-all.x0, own.y0-all.y0, own.y1-all.y0

	out := &sprite{frame: NewFrame(all.width(), all.height())}
	out.frame.CopyFrom(s.frame)
	out.frame.within(own).CopyFrom(part.frame)

	alpha := Plane{slices.Clone(s.mask.luma.alpha), all.width(), all.width(), all.height()}
	for y := range own.height() {
		copy(alpha.Row(own.y0 + y)[own.x0:], part.mask.luma.alpha[y*own.width():][:own.width()])
	}

	alphaMask(&out.mask, alpha, all, all)

	return out
}

// solidSpan returns where a line of alpha begins and ends, and its longest run of one alpha.
func solidSpan(alpha []byte) span {
	var s span

	for x := 0; x < len(alpha); {
		end := x + 1
		for end < len(alpha) && alpha[end] == alpha[x] {
			end++
		}

		if alpha[x] > 0 {
			if s.to == 0 {
				s.from = x
			}

			s.to = end
			if end-x > s.innerEnd-s.inner {
				s.inner, s.innerEnd, s.solid = x, end, alpha[x]
			}
		}

		x = end
	}

	return s
}

// alphaMask makes m the mask of a picture's own alpha, placed in the frame.
func alphaMask(m *mask, alpha Plane, at, within rect) {
	m.bounds = at.cut(within)
	if m.bounds.empty() {
		m.bounds = rect{}
	}

	w, h := m.bounds.width(), m.bounds.height()
	m.luma.resize(w, h)
	m.chroma.resize(w/2, h/2)

	for y := range h {
		to := m.luma.alpha[y*w:][:w]
		copy(to, alpha.Row(m.bounds.y0 - at.y0 + y)[m.bounds.x0-at.x0:])

		m.luma.spans[y] = solidSpan(to)
	}

	m.halve()
}

func (c Colour) rgba() color.NRGBA { return color.NRGBA{c.R, c.G, c.B, c.A} }
