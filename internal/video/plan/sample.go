package plan

import "github.com/reelgraph/reelgraph/internal/video/timeline"

// Sample is a series of frames of one recording, from which pictures of the recording are made.
type Sample struct {
	// FromUs is the recording time of the first frame, in microseconds.
	FromUs int64
	Frames int64
	FPS    int64
	// Frame has even sides. The whole picture is shown as large as it fits. With Fill, Frame has the aspect ratio of
	// the picture, which then fills it to the last pixel.
	Frame Size
	Fill  bool
}

// Draw returns the Draw for the frames of the sample.
func (s Sample) Draw(from Source) Draw {
	d := Draw{
		FromUs: s.FromUs, Frames: s.Frames, FPS: s.FPS, Speed: timeline.Speed{Num: 1, Den: 1},
		Frame: s.Frame, Picture: Box{Size: s.Frame},
	}

	if p := from.Picture; p != nil {
		d.Colour, d.Decoded, d.Mended = p.Colour.resolved(p.Size), p.kept(), p.Mended

		if !s.Fill {
			d.Picture = letterbox(p.Size, s.Frame)
		}
	}

	return d
}

// Cover returns the smallest even size that has the aspect ratio of picture and is at least width wide and height
// high. If width or height is zero, only the other one counts. If both are zero, Cover starts from the size of
// picture.
func Cover(picture Size, width, height int) Size {
	w, h := picture.Width, picture.Height

	switch {
	case width == 0 && height == 0:
		width = w
	case height > 0 && (width == 0 || width*h < height*w):
		width = (height*w + h - 1) / h
	}

	return Size{Width: (width + 1) &^ 1, Height: (width*h/w + 1) &^ 1}
}

// LongestAsked is the longest side that a client may request. If the client requests only one side, the other side
// has the same limit, unless the picture's own side is longer.
const LongestAsked = 3840

// Thumbnail is the size of a thumbnail of the given width.
func Thumbnail(picture Size, width int) Size { return Cover(picture, width, 0).Within(LongestAsked) }

// Within returns a size of which neither side is longer than the limit most. It returns s if s fits. Otherwise it
// returns the largest even size that fits and has the same aspect ratio.
func (s Size) Within(most int) Size {
	longest := max(s.Width, s.Height)
	if longest <= most {
		return s
	}

	return Size{Width: max(s.Width*most/longest&^1, 2), Height: max(s.Height*most/longest&^1, 2)}
}
