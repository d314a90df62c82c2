package audio

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// pcm is a stream of stereo samples at plan.SampleRate, left and right alternating. Each read returns an even number
// of samples. The stream ends with io.EOF, like an io.Reader.
type pcm interface {
	read(b []float32) (int, error)
}

// EncodeMix writes the sound of one output film to an MP4 file at path. Mixing, tempo, limiter and encoder run in one
// pass. EncodeMix calls open to get the recording that a voice plays.
func EncodeMix(ctx context.Context, run ffmpeg.Runner, m plan.Mix, open func(plan.Voice) probe.Recording, path string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	sound, end := newMix(m, func(v plan.Voice, span sampleSpan) player {
		r := open(v)

		return decode(ctx, run, r.Source, r.Origin, span)
	})
	defer end()

	return encode(ctx, run, &fitted{in: newLimiter(sound), left: 2 * m.Samples}, m.Encoding(), path)
}

// encode writes a stream into an MP4.
func encode(ctx context.Context, run ffmpeg.Runner, sound pcm, encoding []string, path string) error {
	in := &pcmReader{in: sound}
	args := []string{"-f", floatFormat, "-ar", fmt.Sprint(plan.SampleRate), "-ac", "2", "-i", "pipe:0", "-map_metadata", "-1"}
	args = append(args, encoding...)

	err := run.Run(ctx, ffmpeg.Command{Args: append(args, "-f", "mp4", "-y", "file:"+path), Stdin: in})
	if in.err != nil {
		return in.err
	}

	return err
}

// player is the sound of a source. It can be read as a stream or from a given sample on.
type player interface {
	pcm
	pcmSource
}

// newMix returns the whole sound of an output at its speed, before the limiter. The caller calls end.
func newMix(m plan.Mix, open func(v plan.Voice, span sampleSpan) player) (sound pcm, end func()) {
	mix := newMixer(m, func(v plan.Voice, span sampleSpan) pcmSource { return open(v, span) })
	ends := []func(){mix.close}
	sound = mix

	if m.Music != nil {
		music := newLooped(func() tape { return open(*m.Music, sampleSpan{0, endless}) })
		sound = newDucked(mix, music, m.Music.Volume, m.LengthMs()*samplesPerMs)
		ends = append(ends, music.close)
	}

	if len(m.Cues) > 0 {
		cues := newCued(sound, m.Cues, func(c plan.Cue) tape {
			return open(c.Voice, sampleSpan{0, c.LengthMs * samplesPerMs})
		})
		sound = cues
		ends = append(ends, cues.close)
	}

	if m.Speed.Num != m.Speed.Den {
		sound = newTempo(sound, m.Speed.Num, m.Speed.Den)
	}

	return sound, func() {
		for _, end := range ends {
			end()
		}
	}
}

// endless is a sample number after the end of every source.
const endless = 1 << 50

// fitted cuts or extends a stream to an exact length, with silence at the end.
type fitted struct {
	in   pcm
	left int64
	done bool
}

func (f *fitted) read(b []float32) (int, error) {
	if f.left == 0 {
		return 0, io.EOF
	}

	b = b[:min(int64(len(b)), f.left)]
	n := len(b)

	if !f.done {
		var err error

		n, err = f.in.read(b)
		f.done = errors.Is(err, io.EOF)

		if err != nil && !f.done {
			return 0, err
		}
	}

	if f.done {
		clear(b[n:])
		n = len(b)
	}

	f.left -= int64(n)

	return n, nil
}

// pcmReader turns a stream into bytes for the stdin of a program.
type pcmReader struct {
	in      pcm
	samples [8192]float32
	left    []byte // bytes of samples that are not yet read
	err     error  // why the stream failed; nil at its end
}

func (r *pcmReader) Read(b []byte) (int, error) {
	if len(r.left) == 0 {
		n, err := r.in.read(r.samples[:])
		if n == 0 && err != nil {
			if !errors.Is(err, io.EOF) {
				r.err = err
			}

			return 0, err
		}

		r.left = floatsAsBytes(r.samples[:n])
	}

	n := copy(b, r.left)
	r.left = r.left[n:]

	return n, nil
}
