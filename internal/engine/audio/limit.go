package audio

import (
	"errors"
	"io"
	"math"
)

const (
	// limitPeak is the loudest sample that leaves the limiter.
	limitPeak = 0.95
	// limitAhead is how early, in samples, the limiter begins to turn down for a peak.
	limitAhead = 5 * samplesPerMs
	// limitRelease is the time constant, in samples, with which it turns up again.
	limitRelease = 60 * samplesPerMs
)

// limiter turns a stream down where it is too loud and never up. It looks ahead, and delays nothing.
type limiter struct {
	in  pcm
	eof bool
	// most is the loudest that comes out, as peak measures it.
	most float64
	peak func(frames []float32, at int) float64

	queue []float32 // frames that are read and not yet given out
	base  int64     // number of the queue's first frame
	seen  int64     // number of the next frame to look at

	// falling are the frames ahead, each quieter-making than all behind it: the first is the least
	// gain of those within limitAhead.
	falling []gainAt
	gain    float64             // least gain ahead, slowed in rising
	recent  [limitAhead]float64 // the last of them, a ring
	sum     float64
	// touched is whether anything was turned down: from then on the sums are no longer those of ones to the last bit.
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

// look fills the queue to a number of frames, or to the end of the stream.
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

// loud looks for what makes any of the next n frames quieter, while nothing did before.
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

// ahead is the frame behind those that decide how loud a frame is.
func (l *limiter) ahead(frame int64) int64 {
	return min(frame+limitAhead, l.base+int64(len(l.queue)/2))
}

// step is the gain of a frame: an average over limitAhead frames of the least gain that any of the
// limitAhead frames from each on needs. At a peak all of them are the peak's own gain or less.
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

	if frame == 0 { // what is loud at once was so before
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
