package plan

import (
	"slices"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

// sight is what is seen at one moment, before the decoders' output is chosen: parts are shares of whole pictures.
type sight struct {
	background Background
	behind     *figure // the picture of the background
	figures    []figure
	overlays   []laid
	caption    *Caption
	fade       float64
}

// written reports whether text is shown.
func (v *sight) written() bool {
	return v.caption != nil || slices.ContainsFunc(v.overlays, func(l laid) bool { return l.Text != nil })
}

// flows reports whether something is animated.
func (v *sight) flows() bool {
	return v.background.Type == values.BackgroundTypeShaderGradient ||
		slices.ContainsFunc(v.figures, func(f figure) bool { return f.border.Animated() })
}

// stream is a source on the recording's clock, or on its own clock, which begins at a playback time of the clip.
type stream struct {
	source string
	role   Role
	own    bool
	frozen bool // shows the clip before
	fromMs int64
	loopMs int64 // length of the loop; zero does not loop
	// slot distinguishes overlays of the same source.
	slot int
}

// figure is a part of a stream's picture in a box of the frame.
type figure struct {
	stream  stream
	part    Rect
	to      Rect
	corner  Corner
	border  values.BorderStyle
	opacity float64
	masks   []veil
	pointer bool
}

// veil is a mask whose box is a share of the whole picture.
type veil struct {
	kind      values.MaskType
	box       Rect
	intensity float64
}

// wholePart is the whole picture.
func wholePart() Rect { return Rect{Width: 1, Height: 1} }

// cover returns the middle of a part of a picture, cropped to a box's aspect. A part whose aspect differs by at most two
// pixels of the box is taken whole.
func cover(part Rect, picture Size, w, h float64) Rect {
	pw, ph := part.Width*float64(picture.Width), part.Height*float64(picture.Height)

	switch {
	case w*ph > h*pw && w*ph/pw-h > rounding: // the part is too tall
		tall := h * pw / w / float64(picture.Height)
		part.Y += (part.Height - tall) / 2
		part.Height = tall
	case w*ph < h*pw && h*pw/ph-w > rounding:
		wide := w * ph / h / float64(picture.Width)
		part.X += (part.Width - wide) / 2
		part.Width = wide
	}

	return part
}

// closer returns a part of a part, enlarged by scale around a point of the picture, and moved to stay inside the part.
func closer(part Rect, scale, x, y float64) Rect {
	w, h := part.Width/scale, part.Height/scale

	return Rect{
		X: min(max(x-w/2, part.X), part.X+part.Width-w), Y: min(max(y-h/2, part.Y), part.Y+part.Height-h),
		Width: w, Height: h,
	}
}

// clipped returns the figure without what lies outside the frame; false when nothing is left.
func (f figure) clipped(frame Size) (figure, bool) {
	x0, y0 := max(f.to.X, 0), max(f.to.Y, 0)
	x1 := min(f.to.X+f.to.Width, float64(frame.Width))
	y1 := min(f.to.Y+f.to.Height, float64(frame.Height))

	if x1-x0 < 1 || y1-y0 < 1 {
		return f, false
	}

	sx, sy := f.part.Width/f.to.Width, f.part.Height/f.to.Height
	f.part = Rect{
		X: f.part.X + (x0-f.to.X)*sx, Y: f.part.Y + (y0-f.to.Y)*sy,
		Width: (x1 - x0) * sx, Height: (y1 - y0) * sy,
	}
	f.to = Rect{X: x0, Y: y0, Width: x1 - x0, Height: y1 - y0}

	return f, true
}

// hides reports whether the figure hides everything behind it.
func (f figure) hides(frame Size) bool {
	return f.opacity == 1 && f.corner.Radius == 0 && f.to.X <= 0 && f.to.Y <= 0 &&
		f.to.X+f.to.Width >= float64(frame.Width) && f.to.Y+f.to.Height >= float64(frame.Height)
}

func rectOf(b Box) Rect {
	return Rect{X: float64(b.X), Y: float64(b.Y), Width: float64(b.Width), Height: float64(b.Height)}
}
