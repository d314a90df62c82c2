package audio

import (
	"errors"
	"io"
	"math"
)

// How music gets quieter under speech. The speech alone decides, in steps (hops) of 10 ms, so equal input gives equal
// music.
const (
	duckHop = 10 * samplesPerMs
	// duckPower is the least power of a hop that counts as speech: −45 dB of full scale.
	duckPower = 3.16e-5
	// duckDB is how many dB quieter music is under speech.
	duckDB = 12.0
	// duckAhead is how many hops before the speech the music begins to fall; duckFall is how many hops the fall takes.
	duckAhead, duckFall = 25, 20
	// duckHold is how many hops after speech the music stays low, so that it does not return in the pauses between
	// sentences. duckRise is how many hops the return takes.
	duckHold, duckRise = 80, 60
)

const (
	// musicRise is how many samples the music fades in: it may begin anywhere in a sound.
	musicRise = 20 * samplesPerMs
	// musicFall is how many samples it fades out at the end of the film.
	musicFall = 2000 * samplesPerMs
)

// ducked mixes music under a mix.
type ducked struct {
	mix    *mixer
	music  pcm
	volume float32
	length int64 // of the mix, in samples

	queue  []float32 // read from the mix but not yet given out, from hop now on
	power  []float32 // of the speech in it, per sample
	eof    bool
	now    int64 // number of the next hop to mix
	heard  int64 // hops examined
	spoken int64 // the last of them with speech
	db     float64
	out    []float32
	hop    [2 * duckHop]float32
}

func newDucked(mix *mixer, music pcm, volume float64, length int64) *ducked {
	return &ducked{mix: mix, music: music, volume: float32(volume), length: length, spoken: math.MinInt64 / 2}
}

func (d *ducked) read(b []float32) (int, error) {
	if len(d.out) == 0 {
		if err := d.lay(); err != nil {
			return 0, err
		}
	}

	n := copy(b, d.out)
	d.out = d.out[n:]

	return n, nil
}

// lay mixes one hop.
func (d *ducked) lay() error {
	if err := d.look(); err != nil {
		return err
	}

	if len(d.queue) == 0 {
		return io.EOF
	}

	n := min(len(d.queue), 2*duckHop)
	block := append(make([]float32, 0, n), d.queue[:n]...)
	d.queue = append(d.queue[:0], d.queue[n:]...)

	if _, err := fill(d.music, d.hop[:n]); err != nil {
		return err
	}

	from := d.db
	d.db = d.next()

	if d.now == 0 {
		from = d.db
	}

	for i := 0; i < n; i += 2 {
		db := from + (d.db-from)*float64(i)/float64(2*duckHop)
		g := d.volume * float32(math.Pow(10, -db/20)*d.edge(d.now*duckHop+int64(i/2)))
		block[i] += g * d.hop[i]
		block[i+1] += g * d.hop[i+1]
	}

	d.out = block
	d.now++

	return nil
}

// next returns by how many dB the music is lowered at the end of this hop.
func (d *ducked) next() float64 {
	switch speaking := d.spoken >= d.now-duckHold; {
	case speaking && d.now == 0:
		return duckDB
	case speaking:
		return min(duckDB, d.db+duckDB/duckFall)
	default:
		return max(0, d.db-duckDB/duckRise)
	}
}

// edge returns the gain that fades the music in and out.
func (d *ducked) edge(at int64) float64 {
	left, fall := d.length-at, min(musicFall, d.length/2)
	g := 1.0

	if at < musicRise {
		g = float64(at) / musicRise
	}

	if left < fall {
		g *= 0.5 - 0.5*math.Cos(math.Pi*float64(max(0, left))/float64(fall))
	}

	return g
}

// look reads the mix up to duckAhead hops beyond this one and finds the speech in it.
func (d *ducked) look() error {
	var block [4096]float32

	for !d.eof && int64(len(d.queue)) < 2*duckHop*(duckAhead+1) {
		n, err := d.mix.read(block[:])
		d.queue = append(d.queue, block[:n]...)
		d.power = append(d.power, d.mix.speech[:n/2]...)

		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}

		d.eof = err != nil
	}

	for len(d.power) >= duckHop {
		var sum float32
		for _, p := range d.power[:duckHop] {
			sum += p
		}

		if sum > duckPower*duckHop {
			d.spoken = d.heard
		}

		d.heard++
		d.power = append(d.power[:0], d.power[duckHop:]...)
	}

	return nil
}

// fill reads a whole block and reports whether the stream ended in it. The rest of the block is then silence.
func fill(in pcm, b []float32) (ended bool, err error) {
	for len(b) > 0 {
		n, err := in.read(b)
		b = b[n:]

		if errors.Is(err, io.EOF) {
			clear(b)

			return true, nil
		}

		if err != nil {
			return false, err
		}
	}

	return false, nil
}
