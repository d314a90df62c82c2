package audio

import (
	"errors"
	"io"
	"math"
)

const (
	// limitPeak is the loudest sample that the limiter lets through.
	limitPeak = 0.95
	// limitAhead is how many samples before a peak the limiter begins to turn down.
	limitAhead = 5 * samplesPerMs
	// limitRelease is the time constant, in samples, of turning up again.
	limitRelease = 60 * samplesPerMs
)

// limiter turns a stream down where it is too loud and never up. It looks ahead, so it adds no delay.
type limiter struct {
	in  pcm
	eof bool
	// most is the greatest output value, as peak measures it.
	most float64
	peak func(frames []float32, at int) float64

	queue []float32 // frames read but not yet given out
	base  int64     // number of the queue's first frame
	seen  int64     // number of the next frame to examine

	// falling holds frames ahead whose gain is lower than that of every frame after them: the first has the lowest gain
	// within limitAhead.
	falling []gainAt
	gain    float64             // lowest gain ahead, rising slowly
	recent  [limitAhead]float64 // the last values of gain, a ring
	sum     float64
	// touched is true once anything was turned down: from then on sum is no longer exactly a sum of ones.
	touched bool
}

type gainAt struct {
	frame int64
	gain  float64
}

func newLimiter(in pcm) *limiter { return newLimiterTo(in, limitPeak, samplePeak) }

func newLimiterTo(in pcm, most float64, peak func([]float32, int) float64) *limiter {
	l := &limiter{in: in, gain: 1, sum: limitAhead, most: most, peak: peak}
	for i := range l.recent {
		l.recent[i] = 1
	}

	return l
}

func (l *limiter) read(b []float32) (int, error) {
	want := len(b) / 2
	if err := l.look(want + limitAhead + peakReach); err != nil {
		return 0, err
	}

	n := min(want, len(l.queue)/2)
	if n == 0 {
		return 0, io.EOF
	}

	if l.touched = l.touched || l.loud(n); l.touched {
		for i := range n {
			g := float32(l.step(l.base + int64(i)))
			b[2*i], b[2*i+1] = g*l.queue[2*i], g*l.queue[2*i+1]
		}
	} else {
		copy(b, l.queue[:2*n])
	}

	l.base += int64(n)
	l.queue = append(l.queue[:0], l.queue[2*n:]...)

	return 2 * n, nil
}

// look fills the queue up to a number of frames, or to the end of the stream.
func (l *limiter) look(frames int) error {
	var block [4096]float32

	for !l.eof && len(l.queue) < 2*frames {
		n, err := l.in.read(block[:])
		l.queue = append(l.queue, block[:n]...)

		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}

		l.eof = err != nil
	}

	return nil
}

// loud reports whether any of the next n frames must be turned down. It is called until the first such frame.
func (l *limiter) loud(n int) bool {
	to := l.ahead(l.base + int64(n-1))

	for at := l.seen; at < to; at++ {
		if l.peak(l.queue, int(at-l.base)) > l.most {
			return true
		}
	}

	l.seen = to

	return false
}

// ahead returns the number of the frame after those that decide the gain of a frame.
func (l *limiter) ahead(frame int64) int64 {
	return min(frame+limitAhead, l.base+int64(len(l.queue)/2))
}

// step returns the gain of a frame: the average, over the last limitAhead frames, of the lowest gain needed within
// limitAhead frames ahead. At a peak all of these values are at most the peak's own gain.
func (l *limiter) step(frame int64) float64 {
	for to := l.ahead(frame); l.seen < to; l.seen++ {
		peak := l.peak(l.queue, int(l.seen-l.base))
		need := gainAt{l.seen, 1}

		if peak > l.most {
			need.gain = l.most / peak
		}

		for len(l.falling) > 0 && l.falling[len(l.falling)-1].gain >= need.gain {
			l.falling = l.falling[:len(l.falling)-1]
		}

		l.falling = append(l.falling, need)
	}

	for len(l.falling) > 1 && l.falling[0].frame < frame {
		l.falling = l.falling[1:]
	}

	rising := l.gain + (1-l.gain)/limitRelease
	l.gain = math.Min(l.falling[0].gain, rising)

	if frame == 0 { // the stream starts loud: assume it was so before
		for i := range l.recent {
			l.recent[i] = l.gain
		}

		l.sum = l.gain * limitAhead
	}

	slot := frame % limitAhead
	l.sum += l.gain - l.recent[slot]
	l.recent[slot] = l.gain

	return math.Min(l.sum/limitAhead, 1)
}
