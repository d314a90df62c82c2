package encode

import (
	"fmt"
	"os"

	"github.com/reelgraph/reelgraph/internal/engine/compositor"
	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// pipeBytes is how much a pipe between programs holds, and half of what a stream of pictures may: a third of a picture of
// 1080p instead of a fiftieth saves most of the waking up. It is also the least picture that is lent: such a one takes all places of the
// pipe, each of a page at most, so that nothing of the one before is left in it.
const pipeBytes = 1 << 20

// frameBuffer is a picture to paint on, as it is sent to an encoder.
type frameBuffer struct {
	raw   []byte
	frame compositor.Frame
}

// send sends the picture. It may still be read from where it is when this returns; see frameBuffers.
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

// frameBuffers are two pictures in turn: while one is painted, the encoder may still be reading the end of the other.
// It has read all of a picture when the next one has gone into the pipe; see pipeBytes. They must be kept until it has
// ended.
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

// next is the picture to paint on, whatever is on it.
func (s *frameBuffers) next() frameBuffer {
	s.used++

	return s.both[s.used%len(s.both)]
}
