package audio

import (
	"errors"
	"io"
	"math"

	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// loudness measures the loudness of a stream by ITU-R BS.1770-4: weighted by frequency, in blocks of 400 ms with 75%
// overlap, without the silent ones.
type loudness struct {
	weigh   [2]weighting
	quarter []float64 // power of each 100 ms, both sides added
	sum     float64
	n       int
}

// weighting is the K filter: a shelf that models the head, and a high-pass. The coefficients are the standard's, for
// plan.SampleRate.
type weighting struct{ shelf, pass biquad }

func newLoudness() *loudness {
	w := weighting{
		shelf: biquad{b: [3]float64{1.53512485958697, -2.69169618940638, 1.19839281085285}, a: [2]float64{-1.69065929318241, 0.73248077421585}},
		pass:  biquad{b: [3]float64{1, -2, 1}, a: [2]float64{-1.99004745483398, 0.99007225036621}},
	}

	return &loudness{weigh: [2]weighting{w, w}}
}

// biquad is a filter of the second order.
type biquad struct {
	b    [3]float64
	a    [2]float64
	x, y [2]float64
}

func (f *biquad) step(v float64) float64 {
	out := f.b[0]*v + f.b[1]*f.x[0] + f.b[2]*f.x[1] - f.a[0]*f.y[0] - f.a[1]*f.y[1]
	f.x[1], f.x[0] = f.x[0], v
	f.y[1], f.y[0] = f.y[0], out

	return out
}

// hear takes stereo samples.
func (l *loudness) hear(b []float32) {
	weigh, sum, n := l.weigh, l.sum, l.n

	for i, s := range b {
		w := &weigh[i&1]
		v := w.pass.step(w.shelf.step(float64(s)))
		sum += v * v

		if n++; n == 2*plan.SampleRate/10 {
			l.quarter = append(l.quarter, sum/(plan.SampleRate/10))
			sum, n = 0, 0
		}
	}

	l.weigh, l.sum, l.n = weigh, sum, n
}

// silent is the loudness, in LUFS, below which a block does not count; complete silence is below it.
const silent = -70

// integrated returns the loudness of everything heard, in LUFS; minus infinity for silence.
func (l *loudness) integrated() float64 {
	floor := loudnessPower(silent)
	mean := l.gated(floor)

	return loudnessOf(l.gated(max(floor, mean/10))) // −10 LU
}

// gated returns the mean power of the blocks above a floor.
func (l *loudness) gated(floor float64) float64 {
	var (
		sum float64
		n   int
	)

	for i := 0; i+4 <= len(l.quarter); i++ {
		block := (l.quarter[i] + l.quarter[i+1] + l.quarter[i+2] + l.quarter[i+3]) / 4
		if block > floor {
			sum += block
			n++
		}
	}

	return sum / float64(max(n, 1))
}

func loudnessOf(power float64) float64   { return -0.691 + 10*math.Log10(power) }
func loudnessPower(lufs float64) float64 { return math.Pow(10, (lufs+0.691)/10) }

// measured measures a stream while it is read.
type measured struct {
	in pcm
	*loudness
}

func (m measured) read(b []float32) (int, error) {
	n, err := m.in.read(b)
	m.hear(b[:n])

	return n, err
}

// measure reads a stream to its end and returns its loudness in LUFS.
func measure(in pcm) (float64, error) {
	m := measured{in, newLoudness()}

	var block [8192]float32

	for {
		if _, err := m.read(block[:]); errors.Is(err, io.EOF) {
			return m.integrated(), nil
		} else if err != nil {
			return 0, err
		}
	}
}

// amplified multiplies a stream by a factor.
type amplified struct {
	in pcm
	by float32
}

func (a amplified) read(b []float32) (int, error) {
	n, err := a.in.read(b)
	for i := range b[:n] {
		b[i] *= a.by
	}

	return n, err
}
