package audio

import "math"

const (
	// WaveformRate is how many samples a second a Waveform takes.
	WaveformRate = 8000
	// SamplesPerPixel is how many of them one pair of Data covers.
	SamplesPerPixel = 256
)

// Waveform is the shape of a sound: the least and the greatest sample of each pixel, in eight bits, of the louder of the
// middle and the side. The zero value is that of no sound; Add makes it longer.
type Waveform struct {
	data         []int8
	middle, side reach
	power        both
	open         int // samples of the last pixel that have come
}

// reach is how far samples go, down and up.
type reach struct{ low, top int16 }

func (r *reach) add(s int16) { r.low, r.top = min(r.low, s), max(r.top, s) }

// Add takes the samples that follow, left and right by turns, at WaveformRate.
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

// Data ends the sound: two numbers for each pixel, the last of which may be shorter than the others.
func (w *Waveform) Data() []int8 {
	if w.open > 0 {
		w.end()
	}

	return w.data
}
