package compositor

import (
	"fmt"

	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// layer is what is kept of a layer from one frame to the next.
type layer struct {
	key    layerKey
	same   bool // the previous frame had the same key
	mask   mask
	border border

	source  Frame // the input's current picture, with its masks applied
	masked  Frame // scratch for an input that must not be modified
	sampled Frame // scratch for the resampled picture
	memory  []byte
	scale   scaler
	blur    blurrer
	light   lighter
	own     mask      // of the input's own alpha
	kept    plan.Rect // the part of a still input that own was made for
	still   bool
	input   int
	alpha   Plane
}

// layerKey holds everything that decides a layer's mask and border.
type layerKey struct {
	to      plan.Rect
	corner  plan.Corner
	border  values.BorderStyle
	opacity float64
}

// prepare takes the layer's picture, and makes its mask and border if they changed.
func (l *layer) prepare(v *plan.Layer, all []plan.Input, inputs []Frame, unit float64, within rect) error {
	f, err := inputAt(inputs, v.Input)
	if err != nil {
		return fmt.Errorf("prepare a layer: %w", err)
	}

	size := all[v.Input].Size
	if f.Width != size.Width || f.Height != size.Height {
		return fmt.Errorf("input %d is %d×%d: %w", v.Input, f.Width, f.Height, ErrInput)
	}

	key := layerKey{v.To, v.Corner, v.Border, v.Opacity}
	l.same = l.key == key

	if !l.same {
		l.key = key
		l.mask.set(v.To, v.Corner, v.Opacity, within)
		l.border.set(v, unit, within)
	}

	still := all[v.Input].Still
	l.same = l.same && l.input == v.Input
	l.input, l.still = v.Input, still
	l.source = l.hide(f, v.Masks, still)

	return nil
}

// hide applies the masks, on a copy if the frame will be shown again.
func (l *layer) hide(f Frame, masks []plan.Mask, still bool) Frame {
	if len(masks) == 0 {
		return f
	}

	if still {
		if l.masked.Width != f.Width || l.masked.Height != f.Height {
			l.masked = NewFrame(f.Width, f.Height)
		}

		l.masked.CopyFrom(f)
		l.masked.Alpha = f.Alpha
		f = l.masked
	}

	for _, m := range masks {
		if m.Type == values.MaskTypeBlur {
			l.blur.blur(f, m.Box, m.Cell)
		}
	}

	l.light.light(f, masks)

	return f
}

// draw draws the part from of the input into the box to.
func (l *layer) draw(dst Frame, from, to plan.Rect) {
	if l.mask.bounds.empty() {
		return
	}

	var (
		src = l.source
		at  rect
	)

	if from.Width == to.Width && from.Height == to.Height && onGrid(from) && onGrid(to) {
		at = outer(moved(to, -from.X, -from.Y))
		at.x1, at.y1 = at.x0+src.Width, at.y0+src.Height
	} else {
		src, at = l.resample(from, to), l.mask.bounds
	}

	if len(src.Alpha.Pix) == 0 {
		blit(dst, src, at.x0, at.y0, &l.mask)

		return
	}

	if !l.same || !l.still || l.kept != from {
		alphaMask(&l.own, src.Alpha, at, l.mask.bounds)
		l.own.keep(&l.mask)
		l.kept = from
	}

	blit(dst, src, at.x0, at.y0, &l.own)
}

// resample draws the visible part of the input on the pixels that the mask covers.
func (l *layer) resample(from, to plan.Rect) Frame {
	b := l.mask.bounds
	if l.sampled.Width != b.width() || l.sampled.Height != b.height() {
		l.memory = grow(l.memory, FrameBytes(b.width(), b.height()))
		l.sampled, _ = FrameOf(l.memory, b.width(), b.height()) // the size matches
	}

	kx, ky := from.Width/to.Width, from.Height/to.Height
	part := plan.Rect{
		X: from.X + (float64(b.x0)-to.X)*kx, Y: from.Y + (float64(b.y0)-to.Y)*ky,
		Width: float64(b.width()) * kx, Height: float64(b.height()) * ky,
	}
	l.scale.draw(l.sampled, l.source, part)

	l.sampled.Alpha = Plane{}

	if len(l.source.Alpha.Pix) > 0 {
		l.alpha.Pix = grow(l.alpha.Pix, b.width()*b.height())
		l.alpha = Plane{l.alpha.Pix, b.width(), b.width(), b.height()}
		l.scale.drawAlpha(l.alpha, l.source.Alpha)
		l.sampled.Alpha = l.alpha
	}

	return l.sampled
}
