package audio

import "math"

const (
	// WaveformRate is the sample rate that Waveform expects.
	WaveformRate = 8000
	// SamplesPerPixel is how many samples one pair in Data covers.
	SamplesPerPixel = 256
)

// Waveform is the shape of a sound. For each pixel it holds the lowest and the highest sample, in eight bits. They are
// taken from the middle (half the sum of the channels) or from the side (half their difference), whichever is louder.
// The zero value has no sound; Add adds sound.
type Waveform struct {
	data         []int8
	middle, side reach
	power        both
	open         int // samples of the current pixel so far
}

// reach is the range of samples.
type reach struct{ low, top int16 }

func (r *reach) add(s int16) { r.low, r.top = min(r.low, s), max(r.top, s) }

// Add adds the next samples, left and right alternating, at WaveformRate.
func (w *Waveform) Add(samples []int16) {
	for i := 0; i+1 < len(samples); i += 2 {
		left, right := samples[i], samples[i+1]

		if w.open == 0 {
			w.middle, w.side, w.power = reach{math.MaxInt16, math.MinInt16}, reach{math.MaxInt16, math.MinInt16}, both{}
		}

		w.middle.add(middleOf(left, right))
		w.side.add(sideOf(left, right))
		w.power.add(left, right)

		if w.open++; w.open == SamplesPerPixel {
			w.end()
		}
	}
}

func (w *Waveform) end() {
	shown := w.middle
	if w.power.side > w.power.middle {
		shown = w.side
	}

	w.data = append(w.data, int8(shown.low>>8), int8(shown.top>>8))
	w.open = 0
}

// Data ends the sound and returns the lowest and the highest sample of each pixel. The last pixel may cover fewer
// samples than the others.
func (w *Waveform) Data() []int8 {
	if w.open > 0 {
		w.end()
	}

	return w.data
}
