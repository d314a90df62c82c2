package audio

import (
	"errors"
	"io"
	"math"
)

// loopKept is how much of a looped sound is kept in memory, in values: two minutes. A longer sound is decoded again
// each time.
const loopKept = 2 * 120_000 * samplesPerMs

// loopSeam is over how many samples the step between a sound's end and its beginning is smoothed.
const loopSeam = 5 * samplesPerMs

// looped repeats a sound for ever. A sound without samples is silence.
type looped struct {
	open func() tape

	in    tape
	kept  []float32
	whole bool // kept holds the whole sound
	at    int  // place in kept, once it is whole
	heard int64
	over  bool // there is nothing to hear

	last   [2]float32 // the last values returned
	offset [2]float32 // the size of the step at the seam
	seam   int64      // samples since the last start; loopSeam or more means after the seam
}

// tape is a sound that must be closed.
type tape interface {
	pcm
	close()
}

func newLooped(open func() tape) *looped { return &looped{open: open, seam: loopSeam} }

func (l *looped) close() {
	if l.in != nil {
		l.in.close()
		l.in = nil
	}
}

func (l *looped) read(b []float32) (int, error) {
	if l.over {
		return 0, io.EOF
	}

	n, err := l.next(b)

	if errors.Is(err, io.EOF) {
		if l.heard == 0 {
			l.over = true

			return 0, io.EOF
		}

		l.again()

		return 0, nil
	}

	if err != nil {
		return 0, err
	}

	l.smooth(b[:n])

	return n, nil
}

// next reads from the current turn and returns io.EOF at its end.
func (l *looped) next(b []float32) (int, error) {
	if l.whole {
		n := copy(b, l.kept[l.at:])
		l.at += n

		if n == 0 {
			return 0, io.EOF
		}

		return n, nil
	}

	if l.in == nil {
		l.in = l.open()
	}

	n, err := l.in.read(b)
	l.heard += int64(n)

	if l.kept = append(l.kept, b[:n]...); l.heard > loopKept {
		l.kept = nil
	}

	return n, err
}

// again returns to the beginning.
func (l *looped) again() {
	l.close()

	l.whole = l.whole || l.heard <= loopKept
	l.at, l.seam = 0, 0

	if !l.whole {
		l.heard = 0
	}
}

// smooth removes the step at the seam: it adds the step at the new beginning and fades it out. If the end meets the
// beginning there is no step, and nothing changes.
func (l *looped) smooth(b []float32) {
	if l.seam == 0 && len(b) > 1 {
		l.offset = [2]float32{l.last[0] - b[0], l.last[1] - b[1]}
	}

	if n := len(b); n > 1 {
		l.last = [2]float32{b[n-2], b[n-1]}
	}

	for i := 0; i+1 < len(b) && l.seam < loopSeam; i += 2 {
		g := float32(0.5 + 0.5*math.Cos(math.Pi*float64(l.seam)/loopSeam))
		b[i] += g * l.offset[0]
		b[i+1] += g * l.offset[1]
		l.seam++
	}
}
