package stock

import (
	"math"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Wave is the waveform of a layer.
type Wave string

// The waves.
const (
	Sine     Wave = "sine"
	Triangle Wave = "triangle"
	Square   Wave = "square"
	Noise    Wave = "noise" // white, through a band around the frequency
)

// Layer is one voice of a sound effect. Times are in seconds.
type Layer struct {
	Wave     Wave
	From, To float64 // the frequency in Hz, which glides evenly in pitch
	At, For  float64
	Attack   float64
	Decay    float64 // how long until a third is left; 0 means no decay
	Gain     float64
	Pan      float64 // -1 left, 1 right
	Width    float64 // of a noise's band, relative to its frequency; default 0.5
}

const (
	effectPeak     = -3  // dBFS
	effectLoudness = -14 // dBFS: short sounds are bounded by their peak
	effectRelease  = 0.008
)

// playEffect mixes the layers.
func playEffect(layers []Layer) stereo {
	var seconds float64
	for _, l := range layers {
		seconds = math.Max(seconds, l.At+l.For)
	}

	s := newStereo(seconds)
	for i, l := range layers {
		l.play(s, noise(0x9e3779b97f4a7c15+uint64(i)*7919))
	}

	s.level(decibels(effectLoudness), decibels(effectPeak))

	return s
}

func (l Layer) play(s stereo, hiss noise) {
	var phase, low, band float64

	n := int(l.For * SampleRate)
	at := int(l.At * SampleRate)
	left, right := math.Cos((l.Pan+1)*math.Pi/4), math.Sin((l.Pan+1)*math.Pi/4)

	width := l.Width
	if width == 0 {
		width = 0.5
	}

	for i := 0; i < n && 2*(at+i)+1 < len(s); i++ {
		t := float64(i) / SampleRate
		hz := l.From * math.Pow(l.To/l.From, t/l.For)
		phase += hz / SampleRate
		phase -= math.Floor(phase)

		var v float64

		if l.Wave == Noise {
			f := 2 * math.Sin(math.Pi*math.Min(hz, SampleRate/7)/SampleRate)
			low += f * band
			band += f * (hiss.next() - low - width*band)
			v = band
		} else {
			v = l.Wave.at(phase)
		}

		v *= l.Gain * l.envelope(t)
		s[2*(at+i)] += v * left
		s[2*(at+i)+1] += v * right
	}
}

func (w Wave) at(phase float64) float64 {
	switch w {
	case Triangle:
		return 4*math.Abs(phase-0.5) - 1
	case Square: // only its first harmonics, so that nothing is above the audible range
		var v float64
		for k := 1.0; k <= 7; k += 2 {
			v += math.Sin(2*math.Pi*phase*k) / k
		}

		return v
	default:
		return math.Sin(2 * math.Pi * phase)
	}
}

// envelope returns the gain at a time: it rises, falls, and ends in silence.
func (l Layer) envelope(t float64) float64 {
	g := 1.0
	if t < l.Attack {
		g = t / l.Attack
	}

	if l.Decay > 0 {
		g *= math.Exp(-t / l.Decay)
	}

	return g * math.Min(1, math.Max(0, (l.For-t)/effectRelease))
}

func effects() []Item {
	tone := func(hz, at, length, decay, gain float64) Layer {
		return Layer{Wave: Sine, From: hz, To: hz, At: at, For: length, Attack: 0.002, Decay: decay, Gain: gain}
	}
	bell := func(hz, at float64) []Layer {
		return []Layer{tone(hz, at, 1.2, 0.3, 1), tone(2.76*hz, at, 0.8, 0.12, 0.35), tone(5.4*hz, at, 0.4, 0.05, 0.15)}
	}
	hiss := func(from, to, length, attack, decay float64) Layer {
		return Layer{Wave: Noise, From: from, To: to, For: length, Attack: attack, Decay: decay, Gain: 1}
	}
	shift := func(l Layer, at float64) Layer {
		l.At += at

		return l
	}
	click := Layer{Wave: Noise, From: 3200, To: 1800, For: 0.05, Attack: 0.0005, Decay: 0.006, Gain: 1}
	key := []Layer{hiss(2400, 1400, 0.06, 0.0005, 0.01), tone(180, 0, 0.06, 0.015, 0.5)}
	join := func(parts ...[]Layer) (all []Layer) {
		for _, p := range parts {
			all = append(all, p...)
		}

		return all
	}

	named := []struct {
		id, name string
		layers   []Layer
	}{
		{"fx-click", "Click", []Layer{click, tone(1200, 0, 0.04, 0.006, 0.3)}},
		{"fx-double-click", "Double click", []Layer{click, shift(click, 0.11)}},
		{"fx-pop", "Pop", []Layer{{Wave: Sine, From: 380, To: 980, For: 0.11, Attack: 0.002, Decay: 0.035, Gain: 1}}},
		{"fx-whoosh", "Whoosh", []Layer{hiss(300, 2600, 0.55, 0.3, 0.4)}},
		{"fx-swipe", "Swipe", []Layer{hiss(1400, 6000, 0.22, 0.08, 0.12)}},
		{"fx-ding", "Ding", bell(1046.5, 0)},
		{"fx-chime", "Chime", join(bell(783.99, 0), bell(1046.5, 0.12), bell(1318.5, 0.24))},
		{"fx-success", "Success", join(bell(523.25, 0), bell(659.26, 0.1), bell(783.99, 0.2), bell(1046.5, 0.3))},
		{"fx-error", "Error", []Layer{
			{Wave: Square, From: 196, To: 196, For: 0.16, Attack: 0.004, Decay: 0.2, Gain: 0.8},
			{Wave: Square, From: 155.6, To: 155.6, At: 0.18, For: 0.28, Attack: 0.004, Decay: 0.2, Gain: 0.8},
		}},
		{"fx-notification", "Notification", []Layer{tone(880, 0, 0.3, 0.12, 1), tone(1174.7, 0.12, 0.5, 0.2, 1)}},
		{"fx-key", "Key press", key},
		{"fx-typing", "Typing", func() (all []Layer) {
			for i, at := range []float64{0, 0.13, 0.22, 0.37, 0.45, 0.6, 0.7, 0.86} {
				for _, l := range key {
					l.Gain *= 0.8 + 0.05*float64(i%3)
					l.Pan = 0.2 - 0.2*float64(i%3)
					all = append(all, shift(l, at))
				}
			}

			return all
		}()},
		{"fx-shutter", "Camera shutter", []Layer{hiss(4200, 2200, 0.05, 0.001, 0.012), shift(hiss(2600, 1500, 0.08, 0.001, 0.02), 0.09)}},
		{"fx-drum", "Drum", []Layer{
			{Wave: Sine, From: 150, To: 46, For: 0.5, Attack: 0.001, Decay: 0.13, Gain: 1}, hiss(900, 500, 0.05, 0.0005, 0.01),
		}},
		{"fx-riser", "Riser", []Layer{
			hiss(250, 5200, 1.8, 1.7, 0), {Wave: Triangle, From: 110, To: 660, For: 1.8, Attack: 1.6, Gain: 0.35},
		}},
		{"fx-sparkle", "Sparkle", func() (all []Layer) {
			for i, hz := range []float64{2093, 2637, 3136, 2349, 3520, 4186} {
				l := tone(hz, 0.07*float64(i), 0.5, 0.12, 0.7)
				l.Pan = 0.6 - 0.24*float64(i)
				all = append(all, l)
			}

			return all
		}()},
	}

	all := make([]Item, len(named))
	for i, n := range named {
		all[i] = Item{ID: n.id, Type: values.CatalogTypeSoundEffect, Name: n.name, Effect: n.layers}
	}

	return all
}
