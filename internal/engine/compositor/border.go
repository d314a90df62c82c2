package compositor

import (
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Sizes of borders, in 1/1080 of the picture's shorter side.
const (
	subtleSpread, subtleDrop, subtleOpacity = 14, 6, 0.32
	deepSpread, deepDrop, deepOpacity       = 34, 20, 0.6
	rimWidth, rimOpacity                    = 12, 0.35
	solidDrop                               = 18
	snakeWidth                              = 9
)

// border is drawn beneath a layer. It is valid while the layer stays in place.
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
	default: // TestBorders has the styles that may be drawn as none
		b.style = values.BorderStyleNone

		return
	}

	// A translucent layer must not show its own border through itself.
	if l.Opacity < 1 {
		b.layer.set(box, corner, 1, within)
		b.mask.drop(&b.layer)
	}

	if b.style == values.BorderStyleSnake {
		b.ring.set(&b.mask, box, hole, within)
	}
}

// draw draws the border, also beneath the layer.
func (b *border) draw(dst Frame, seconds float64) {
	switch b.style {
	case values.BorderStyleNone:
	case values.BorderStyleSnake:
		b.ring.draw(dst, seconds)
	default:
		stain(dst, &b.mask, b.colour)
	}
}

// moves reports whether the border is animated.
func (b *border) moves() bool { return b.style.Animated() }

// opaque returns a rectangle with even corners that the layer hides completely; it may be empty.
func opaque(l *plan.Layer) rect {
	if l.Opacity < 1 {
		return rect{}
	}

	// With round corners the inscribed square is safe; a squircle covers more than that.
	const within = 0.3 // 1 − 1/√2, and a little more

	r := inner(grown(l.To, -bounded(l.Corner, l.To).Radius*within-1))
	if r.empty() {
		return rect{}
	}

	return r
}
