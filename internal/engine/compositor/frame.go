package compositor

import (
	"errors"
	"fmt"
)

// ErrFrame means that the number of bytes does not match the frame size.
var ErrFrame = errors.New("the byte count does not match the frame size")

// Plane is one channel of a picture.
type Plane struct {
	Pix           []byte
	Stride        int
	Width, Height int
}

// Row returns the samples of one line.
func (p Plane) Row(y int) []byte { return p.Pix[y*p.Stride : y*p.Stride+p.Width] }

func (p Plane) fill(v byte) {
	for y := range p.Height {
		row := p.Row(y)
		for x := range row {
			row[x] = v
		}
	}
}

// Frame is a picture with one luma plane and two chroma planes. Each chroma plane has half the width and half the
// height. Both sides of the picture are even.
type Frame struct {
	Width, Height int
	Planes        [3]Plane
	// Alpha is the opacity of each pixel; without samples all are opaque.
	Alpha Plane
}

// NewFrame returns a black picture. It panics if a side is odd; no caller passes an odd side.
func NewFrame(width, height int) Frame {
	f, err := FrameOf(make([]byte, FrameBytes(width, height)), width, height)
	if err != nil {
		panic(err)
	}

	f.Fill(Black)

	return f
}

// FrameBytes returns the number of bytes of a picture.
func FrameBytes(width, height int) int { return width * height * 3 / 2 }

// FrameOf returns the picture in a raw yuv420p buffer. The picture shares the bytes of the buffer. FrameOf returns
// ErrFrame if the size does not match.
func FrameOf(pix []byte, width, height int) (Frame, error) {
	if width < 2 || height < 2 || width%2+height%2 != 0 || len(pix) != FrameBytes(width, height) {
		return Frame{}, fmt.Errorf("%d bytes for %d×%d: %w", len(pix), width, height, ErrFrame)
	}

	luma, chroma := width*height, width*height/4

	return Frame{Width: width, Height: height, Planes: [3]Plane{
		{pix[:luma], width, width, height},
		{pix[luma : luma+chroma], width / 2, width / 2, height / 2},
		{pix[luma+chroma:], width / 2, width / 2, height / 2},
	}}, nil
}

// AlphaFrameOf returns the picture in a raw yuva420p buffer. It is like FrameOf, but the buffer also has an alpha
// plane at its end.
func AlphaFrameOf(pix []byte, width, height int) (Frame, error) {
	opaque := FrameBytes(width, height)
	if len(pix) != opaque+width*height {
		return Frame{}, fmt.Errorf("%d bytes for %d×%d with alpha: %w", len(pix), width, height, ErrFrame)
	}

	f, err := FrameOf(pix[:opaque], width, height)
	f.Alpha = Plane{pix[opaque:], width, width, height}

	return f, err
}

// Fill paints the whole picture in one color. It ignores the alpha of the color.
func (f Frame) Fill(c Colour) {
	for i, v := range c.yuv() {
		f.Planes[i].fill(v)
	}
}

// CopyFrom copies the luma and chroma planes of src, which must have the same size, but not its alpha plane.
func (f Frame) CopyFrom(src Frame) {
	for i, to := range f.Planes {
		for y := range to.Height {
			copy(to.Row(y), src.Planes[i].Row(y))
		}
	}
}

// within returns the part of a picture between even corners. It shares the bytes.
func (f Frame) within(r rect) Frame {
	part := Frame{Width: r.width(), Height: r.height()}

	for i, p := range f.Planes {
		q := r
		if i > 0 {
			q = r.halved()
		}

		part.Planes[i] = Plane{
			Pix: p.Pix[q.y0*p.Stride+q.x0:], Stride: p.Stride, Width: q.width(), Height: q.height(),
		}
	}

	return part
}

func (f Frame) bounds() rect { return rect{0, 0, f.Width, f.Height} }

// empty reports whether the frame is the zero Frame.
func (f Frame) empty() bool { return f.Width == 0 }
