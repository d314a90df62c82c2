package stock

import "io"

// The size of Frames: soft light needs no detail, so the encoder enlarges it.
const (
	FrameWidth  = 320
	FrameHeight = 180
)

// Frames returns the pictures of one loop of an animated background, as raw RGB.
func (i Item) Frames() io.Reader {
	return &frames{picture: *i.Picture, count: int(i.LoopMs) * i.FrameRate / 1000}
}

type frames struct {
	picture     Picture
	next, count int
	left        []byte
}

// Read implements io.Reader. It paints each picture when it is needed.
func (f *frames) Read(b []byte) (int, error) {
	if len(f.left) == 0 {
		if f.next == f.count {
			return 0, io.EOF
		}

		img := f.picture.paint(FrameWidth, FrameHeight, float64(f.next)/float64(f.count), 0)
		f.next++
		f.left = make([]byte, 0, 3*FrameWidth*FrameHeight)

		for p := 0; p < len(img.Pix); p += 4 {
			f.left = append(f.left, img.Pix[p:p+3]...)
		}
	}

	n := copy(b, f.left)
	f.left = f.left[n:]

	return n, nil
}
