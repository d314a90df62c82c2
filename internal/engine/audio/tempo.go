package audio

import (
	"errors"
	"io"
	"math"
)

// Lengths of the tempo change, in samples.
const (
	// tempoHop is half the length of the overlapping grains that the sound is built from.
	tempoHop = 10 * samplesPerMs
	// tempoReach is how far from its ideal place a grain may be taken to fit the one before: half the period of the lowest
	// pitch that is kept well.
	tempoReach = 8 * samplesPerMs
	// onsetBody is how much of a sound that begins suddenly is never repeated or shortened.
	onsetBody = 5 * samplesPerMs
	// onsetLead is how much before an onset is kept with it.
	onsetLead = samplesPerMs / 2
	// tempoAhead is how far beyond a grain's ideal center the input must be known.
	tempoAhead = tempoReach + 4*tempoHop
)

// tempo plays a stream faster or slower at its own pitch. It lays out grains of the input, each where it best fits the
// one before (waveform similarity), and keeps sudden onsets whole and at their exact time. FFmpeg's own filters moved a
// click by 15 to 50 ms, or lost it.
type tempo struct {
	in       pcm
	num, den int64
	eof      bool

	queue  []float32 // input, from sample base on
	mono   []float32 // the same, both sides added
	base   int64
	length int64 // of the input; known at its end

	onsets   onsets
	grain    int64 // number of the next grain; its center is at output sample grain·tempoHop
	centre   int64 // input sample at the center of the grain before
	tail     [2 * tempoHop]float32
	out      []float32
	window   [2 * tempoHop]float32
	finished bool
}

func newTempo(in pcm, num, den int64) *tempo {
	t := &tempo{in: in, num: num, den: den, onsets: newOnsets((2*tempoHop + onsetBody) * max(num, den) / den)}
	for i := range t.window {
		t.window[i] = float32(0.5 - 0.5*math.Cos(math.Pi*(float64(i)+0.5)/tempoHop))
	}

	return t
}

func (t *tempo) read(b []float32) (int, error) {
	for len(t.out) == 0 {
		if t.finished {
			return 0, io.EOF
		}

		if err := t.lay(); err != nil {
			return 0, err
		}
	}

	n := copy(b, t.out)
	t.out = t.out[n:]

	return n, nil
}

// lay adds one grain. Its first half completes the half grain before it.
func (t *tempo) lay() error {
	at := t.grain * tempoHop
	ideal := at * t.num / t.den

	if err := t.look(ideal + tempoAhead); err != nil {
		return err
	}

	if t.eof && ideal-tempoHop >= t.length {
		t.finished = true

		return nil
	}

	centre := t.choose(at, ideal)

	window, tail, grain := t.window, t.tail, t.around(centre)
	block := make([]float32, 2*tempoHop)

	for i := range tail {
		grain[i] *= window[i/2]
		tail[i] += grain[i]
	}

	copy(block, tail[:])

	for i := range tail {
		tail[i] = window[tempoHop+i/2] * grain[2*tempoHop+i]
	}

	t.tail = tail

	if t.grain > 0 { // the first grain's first half lies before the beginning
		t.out = block
	}

	t.grain++
	t.centre = centre
	t.forget(min(ideal, centre) - 4*tempoHop)

	return nil
}

// around returns the input around a sample, with silence outside the input.
func (t *tempo) around(centre int64) (grain [4 * tempoHop]float32) {
	from := 2 * (centre - tempoHop - t.base)
	to := min(from+int64(len(grain)), int64(len(t.queue)))

	if first := max(from, 0); first < to {
		copy(grain[first-from:], t.queue[first:to])
	}

	return grain
}

// look reads the input up to a sample and finds its onsets.
func (t *tempo) look(to int64) error {
	for !t.eof && t.base+int64(len(t.mono)) < to {
		var (
			block [4096]float32
			mono  [len(block) / 2]float32
		)

		n, err := t.in.read(block[:])
		t.queue = append(t.queue, block[:n]...)

		for i := range n / 2 {
			mono[i] = block[2*i] + block[2*i+1]
		}

		t.mono = append(t.mono, mono[:n/2]...)
		t.onsets.hear(mono[:n/2])

		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}

		if err != nil {
			t.eof, t.length = true, t.base+int64(len(t.mono))
		}
	}

	return nil
}

// forget drops input that no later grain needs.
func (t *tempo) forget(before int64) {
	n := before - t.base
	if n < 1<<14 || n > int64(len(t.mono)) {
		return
	}

	t.queue = append(t.queue[:0], t.queue[2*n:]...)
	t.mono = append(t.mono[:0], t.mono[n:]...)
	t.base = before
	t.onsets.forget(before)
}

// choose returns the input sample for the center of the grain whose center is at an output sample.
func (t *tempo) choose(at, ideal int64) int64 {
	lo, hi := ideal-tempoReach, ideal+tempoReach

	for _, onset := range t.onsets.found {
		heard := onset * t.den / t.num

		switch {
		case at+tempoHop <= heard-onsetLead: // the grain ends before the onset is heard
			hi = min(hi, onset-onsetLead-tempoHop)
		case at-tempoHop >= heard+onsetBody: // it begins after
			lo = max(lo, onset+onsetBody+tempoHop)
		default:
			return onset + at - heard
		}
	}

	if lo > hi {
		lo = min(max(ideal, hi), lo)
		hi = lo
	}

	if t.grain == 0 {
		return min(max(ideal, lo), hi)
	}

	return t.fit(lo, min(max(ideal, lo), hi), hi)
}

// fit finds, between lo and hi, the grain that best continues the one before: first in steps of four samples, then
// exactly around the best. Of equal ones it takes the nearest to the ideal.
func (t *tempo) fit(lo, ideal, hi int64) int64 {
	best, score := ideal, t.similarity(ideal, 4)

	try := func(c int64, stride int64) {
		off := float64(c-ideal) / tempoReach
		if s := t.similarity(c, stride) - 0.02*off*off; s > score {
			best, score = c, s
		}
	}

	for d := int64(4); d <= max(hi-ideal, ideal-lo); d += 4 {
		if ideal+d <= hi {
			try(ideal+d, 4)
		}

		if ideal-d >= lo {
			try(ideal-d, 4)
		}
	}

	around := best
	score = math.Inf(-1)

	for c := max(lo, around-3); c <= min(hi, around+3); c++ {
		try(c, 1)
	}

	return best
}

// similarity returns the normalized correlation of the start of a grain with that center and the continuation of the
// grain before; zero when either is silent.
func (t *tempo) similarity(centre, stride int64) float64 {
	a, b := centre-tempoHop-t.base, t.centre-t.base
	if a < 0 || b < 0 || max(a, b)+tempoHop > int64(len(t.mono)) {
		return 0
	}

	dot, power, other := correlate(t.mono[a:a+tempoHop], t.mono[b:b+tempoHop], stride)
	if power == 0 || other == 0 {
		return 0
	}

	return float64(dot) / math.Sqrt(float64(power)*float64(other))
}

// correlate sums the products and the squares of every stride-th sample. It only reads slices that its caller owns. The
// tempo change spends its time here: under the race detector it takes 27 times as long.
//
//go:norace
func correlate(left, right []float32, stride int64) (dot, power, other float32) {
	for i := int64(0); i < tempoHop; i += stride {
		dot += left[i] * right[i]
		power += left[i] * left[i]
		other += right[i] * right[i]
	}

	return dot, power, other
}
