package stock

import (
	"bytes"
	"encoding/binary"
	"math"
)

// SampleRate is the sample rate of every sound of the catalog. Sounds have two channels of 16 bits.
const SampleRate = 48_000

// stereo is a sound being made: left and right alternating.
type stereo []float64

func newStereo(seconds float64) stereo { return make(stereo, 2*int(math.Round(seconds*SampleRate))) }

// noise is a repeatable stream of white noise between -1 and 1.
type noise uint64

func (n *noise) next() float64 {
	*n ^= *n << 13
	*n ^= *n >> 7
	*n ^= *n << 17

	return float64(int64(*n>>11)-1<<52) / (1 << 52)
}

// peak returns the loudest sample.
func (s stereo) peak() float64 {
	var most float64
	for _, v := range s {
		most = math.Max(most, math.Abs(v))
	}

	return most
}

// loudness returns the root mean square of the samples.
func (s stereo) loudness() float64 {
	var sum float64
	for _, v := range s {
		sum += v * v
	}

	return math.Sqrt(sum / float64(len(s)))
}

// level scales a sound to a loudness, or less to keep all samples below the peak.
func (s stereo) level(loudness, peak float64) {
	gain := math.Min(loudness/s.loudness(), peak/s.peak())
	for i := range s {
		s[i] *= gain
	}
}

// decibels converts dB of full scale to an amplitude.
func decibels(db float64) float64 { return math.Pow(10, db/20) }

// wav returns the sound as a WAV file.
func (s stereo) wav() []byte {
	var b bytes.Buffer

	size := uint32(2 * len(s))
	samples := make([]int16, len(s))

	for i, v := range s {
		samples[i] = int16(math.Round(math.Max(-1, math.Min(1, v)) * math.MaxInt16))
	}

	for _, field := range []any{
		[4]byte([]byte("RIFF")), 36 + size, [8]byte([]byte("WAVEfmt ")), uint32(16), uint16(1), uint16(2),
		uint32(SampleRate), uint32(4 * SampleRate), uint16(4), uint16(16), [4]byte([]byte("data")), size, samples,
	} {
		_ = binary.Write(&b, binary.LittleEndian, field) // writing to a buffer cannot fail
	}

	return b.Bytes()
}

// Sound returns a sound effect or a piece of music as a WAV file; nil for other items.
func (i Item) Sound() []byte {
	switch {
	case i.Effect != nil:
		return playEffect(i.Effect).wav()
	case i.Music != nil:
		return i.Music.play().wav()
	default:
		return nil
	}
}
