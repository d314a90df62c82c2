package encode

import (
	"encoding/binary"
	"io"
	"os"
	"sort"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
)

// keyframes holds the times of a video's key frames, rising, in microseconds from the first picture.
type keyframes []int64

// Limits on an upload in the search for key frames: the bytes of its index and the number of key frames. One every four
// seconds makes three days.
const (
	maxUploadMoov = 32 << 20
	maxKeyframes  = 1 << 16
)

// readKeyframes reads the key frames from the index of an MP4 file. The index may be wrong: only the order of work
// depends on it. Nil means unknown: for other formats, for a missing or invalid index, and if every picture is a key
// frame.
func readKeyframes(s probe.Source) keyframes {
	if s.Info.Format != ffmpeg.FormatMP4 || s.Info.Video == nil {
		return nil
	}

	f, err := os.Open(s.Path)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()

	return keyframesIn(f)
}

func keyframesIn(f io.ReadSeeker) keyframes {
	moov, err := findMoov(f, maxUploadMoov)
	if err != nil {
		return nil
	}

	var keys keyframes

	boxes(moov, func(kind string, trak []byte) {
		if handler := box(trak, "mdia", "hdlr"); kind == "trak" && keys == nil && len(handler) >= 12 && string(handler[8:12]) == "vide" {
			keys = keyframesOf(trak)
		}
	})

	return keys
}

// box returns the body of the first box at a path, or nil.
func box(b []byte, path ...string) []byte {
	for _, name := range path {
		var found []byte

		boxes(b, func(kind string, body []byte) {
			if kind == name && found == nil {
				found = body
			}
		})

		b = found
	}

	return b
}

// keyframesOf reads the numbers of a track's key frames and adds up the durations of the samples before each.
func keyframesOf(trak []byte) keyframes {
	table := box(trak, "mdia", "minf", "stbl")
	timescale, durations, numbers := mediaTimescale(box(trak, "mdia", "mdhd")), box(table, "stts"), box(table, "stss")

	if timescale == 0 || len(durations) < 8 || len(numbers) < 8 || len(numbers) > 8+4*maxKeyframes {
		return nil
	}

	var (
		keys           keyframes
		samples, ticks int64 // before the current entry of durations
	)

	for durations, numbers = durations[8:], numbers[8:]; len(numbers) >= 4; numbers = numbers[4:] {
		sample := int64(binary.BigEndian.Uint32(numbers)) - 1

		for len(durations) >= 8 && sample >= samples+int64(binary.BigEndian.Uint32(durations)) {
			count := int64(binary.BigEndian.Uint32(durations))
			samples, ticks = samples+count, ticks+count*int64(binary.BigEndian.Uint32(durations[4:]))
			durations = durations[8:]
		}

		if len(durations) < 8 {
			return nil
		}

		us := int64(float64(ticks+(sample-samples)*int64(binary.BigEndian.Uint32(durations[4:]))) / float64(timescale) * 1e6)
		if us < 0 || len(keys) > 0 && us <= keys[len(keys)-1] {
			return nil
		}

		keys = append(keys, us)
	}

	return keys
}

// behind returns how much is decoded before the picture at a time, in microseconds.
func (k keyframes) behind(us int64) int64 {
	at := sort.Search(len(k), func(i int) bool { return k[i] > us })
	if at == 0 {
		return 0
	}

	return us - k[at-1]
}

// leadUs returns how much of a source is decoded before the picture at a time, in microseconds of the recording. The
// key frames of Matroska files are unknown; every picture counts as one.
func (r *rendering) leadUs(id string, us int64) int64 {
	if r.sources[id].Info.Prerolls() {
		return min(us, probe.PrerollUs)
	}

	return r.keys[id].behind(us)
}

// lead returns how many frames are decoded but not shown if a chunk starts with new streams, over all its inputs.
func (r *rendering) lead(p *piece) int64 {
	if p.chunk == nil || p.chunk.Scene == nil {
		return 0
	}

	var us int64

	s := p.chunk.Scene
	for i, in := range s.Inputs {
		if !in.Still && len(in.Takes) == 1 {
			us += r.leadUs(p.chunk.Inputs[i], in.Takes[0].ShownUs(s.Rate()))
		}
	}

	return us * s.FPS / 1_000_000
}
