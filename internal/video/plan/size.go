package plan

// Size is a width and a height in pixels.
type Size struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

// Box is a rectangle within a picture.
type Box struct {
	X int `json:"x"`
	Y int `json:"y"`
	Size
}

// rounding is the largest difference in pixels between boxes of one aspect.
const rounding = 2

// maxArtboard is the longest side of a default artboard.
const maxArtboard = 1920

// Artboard is the default artboard of a video whose first source has the given displayed size. The size is scaled
// down, but never up, so that the longer side is at most 1920. Sides are rounded to the nearest even number.
func Artboard(source Size) Size {
	return fit(source, min(source.Width, maxArtboard), min(source.Height, maxArtboard))
}

// box is the box of a resolution for an artboard: wide, turned when the artboard is tall, square when it is square.
func (r Resolution) box(artboard Size) Size {
	long, short := 1920, 1080
	if r == UHD4K {
		long, short = 3840, 2160
	}

	switch {
	case artboard.Width > artboard.Height:
		return Size{long, short}
	case artboard.Width < artboard.Height:
		return Size{short, long}
	default:
		return Size{short, short}
	}
}

// Size is the size of an export: the largest even size that has the aspect ratio of the artboard and fits into the
// box of the resolution.
func (r Resolution) Size(artboard Size) Size {
	b := r.box(artboard)

	return fit(artboard, b.Width, b.Height)
}

// fit is the largest size of s's aspect within a width and a height, with sides rounded to the nearest even number that
// still fits.
func fit(s Size, width, height int) Size {
	if s.Width*height >= s.Height*width {
		return Size{Width: even(width, 1, width), Height: even(s.Height*width, s.Width, height)}
	}

	return Size{Width: even(s.Width*height, s.Height, width), Height: even(height, 1, height)}
}

// even is num/den rounded to the nearest even number, at least 2 and at most most.
func even(num, den, most int) int {
	n := (num + den) / (2 * den) * 2
	if n > most {
		n = most &^ 1
	}

	return max(2, n)
}

// Inside is the box in which a whole picture is shown within a frame: as large as possible, and centered.
func Inside(picture, frame Size) Box { return letterbox(picture, frame) }

// letterbox is the box in which a picture is shown whole within a frame: as large as it fits, centred, on even pixels. It
// fills a side that would keep at most two pixels free, which is how much even sizes of one aspect differ.
func letterbox(picture, frame Size) Box {
	s := fit(picture, frame.Width, frame.Height)

	if frame.Width-s.Width <= rounding {
		s.Width = max(s.Width, frame.Width&^1)
	}

	if frame.Height-s.Height <= rounding {
		s.Height = max(s.Height, frame.Height&^1)
	}

	return Box{X: (frame.Width - s.Width) / 2 &^ 1, Y: (frame.Height - s.Height) / 2 &^ 1, Size: s}
}
