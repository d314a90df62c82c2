package media

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/reelgraph/reelgraph/internal/render"
)

// pcmDecoder is an FFmpeg process that turns one source's sound into samples.
type pcmDecoder struct {
	source string
	at     int64 // the recording's sample that comes next
	out    *bufio.Reader
	cancel context.CancelFunc
	done   chan struct{}
	ended  bool
	bytes  []byte
}

// soundPrerollMs is how much earlier than wanted decoding begins behind a seek: a decoder's first
// samples need the ones before.
const soundPrerollMs = 1000

// decode starts decoding a span of a recording. The stream is aligned to the recording's time: gaps,
// and a sound that begins late, are filled with silence.
func (e *Engine) decode(ctx context.Context, s Source, o Origin, span sampleSpan) *pcmDecoder {
	var at int64 // the sample of the recording that decoding begins with

	first := o.ZeroUs

	var seek []string
	if f := s.Info.Format; f == FormatMP4 || f == FormatMatroska {
		if ms := span.from/samplesPerMs - soundPrerollMs; ms > 0 {
			at = ms * samplesPerMs
			first += ms * 1000
			seek = []string{"-ss", render.Seconds(first - o.StartUs)}
		}
	}

	stream, layout := 0, "aformat=sample_fmts=flt:channel_layouts=stereo"
	if a := s.Info.Audio; a != nil {
		stream = a.Stream

		if a.Channels == 1 { // FFmpeg would make one channel 3 dB quieter on both sides
			layout = "pan=stereo|c0=c0|c1=c0," + layout
		}
	}

	args := append([]string{copyTimestamps}, s.Info.Format.Input(s.Path, seek...)...)
	args = append(args,
		"-map", fmt.Sprintf("0:%d", stream),
		"-af", fmt.Sprintf("aresample=%d:async=1:first_pts=%d,%s,atrim=end_sample=%d",
			render.SampleRate, first*samplesPerMs/1000, layout, span.to-at),
		"-f", "f32le", "pipe:1")

	d := e.stream(ctx, s.Path, args)
	d.at = at

	return d
}

// stream runs FFmpeg for samples on its standard output.
func (e *Engine) stream(ctx context.Context, source string, args []string) *pcmDecoder {
	d := &pcmDecoder{source: source, done: make(chan struct{})}
	ctx, d.cancel = context.WithCancel(ctx)
	in, out := io.Pipe()
	d.out = bufio.NewReaderSize(in, 64<<10)

	go func() {
		defer close(d.done)

		err := e.Tools.Run(ctx, Command{Args: args, Stdout: out, Limits: e.Limits})
		_ = out.CloseWithError(err)
	}()

	context.AfterFunc(ctx, func() { _ = in.Close() })

	return d
}

func (d *pcmDecoder) fill(b []float32, at int64) error {
	for d.at < at && !d.ended {
		n := min(at-d.at, 8192)
		if err := d.take(int(8 * n)); err != nil {
			return err
		}

		d.at += n
	}

	got := 0

	if !d.ended {
		if err := d.take(4 * len(b)); err != nil {
			return err
		}

		got = len(d.bytes) / 4
		d.floats(b)
	}

	clear(b[got:])
	d.at = at + int64(len(b)/2)

	return nil
}

// read makes a decoder that nobody fills from a stream.
func (d *pcmDecoder) read(b []float32) (int, error) {
	if d.ended {
		return 0, io.EOF
	}

	if err := d.take(4 * (len(b) &^ 1)); err != nil {
		return 0, err
	}

	d.floats(b)

	return len(d.bytes) / 4, nil
}

// floats are what was taken, as values.
func (d *pcmDecoder) floats(b []float32) {
	for i := range len(d.bytes) / 4 {
		b[i] = math.Float32frombits(binary.LittleEndian.Uint32(d.bytes[4*i:]))
	}
}

// take reads n bytes into d.bytes, fewer at the end.
func (d *pcmDecoder) take(n int) error {
	if cap(d.bytes) < n {
		d.bytes = make([]byte, n)
	}

	got, err := io.ReadFull(d.out, d.bytes[:n])
	d.bytes = d.bytes[:got]

	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		d.ended = true

		return nil
	default:
		return fmt.Errorf("decode the sound of %s: %w", d.source, err)
	}
}

func (d *pcmDecoder) close() {
	d.cancel()
	<-d.done
}
