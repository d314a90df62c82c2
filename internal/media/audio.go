package media

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/reelgraph/reelgraph/internal/render"
)

// pcm is a stream of stereo samples at render.SampleRate, left and right by turns. A read fills an
// even number of them and ends with io.EOF, like an io.Reader.
type pcm interface {
	read(b []float32) (int, error)
}

// sound is the piece that makes the sound of an output, in one pass over all of it: mix, tempo,
// limiter, encoder.
func (r *rendering) sound(m render.Mix) *piece {
	return &piece{
		key: m.Key, name: ".m4a",
		draw: func(ctx context.Context, path string, _ func(int64)) error {
			if err := r.encodeMix(ctx, m, path); err != nil {
				return fmt.Errorf("make the sound: %w", err)
			}

			return nil
		},
		check: func(path string) error {
			if err := checkSound(path, m.Samples); err != nil {
				return fmt.Errorf("make the sound: %w", err)
			}

			return nil
		},
	}
}

func (r *rendering) encodeMix(ctx context.Context, m render.Mix, path string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	mix := newMixer(m, func(source string, span sampleSpan) pcmSource {
		return r.engine.decode(ctx, r.sources[source], r.origins[source], span)
	})
	defer mix.close()

	var sound pcm = mix
	if m.Speed.Num != m.Speed.Den {
		sound = newTempo(sound, m.Speed.Num, m.Speed.Den)
	}

	in := &pcmReader{in: &fitted{in: newLimiter(sound), left: 2 * m.Samples}}

	args := []string{"-f", "f32le", "-ar", fmt.Sprint(render.SampleRate), "-ac", "2", "-i", "pipe:0", "-map_metadata", "-1"}
	args = append(args, m.Encoding()...)

	err := r.engine.Tools.Run(ctx, Command{
		Args: append(args, "-f", "mp4", "-y", "file:"+path), Stdin: in, Limits: r.engine.Limits,
	})
	if in.err != nil {
		return in.err
	}

	return err
}

// fitted is a stream of an exact length: what is missing is silence, what is over is not read.
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

// pcmReader gives a stream to a program as little-endian floats.
type pcmReader struct {
	in      pcm
	samples [8192]float32
	bytes   [4 * 8192]byte
	left    []byte
	err     error // why the stream failed; nil at its end
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

		for i, s := range r.samples[:n] {
			binary.LittleEndian.PutUint32(r.bytes[4*i:], math.Float32bits(s))
		}

		r.left = r.bytes[:4*n]
	}

	n := copy(b, r.left)
	r.left = r.left[n:]

	return n, nil
}
