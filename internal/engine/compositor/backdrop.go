package compositor

import (
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// backdrop draws the background behind the layers.
type backdrop struct {
	key   plan.Background // of what is drawn in plain
	plain Frame
	flow  flow
	own   mask // of the picture's own alpha

	// plate is plain with the lowest layer's border on it. It is valid while that layer stays in place.
	plate  Frame
	plated bool
}

// draw paints the background, except what the lowest layer will hide. It reports whether the lowest layer's border is
// already on it.
func (b *backdrop) draw(dst Frame, v plan.View, input Frame, layers []layer) bool {
	var hole rect
	if len(v.Layers) > 0 && len(layers[0].source.Alpha.Pix) == 0 {
		hole = opaque(&v.Layers[0]).cut(dst.bounds())
	}

	switch v.Background.Type {
	case values.BackgroundTypeShaderGradient:
		first, second := colours(v.Background)
		b.flow.draw(dst, first, second, v.Seconds)

		return false
	case values.BackgroundTypeVideo:
		if len(input.Alpha.Pix) > 0 {
			b.lay(dst, input)
		} else {
			copyAround(dst, input, hole)
		}

		return false
	default:
	}

	if b.plain.empty() || b.key != v.Background {
		b.drawPlain(dst, v.Background, input)
		b.plated = false
	}

	if !b.keeps(v, layers) {
		b.plated = false

		copyAround(dst, b.plain, hole)

		return false
	}

	if !b.plated {
		if b.plate.empty() {
			b.plate = NewFrame(dst.Width, dst.Height)
		}

		b.plate.CopyFrom(b.plain)
		layers[0].border.draw(b.plate, 0)

		b.plated = true
	}

	copyAround(dst, b.plate, hole)

	return true
}

// after takes over the background of the previous scene's backdrop, if it is drawn without an input.
func (b *backdrop) after(before *backdrop) {
	if t := before.key.Type; t == values.BackgroundTypeSolid || t == values.BackgroundTypeGradient {
		b.key, b.plain = before.key, before.plain
	}
}

// keeps reports whether plate is worth keeping: the lowest layer has a border, and both stand still.
func (b *backdrop) keeps(v plan.View, layers []layer) bool {
	return len(v.Layers) > 0 && layers[0].same && !layers[0].border.moves() &&
		layers[0].border.style != values.BorderStyleNone
}

// drawPlain draws a background that does not change.
func (b *backdrop) drawPlain(like Frame, v plan.Background, input Frame) {
	if b.plain.empty() {
		b.plain = NewFrame(like.Width, like.Height)
	}

	b.key = v
	first, second := colours(v)

	switch v.Type {
	case values.BackgroundTypeImage:
		b.lay(b.plain, input)
	case values.BackgroundTypeGradient:
		gradient(b.plain, first, second, v.Angle)
	default:
		b.plain.Fill(first)
	}
}

// lay blends the picture of a background over black by its alpha.
func (b *backdrop) lay(dst, input Frame) {
	if len(input.Alpha.Pix) == 0 {
		dst.CopyFrom(input)

		return
	}

	dst.Fill(Black)
	alphaMask(&b.own, input.Alpha, input.bounds(), dst.bounds())
	blit(dst, input, 0, 0, &b.own)
}

// copyAround copies everything except a hole with even corners.
func copyAround(dst, src Frame, hole rect) {
	for i, to := range dst.Planes {
		h := hole
		if i > 0 {
			h = hole.halved()
		}

		for y := range to.Height {
			row, from := to.Row(y), src.Planes[i].Row(y)
			if hole.empty() || y < h.y0 || y >= h.y1 {
				copy(row, from)

				continue
			}

			copy(row[:h.x0], from)
			copy(row[h.x1:], from[h.x1:])
		}
	}
}
