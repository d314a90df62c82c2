package speech

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"time"
)

// Rate is the sample rate of every Sound. A Sound has one channel of 16-bit samples. Speech models use no more than
// this.
const Rate = 16_000

const (
	sampleBytes  = 2
	samplesPerMs = Rate / 1000
)

// Sound is a range of little-endian samples without a header. Create it with NewSound.
type Sound struct {
	samples       io.ReaderAt
	first, length int64 // in samples
	beginMs       int64 // the position in the sound it was divided from
}

// NewSound returns the sound in a file. size is the size of the file in bytes.
func NewSound(samples io.ReaderAt, size int64) Sound {
	return Sound{samples: samples, length: size / sampleBytes}
}

// LengthMs returns the length of the sound in milliseconds.
func (s Sound) LengthMs() int64 { return s.length / samplesPerMs }

// from returns the sound without the given number of milliseconds at its start.
func (s Sound) from(ms int64) Sound {
	skipped := min(ms*samplesPerMs, s.length)
	s.first, s.length, s.beginMs = s.first+skipped, s.length-skipped, s.beginMs+ms

	return s
}

// WAV returns the sound as a WAV file. size is the size of the file in bytes.
func (s Sound) WAV() (file io.Reader, size int64) {
	size = s.length * sampleBytes

	var header bytes.Buffer

	header.WriteString("RIFF")

	for _, field := range []any{
		uint32(36 + size), [8]byte([]byte("WAVEfmt ")), uint32(16), uint16(1), uint16(1), uint32(Rate),
		uint32(Rate * sampleBytes), uint16(sampleBytes), uint16(8 * sampleBytes), [4]byte([]byte("data")), uint32(size),
	} {
		_ = binary.Write(&header, binary.LittleEndian, field) // writes to a buffer cannot fail
	}

	size += int64(header.Len())

	return io.MultiReader(&header, s.raw()), size
}

// raw returns the sound without a header.
func (s Sound) raw() io.Reader {
	return io.NewSectionReader(s.samples, s.first*sampleBytes, s.length*sampleBytes)
}

const (
	// quietMs is how long a quiet place must be, to be longer than the gap within a word.
	quietMs = 200
	// hopMs is the step of the search for quiet places.
	hopMs = 20
	// lookShare is the part of a piece, at its end, that is searched for a quiet place.
	lookShare = 4
)

// divide cuts a sound into pieces of a maximum length, each at the quietest place near its end.
func divide(s Sound, longest time.Duration) ([]Sound, error) {
	var pieces []Sound

	most := longest.Milliseconds() * samplesPerMs

	for s.length > most {
		at, err := s.quietest(most-most/lookShare, most)
		if err != nil {
			return nil, err
		}

		head := s
		head.length = at
		pieces = append(pieces, head)
		s.first, s.length, s.beginMs = s.first+at, s.length-at, s.beginMs+at/samplesPerMs
	}

	return append(pieces, s), nil
}

// quietest returns the middle of the quietest place between two samples, on a whole millisecond.
func (s Sound) quietest(from, to int64) (int64, error) {
	const hop, wide = hopMs * samplesPerMs, quietMs / hopMs

	raw := make([]byte, (to-from)*sampleBytes)
	if _, err := s.samples.ReadAt(raw, (s.first+from)*sampleBytes); err != nil {
		return 0, fmt.Errorf("find quiet place: %w", err)
	}

	energy := make([]float64, (to-from)/hop)
	for i := range energy {
		for j := range int64(hop) {
			v := float64(int16(binary.LittleEndian.Uint16(raw[(int64(i)*hop+j)*sampleBytes:])))
			energy[i] += v * v
		}
	}

	best, least := 0, -1.0

	for i := 0; i+wide <= len(energy); i++ {
		var sum float64
		for _, e := range energy[i : i+wide] {
			sum += e
		}

		if least < 0 || sum <= least { // the last of equals, so that there are fewer, longer pieces
			best, least = i, sum
		}
	}

	return from + int64(best)*hop + wide*hop/2, nil
}
