package encode

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// errIncomplete means that a file made by the engine is not what it should be.
var errIncomplete = errors.New("the file is incomplete")

// track describes a track of an MP4 file.
type track struct {
	kind      string // "vide" or "soun"
	timescale int64
	// samples is the number of frames or packets, ticks their total duration.
	samples, ticks int64
	// regular means that all samples except the last have the same duration.
	regular bool
}

// readTracks reads the tracks of an MP4 file made by the engine. A file without an index, as a killed encoder leaves
// it, is an error.
func readTracks(path string) ([]track, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()

	moov, err := findMoov(f, maxMoov)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}

	var tracks []track

	boxes(moov, func(kind string, body []byte) {
		if kind == "trak" {
			var t track

			t.read(body)
			tracks = append(tracks, t)
		}
	})

	return tracks, nil
}

// maxMoov bounds the index of a file: that of a day of video has some tens of megabytes.
const maxMoov = 256 << 20

// maxBoxes is how many boxes may precede the index: there are few in a file that is not fragmented.
const maxBoxes = 1000

func findMoov(f io.ReadSeeker, most int64) ([]byte, error) {
	var header [16]byte

	for range maxBoxes {
		if _, err := io.ReadFull(f, header[:8]); err != nil {
			return nil, fmt.Errorf("%w: it has no index", errIncomplete)
		}

		size, read := int64(binary.BigEndian.Uint32(header[:])), int64(8)
		if size == 1 {
			if _, err := io.ReadFull(f, header[8:]); err != nil {
				return nil, fmt.Errorf("%w: it has no index", errIncomplete)
			}

			size, read = int64(binary.BigEndian.Uint64(header[8:])), 16
		}

		switch {
		case size < read:
			return nil, fmt.Errorf("%w: it has no index", errIncomplete)
		case string(header[4:8]) == "moov" && size > most:
			return nil, fmt.Errorf("%w: its index is too large", errIncomplete)
		case string(header[4:8]) == "moov":
			moov := make([]byte, size-read)
			if _, err := io.ReadFull(f, moov); err != nil {
				return nil, fmt.Errorf("%w: its index ends early", errIncomplete)
			}

			return moov, nil
		}

		if _, err := f.Seek(size-read, io.SeekCurrent); err != nil {
			return nil, err
		}
	}

	return nil, fmt.Errorf("%w: too many boxes precede its index", errIncomplete)
}

// boxes calls visit for each complete box of b.
func boxes(b []byte, visit func(kind string, body []byte)) {
	for len(b) >= 8 {
		size := int(binary.BigEndian.Uint32(b))
		if size < 8 || size > len(b) {
			return
		}

		visit(string(b[4:8]), b[8:size])
		b = b[size:]
	}
}

func (t *track) read(b []byte) {
	boxes(b, func(kind string, body []byte) {
		switch kind {
		case "mdia", "minf", "stbl":
			t.read(body)
		case "mdhd":
			t.timescale = mediaTimescale(body)
		case "hdlr":
			if len(body) >= 12 && t.kind == "" {
				t.kind = string(body[8:12])
			}
		case "stts":
			t.readDurations(body)
		}
	})
}

// mediaTimescale returns the ticks per second of a track from its mdhd box; zero if that is too short.
func mediaTimescale(mdhd []byte) int64 {
	if len(mdhd) == 0 {
		return 0
	}

	at := 12 + 8*int(mdhd[0]&1)
	if len(mdhd) < at+4 {
		return 0
	}

	return int64(binary.BigEndian.Uint32(mdhd[at:]))
}

// readDurations reads pairs of a count and the duration of that many samples.
func (t *track) readDurations(b []byte) {
	t.regular = true

	var before int64

	for i := 8; i+8 <= len(b); i += 8 {
		count, each := int64(binary.BigEndian.Uint32(b[i:])), int64(binary.BigEndian.Uint32(b[i+4:]))
		last := i+16 > len(b) && count == 1

		if before != 0 && each != before && !last {
			t.regular = false
		}

		before = each
		t.samples += count
		t.ticks += count * each
	}
}

// checkVideo returns an error unless the video has exactly frames frames, evenly spaced.
func checkVideo(path string, frames, fps int64) error {
	t, err := oneTrack(path, "vide")

	switch {
	case err != nil:
		return err
	case t.samples != frames:
		return fmt.Errorf("%w: it has %d frames instead of %d", errIncomplete, t.samples, frames)
	case !t.regular || t.ticks*fps != frames*t.timescale:
		return fmt.Errorf("%w: its frame rate is not a constant %d per second", errIncomplete, fps)
	default:
		return nil
	}
}

// checkSound returns an error unless the sound has the given number of samples. The track also contains the encoder's
// priming, which players skip, and the last packet may be padded.
func checkSound(path string, samples int64) error {
	t, err := oneTrack(path, "soun")
	if err != nil {
		return err
	}

	const packet = 1024
	if over := t.ticks - samples; t.timescale != plan.SampleRate || over < 0 || over > 3*packet {
		return fmt.Errorf("%w: its sound has %d samples instead of %d", errIncomplete, t.ticks, samples)
	}

	return nil
}

func oneTrack(path, kind string) (track, error) {
	tracks, err := readTracks(path)
	if err != nil {
		return track{}, err
	}

	for _, t := range tracks {
		if t.kind == kind {
			return t, nil
		}
	}

	return track{}, fmt.Errorf("%w: it has no %s track", errIncomplete, kind)
}
