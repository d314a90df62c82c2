package audio

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
)

// Speech writes the sound of a source for speech recognition: one channel of 16-bit little-endian samples at the given
// sample rate, without a header, exactly lengthMs long. The sound is aligned to recording time: Speech writes silence
// for gaps and for the time before a sound that starts late.
func Speech(ctx context.Context, run ffmpeg.Runner, s probe.Source, rate int, lengthMs int64, to io.Writer) error {
	r, err := probe.Open(ctx, run.Tools, s)
	if err != nil {
		return err
	}

	samples := lengthMs * int64(rate) / 1000
	heard := &tally{Writer: to}

	louder := NewLouder(rate)

	err = listener{
		run: run, source: r.Source, fromUs: r.Origin.ZeroUs, rate: rate,
		filter: fmt.Sprintf("aformat=sample_fmts=s16:channel_layouts=stereo,atrim=end_sample=%d,asetnsamples=n=%d:p=0", samples, samplesTogether),
		format: "s16le",
	}.write(ctx, &sampleWriter{sink: func(both []int16) { heard.samples(louder.Add(both)) }})
	if err == nil {
		heard.samples(louder.End())
		err = heard.err
	}

	if err != nil {
		return err
	}

	_, err = io.CopyN(to, silence{}, 2*samples-heard.bytes)

	return err
}

// tally counts the bytes written.
type tally struct {
	io.Writer

	bytes int64
	err   error
	raw   []byte
}

// samples writes samples, unless an earlier write failed.
func (t *tally) samples(all []int16) {
	if t.err != nil {
		return
	}

	t.raw = t.raw[:0]
	for _, s := range all {
		t.raw = binary.LittleEndian.AppendUint16(t.raw, uint16(s))
	}

	_, t.err = t.Write(t.raw)
}

func (t *tally) Write(b []byte) (int, error) {
	n, err := t.Writer.Write(b)
	t.bytes += int64(n)

	return n, err
}

// silence is an endless reader of zeros.
type silence struct{}

// Read implements io.Reader.
func (silence) Read(b []byte) (int, error) {
	clear(b)

	return len(b), nil
}
