package audio

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
)

// samplesTogether is how many samples reach the sink per call: passing on each decoder frame separately takes a third
// of the time.
const samplesTogether = 8192

// Samples decodes the whole sound to two channels at the given rate, left and right alternating, with silence in the
// gaps. Each slice passed to sink begins with a left sample and is valid only until sink returns. A source without
// sound has no samples.
func Samples(ctx context.Context, run ffmpeg.Runner, r probe.Recording, rate int, sink func([]int16)) error {
	if r.Info.Audio == nil {
		return nil
	}

	return listener{
		run: run, source: r.Source, fromUs: r.Origin.ZeroUs, rate: rate,
		filter: fmt.Sprintf("aformat=sample_fmts=s16:channel_layouts=stereo,asetnsamples=n=%d:p=0", samplesTogether), format: "s16le",
	}.write(ctx, &sampleWriter{sink: sink})
}

// stereoBytes is the size of one sample of both channels.
const stereoBytes = 4

// sampleWriter turns little-endian bytes into pairs of samples.
type sampleWriter struct {
	sink func([]int16)
	odd  []byte // the first bytes of an incomplete pair
	out  []int16
}

// Write implements io.Writer.
func (w *sampleWriter) Write(b []byte) (int, error) {
	n := len(b)
	if len(w.odd) > 0 {
		b = append(w.odd, b...)
	}

	whole := len(b) - len(b)%stereoBytes

	w.out = w.out[:0]
	for i := 0; i < whole; i += 2 {
		w.out = append(w.out, int16(binary.LittleEndian.Uint16(b[i:])))
	}

	w.odd = append([]byte(nil), b[whole:]...)
	w.sink(w.out)

	return n, nil
}

var _ io.Writer = (*sampleWriter)(nil)
