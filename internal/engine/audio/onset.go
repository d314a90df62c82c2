package audio

import "slices"

// onsets finds where sound begins suddenly: a millisecond many times louder than the ones before.
type onsets struct {
	// apart is the least distance between two onsets.
	apart int64
	found []int64 // ascending

	heard  int64 // samples so far
	block  [samplesPerMs]float32
	before [onsetMemory]float64 // power of the preceding milliseconds, a ring
	ms     int64
}

const (
	// onsetMemory is how many milliseconds an onset is compared with.
	onsetMemory = 20
	// onsetRise is how many times more powerful than their mean an onset is.
	onsetRise = 16
	// onsetFloor is the least power of an onset: −34 dB of full scale on one side.
	onsetFloor = 4e-4 * samplesPerMs
)

func newOnsets(apart int64) onsets { return onsets{apart: apart} }

// hear takes the next samples.
func (o *onsets) hear(samples []float32) {
	for len(samples) > 0 {
		n := copy(o.block[o.heard%samplesPerMs:], samples)
		samples = samples[n:]

		if o.heard += int64(n); o.heard%samplesPerMs == 0 {
			o.judge()
		}
	}
}

// judge compares a whole millisecond with the preceding ones.
func (o *onsets) judge() {
	var power, mean float64
	for _, s := range o.block {
		power += float64(s) * float64(s)
	}

	for _, p := range o.before {
		mean += p / onsetMemory
	}

	if power > onsetFloor && power > onsetRise*mean {
		o.mark(o.heard - samplesPerMs + o.attack())
	}

	o.before[o.ms%onsetMemory] = power
	o.ms++
}

// attack returns where in the block the sound begins: its first sample of at least a quarter of the peak.
func (o *onsets) attack() int64 {
	var peak float32
	for _, s := range o.block {
		peak = max(peak, s, -s)
	}

	return int64(slices.IndexFunc(o.block[:], func(s float32) bool { return max(s, -s) >= peak/4 }))
}

func (o *onsets) mark(at int64) {
	if n := len(o.found); n == 0 || at-o.found[n-1] >= o.apart {
		o.found = append(o.found, at)
	}
}

// forget drops onsets before a sample, which no later grain can reach.
func (o *onsets) forget(before int64) {
	o.found = slices.DeleteFunc(o.found, func(at int64) bool { return at < before })
}
