package encode

import (
	"fmt"
	"os"

	"github.com/reelgraph/reelgraph/internal/engine/compositor"
	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// pipeBytes is the capacity of a pipe between programs, and half of that of a stream of pictures. A third of a picture
// of 1080p instead of a fiftieth saves most wake-ups. It is also the size of the smallest picture that is lent: such a
// picture takes all places of the pipe, which hold at most a page each, so that nothing of the one before is left in
// it.
const pipeBytes = 1 << 20

// frameBuffer is a picture to paint on, in the format sent to an encoder.
type frameBuffer struct {
	raw   []byte
	frame compositor.Frame
}

// send sends the picture. The encoder may still read it after send returned; see frameBuffers.
func (s frameBuffer) send(to *os.File) error {
	var err error

	if len(s.raw) < pipeBytes {
		_, err = to.Write(s.raw)
	} else {
		err = lend(to, s.raw)
	}

	if err != nil {
		return fmt.Errorf("send a picture: %w", err)
	}

	return nil
}

// frameBuffers holds two pictures, used in turn: while one is painted, the encoder may still read the end of the other.
// It has read all of a picture when the next one is in the pipe; see pipeBytes. They must stay reachable until the
// encoder has ended.
type frameBuffers struct {
	both [2]frameBuffer
	used int
}

func newFrameBuffers(size plan.Size) (*frameBuffers, error) {
	s := &frameBuffers{}

	for i := range s.both {
		raw := make([]byte, compositor.FrameBytes(size.Width, size.Height))

		frame, err := compositor.FrameOf(raw, size.Width, size.Height)
		if err != nil {
			return nil, err
		}

		s.both[i] = frameBuffer{raw, frame}
	}

	return s, nil
}

// next returns the picture to paint on. It still holds an old picture.
func (s *frameBuffers) next() frameBuffer {
	s.used++

	return s.both[s.used%len(s.both)]
}
