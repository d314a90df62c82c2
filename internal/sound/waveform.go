package sound

import "math"

const (
	// WaveformRate is how many samples a second a Waveform takes.
	WaveformRate = 8000
	// SamplesPerPixel is how many of them one pair of Data covers.
	SamplesPerPixel = 256
)

// Waveform is the shape of a sound: the least and the greatest sample of each pixel, in eight bits. The
// zero value is that of no sound; Add makes it longer.
type Waveform struct {
	data     []int8
	low, top int16
	open     int // samples of the last pixel that have come
}

// Add takes the samples that follow, mono, at WaveformRate.
func (w *Waveform) Add(samples []int16) {
	for _, s := range samples {
		if w.open == 0 {
			w.low, w.top = math.MaxInt16, math.MinInt16
		}

		w.low, w.top = min(w.low, s), max(w.top, s)

		if w.open++; w.open == SamplesPerPixel {
			w.end()
		}
	}
}

func (w *Waveform) end() {
	w.data = append(w.data, int8(w.low>>8), int8(w.top>>8))
	w.open = 0
}

// Data ends the sound: two numbers for each pixel, the last of which may be shorter than the others.
func (w *Waveform) Data() []int8 {
	if w.open > 0 {
		w.end()
	}

	return w.data
}
