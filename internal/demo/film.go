package demo

import (
	"fmt"
	"io"
)

// FPS is the frame rate of every film.
const FPS = 30

// A Film is a recording to generate. Draw draws each frame on top of the previous frame.
type Film struct {
	Width, Height int
	LengthMs      int
	Draw          func(f Frame)
	// Sound is the sound as one channel of samples at SoundRate. nil means no sound.
	Sound []int16
}

// A Frame is a picture to draw, and its time in the film.
type Frame struct {
	canvas

	Ms int
}

// WritePictures writes every frame as raw pixels of four bytes: red, green, blue and alpha.
func (f Film) WritePictures(to io.Writer) error {
	frame := Frame{canvas: newCanvas(f.Width, f.Height)}

	for n := range f.LengthMs * FPS / 1000 {
		frame.Ms = n * 1000 / FPS
		f.Draw(frame)

		if _, err := to.Write(frame.Pix); err != nil {
			return fmt.Errorf("write picture: %w", err)
		}
	}

	return nil
}

// Samples returns the sound as signed 16-bit little-endian samples, exactly as long as the film.
func (f Film) Samples() []byte {
	samples := make([]byte, 2*f.LengthMs*SoundRate/1000)
	for i, s := range f.Sound[:min(len(f.Sound), len(samples)/2)] {
		samples[2*i], samples[2*i+1] = byte(s), byte(uint16(s)>>8)
	}

	return samples
}
