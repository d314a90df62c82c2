package compositor

import (
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Borders in units of a 1080th of the picture's shorter side.
const (
	subtleSpread, subtleDrop, subtleOpacity = 14, 6, 0.32
	deepSpread, deepDrop, deepOpacity       = 34, 20, 0.6
	rimWidth, rimOpacity                    = 12, 0.35
	solidDrop                               = 18
	snakeWidth                              = 9
)

// border is what is drawn beneath a layer, for as long as the layer stays where it is.
type border struct {
	mask   mask
	layer  mask // scratch
	shadow shadow
	ring   ring
	colour Colour
	style  values.BorderStyle
}

// set prepares the border of a layer in a picture.
func (b *border) set(l *plan.Layer, unit float64, within rect) {
	b.style = l.Border

	box, corner, opacity := l.To, bounded(l.Corner, l.To), l.Opacity
	hole := opaque(l)

	switch l.Border {
	case values.BorderStyleSubtleShadow:
		b.colour = Black
		b.shadow.set(&b.mask, moved(box, 0, subtleDrop*unit), corner, subtleSpread*unit, subtleOpacity*opacity, within, hole)
	case values.BorderStyleDeepShadow:
		b.colour = Black
		b.shadow.set(&b.mask, moved(box, 0, deepDrop*unit), corner, deepSpread*unit, deepOpacity*opacity, within, hole)
	case values.BorderStyleTransparent:
		b.colour = White
		b.mask.set(grown(box, rimWidth*unit), aroundCorner(corner, rimWidth*unit), rimOpacity*opacity, within)
	case values.BorderStyleSolidShadowLeft:
		b.colour = Black
		b.mask.set(moved(box, -solidDrop*unit, solidDrop*unit), corner, opacity, within)
	case values.BorderStyleSolidShadowRight:
		b.colour = Black
		b.mask.set(moved(box, solidDrop*unit, solidDrop*unit), corner, opacity, within)
	case values.BorderStyleSnake:
		b.mask.set(grown(box, snakeWidth*unit), aroundCorner(corner, snakeWidth*unit), opacity, within)
	default:
		b.style = values.BorderStyleNone

		return
	}

	// A layer that comes or goes is not seen through its own border.
	if l.Opacity < 1 {
		b.layer.set(box, corner, 1, within)
		b.mask.drop(&b.layer)
	}

	if b.style == values.BorderStyleSnake {
		b.ring.set(&b.mask, box, hole, within)
	}
}

// draw draws the border, beneath the layer too.
func (b *border) draw(dst Frame, seconds float64) {
	switch b.style {
	case values.BorderStyleNone:
	case values.BorderStyleSnake:
		b.ring.draw(dst, seconds)
	default:
		stain(dst, &b.mask, b.colour)
	}
}

// moves reports whether the border changes by itself.
func (b *border) moves() bool { return b.style == values.BorderStyleSnake }

// opaque is a rectangle of even corners that the layer hides whole; it may be empty.
func opaque(l *plan.Layer) rect {
	if l.Opacity < 1 {
		return rect{}
	}

	// A round corner leaves the square within it, and a squircle more than that.
	const within = 0.3 // 1 − 1/√2, and a little more

	r := inner(grown(l.To, -bounded(l.Corner, l.To).Radius*within-1))
	if r.empty() {
		return rect{}
	}

	return r
}
