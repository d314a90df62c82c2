package stock

import (
	"math"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Tune is a loop of chords, one per bar. All voices with a gain play these chords. Sound that continues past the end
// of the loop is mixed into its beginning, so the loop has no audible seam.
type Tune struct {
	BPM    float64
	Chords [][]int // MIDI notes, the lowest first; one chord per bar of four beats
	Pad    float64
	Bass   float64
	Pluck  float64
	Steps  int // plucked notes per bar
	Drums  float64
}

const (
	musicLoudness = -20 // dBFS, for use under a voice
	musicPeak     = -3
)

// ring is a loop being made: sound written past its end goes to its beginning.
type ring stereo

func (r ring) add(at int, left, right float64) {
	i := 2 * at % len(r)
	r[i] += left
	r[i+1] += right
}

func (t Tune) play() stereo {
	beat := 60 / t.BPM
	s := newStereo(4 * beat * float64(len(t.Chords)))
	r := ring(s)

	for bar, chord := range t.Chords {
		at := 4 * beat * float64(bar)

		for i, note := range chord {
			r.pad(at, 4*beat, hertz(note), t.Pad, 0.5-float64(i)/float64(len(chord)))
		}

		for _, half := range []float64{0, 2.5} {
			r.bass(at+half*beat, 1.5*beat, hertz(chord[0]-12), t.Bass)
		}

		for i := range t.Steps {
			note := chord[(i*i+bar+i)%len(chord)] + 12*(1+i%2)
			r.pluck(at+4*beat*float64(i)/float64(t.Steps), hertz(note), t.Pluck, 0.4-0.8*float64(i%3)/2)
		}

		for b := range 4 {
			r.drums(at+beat*float64(b), beat, b, t.Drums)
		}
	}

	s.level(decibels(musicLoudness), decibels(musicPeak))

	return s
}

func hertz(note int) float64 { return 440 * math.Pow(2, float64(note-69)/12) }

// voice plays a sound of length seconds, starting at a time.
func (r ring) voice(at, length, pan float64, sample func(t float64) float64) {
	left, right := math.Cos((pan+1)*math.Pi/4), math.Sin((pan+1)*math.Pi/4)
	first := int(math.Round(at * SampleRate))

	for i := range int(length * SampleRate) {
		v := sample(float64(i) / SampleRate)
		r.add(first+i, v*left, v*right)
	}
}

// pad plays a note that swells and fades into the next chord.
func (r ring) pad(at, length, hz, gain, pan float64) {
	if gain == 0 {
		return
	}

	swell, fade := 0.35*length, 0.5*length
	r.voice(at, length+fade, pan, func(t float64) float64 {
		g := math.Min(1, t/swell) * math.Min(1, (length+fade-t)/fade)
		v := math.Sin(2*math.Pi*hz*t) + 0.5*math.Sin(2*math.Pi*1.004*hz*t) + 0.25*math.Sin(4*math.Pi*hz*t)

		return gain * g * g * v
	})
}

func (r ring) bass(at, length, hz, gain float64) {
	if gain == 0 {
		return
	}

	r.voice(at, length, 0, func(t float64) float64 {
		g := math.Min(1, t/0.01) * math.Min(1, (length-t)/0.05) * math.Exp(-1.2*t)

		return gain * g * (math.Sin(2*math.Pi*hz*t) + 0.3*math.Sin(4*math.Pi*hz*t))
	})
}

func (r ring) pluck(at, hz, gain, pan float64) {
	if gain == 0 {
		return
	}

	const length = 0.9

	r.voice(at, length, pan, func(t float64) float64 {
		g := math.Min(1, t/0.004) * math.Exp(-5*t) * math.Min(1, (length-t)/0.05)

		return gain * g * (math.Sin(2*math.Pi*hz*t) + 0.4*math.Exp(-8*t)*math.Sin(4*math.Pi*hz*t) + 0.2*math.Exp(-14*t)*math.Sin(6*math.Pi*hz*t))
	})
}

// drums plays a kick on the first and third beat, a brush on the others, and a shaker in between.
func (r ring) drums(at, beat float64, number int, gain float64) {
	if gain == 0 {
		return
	}

	hiss := noise(0x2545f4914f6cdd1d + uint64(number))
	brush := func(at, decay, gain float64) {
		var last float64

		r.voice(at, 0.25, 0.1, func(t float64) float64 {
			v := hiss.next()
			v, last = v-last, v // brighter

			return gain * v * math.Min(1, t/0.002) * math.Exp(-t/decay) * math.Min(1, (0.25-t)/0.02)
		})
	}

	if number%2 == 0 {
		var phase float64

		r.voice(at, 0.3, 0, func(t float64) float64 {
			phase += (45 + 110*math.Exp(-30*t)) / SampleRate

			return 1.6 * gain * math.Sin(2*math.Pi*phase) * math.Exp(-11*t) * math.Min(1, (0.3-t)/0.02)
		})
	} else {
		brush(at, 0.06, 0.35*gain)
	}

	brush(at+beat/2, 0.025, 0.18*gain)
}

func music() []Item {
	named := []struct {
		id, name string
		tune     Tune
	}{
		{"music-calm", "Calm", Tune{BPM: 60, Pad: 0.5, Bass: 0.3, Pluck: 0.25, Steps: 4, Chords: [][]int{
			{57, 60, 64, 67}, {53, 57, 60, 64}, {48, 55, 60, 64}, {55, 59, 62, 66},
		}}},
		{"music-focus", "Focus", Tune{BPM: 80, Pad: 0.35, Bass: 0.5, Pluck: 0.4, Steps: 8, Chords: [][]int{
			{50, 57, 60, 65}, {50, 57, 60, 65}, {46, 53, 58, 62}, {48, 55, 58, 64},
		}}},
		{"music-bright", "Bright", Tune{BPM: 120, Pad: 0.25, Bass: 0.6, Pluck: 0.6, Steps: 8, Drums: 0.6, Chords: [][]int{
			{48, 55, 60, 64},
			{55, 59, 62, 67},
			{57, 60, 64, 69},
			{53, 57, 60, 65},
			{48, 55, 60, 64},
			{55, 59, 62, 67},
			{53, 57, 60, 65},
			{55, 59, 62, 65},
		}}},
		{"music-drive", "Drive", Tune{BPM: 100, Pad: 0.2, Bass: 0.8, Pluck: 0.45, Steps: 16, Drums: 0.8, Chords: [][]int{
			{52, 59, 64, 67}, {48, 55, 60, 64}, {55, 59, 62, 67}, {50, 57, 62, 66},
		}}},
		{"music-warm", "Warm", Tune{BPM: 75, Pad: 0.6, Bass: 0.4, Pluck: 0.3, Steps: 6, Drums: 0.25, Chords: [][]int{
			{53, 57, 60, 64}, {52, 55, 59, 62}, {50, 53, 57, 60}, {48, 52, 55, 59},
		}}},
	}

	all := make([]Item, len(named))
	for i, n := range named {
		all[i] = Item{ID: n.id, Type: values.CatalogTypeMusic, Name: n.name, Music: &n.tune}
	}

	return all
}
