package audio

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// pcmDecoder reads a sound while FFmpeg decodes it.
type pcmDecoder struct {
	at     int64 // the next sample of the recording
	out    *bufio.Reader
	cancel context.CancelFunc
	done   chan struct{}
	ended  bool
}

// soundPrerollMs is how much earlier than needed decoding begins after a seek: a decoder's first samples depend on the
// ones before.
const soundPrerollMs = 1000

// decode starts decoding a span of a recording. The stream is aligned to the recording's time: gaps, and the time
// before a late start, are filled with silence.
func decode(ctx context.Context, run ffmpeg.Runner, s probe.Source, o probe.Origin, span sampleSpan) *pcmDecoder {
	var at int64 // the first decoded sample of the recording

	first := o.ZeroUs

	var seek []string

	if f := s.Info.Format; f == ffmpeg.FormatMP4 || f == ffmpeg.FormatMatroska {
		if ms := span.from/samplesPerMs - soundPrerollMs; ms > 0 {
			at = ms * samplesPerMs
			first += ms * 1000
			seek = []string{"-ss", plan.Seconds(first - o.StartUs)}
		}
	}

	l := listener{
		run: run, source: s, fromUs: first, seek: seek,
		rate: plan.SampleRate, filter: fmt.Sprintf("atrim=end_sample=%d", span.to-at), format: floatFormat,
	}

	d := newPCMDecoder(ctx, l.write)
	d.at = at

	return d
}

// output returns a function that runs FFmpeg and writes its output.
func output(run ffmpeg.Runner, args ...string) func(ctx context.Context, to io.Writer) error {
	return func(ctx context.Context, to io.Writer) error {
		return run.Run(ctx, ffmpeg.Command{Args: args, Stdout: to})
	}
}

// newPCMDecoder reads samples while write produces them.
func newPCMDecoder(ctx context.Context, write func(ctx context.Context, to io.Writer) error) *pcmDecoder {
	d := &pcmDecoder{done: make(chan struct{})}
	ctx, d.cancel = context.WithCancel(ctx)
	in, out := io.Pipe()
	d.out = bufio.NewReaderSize(in, 64<<10)

	go func() {
		defer close(d.done)

		_ = out.CloseWithError(write(ctx, out))
	}()

	context.AfterFunc(ctx, func() { _ = in.Close() })

	return d
}

func (d *pcmDecoder) fill(b []float32, at int64) error {
	if d.at < at && !d.ended {
		_, err := d.out.Discard(2 * floatBytes * int(at-d.at))
		if err = d.ending(err); err != nil {
			return err
		}
	}

	got, err := d.take(b)
	if err != nil {
		return err
	}

	clear(b[got:])
	d.at = at + int64(len(b)/2)

	return nil
}

// read reads the sound as a stream, for a decoder on which fill is not used.
func (d *pcmDecoder) read(b []float32) (int, error) {
	if d.ended {
		return 0, io.EOF
	}

	return d.take(b[:len(b)&^1])
}

// take reads samples: fewer at the end, none after it.
func (d *pcmDecoder) take(b []float32) (int, error) {
	if d.ended {
		return 0, nil
	}

	got, err := io.ReadFull(d.out, floatsAsBytes(b))
	if err = d.ending(err); err != nil {
		return 0, err
	}

	return got / floatBytes, nil
}

// ending records the end of the sound, which is not an error.
func (d *pcmDecoder) ending(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		d.ended = true

		return nil
	default:
		return fmt.Errorf("decode sound: %w", err)
	}
}

func (d *pcmDecoder) close() {
	d.cancel()
	<-d.done
}
