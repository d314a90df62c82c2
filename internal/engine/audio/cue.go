package audio

import (
	"slices"

	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// cued mixes sounds into a stream, each from its start at its moment.
type cued struct {
	in   pcm
	cues []plan.Cue // not yet started, ascending
	open func(plan.Cue) tape

	at      int64 // samples read so far
	playing []*playing
	scratch []float32
}

// playing is a cue that has started.
type playing struct {
	tape

	volume float32
	left   int64 // samples until it is cut off
}

func newCued(in pcm, cues []plan.Cue, open func(plan.Cue) tape) *cued {
	return &cued{in: in, cues: cues, open: open}
}

func (c *cued) close() {
	for _, p := range c.playing {
		p.close()
	}

	c.playing = nil
}

func (c *cued) read(b []float32) (int, error) {
	// A read ends where the next sound begins, so that the sound begins on its exact sample.
	for len(c.cues) > 0 && c.cues[0].AtMs*samplesPerMs <= c.at {
		c.begin()
	}

	if len(c.cues) > 0 {
		b = b[:min(int64(len(b)), 2*(c.cues[0].AtMs*samplesPerMs-c.at))]
	}

	n, err := c.in.read(b)
	if n == 0 {
		return 0, err
	}

	b = b[:n]

	for _, p := range c.playing {
		if err := c.add(b, p); err != nil {
			return 0, err
		}
	}

	c.playing = slices.DeleteFunc(c.playing, func(p *playing) bool {
		if p.left == 0 {
			p.close()
		}

		return p.left == 0
	})
	c.at += int64(n / 2)

	return n, nil
}

func (c *cued) begin() {
	cue := c.cues[0]
	c.cues = c.cues[1:]
	c.playing = append(c.playing, &playing{
		tape: c.open(cue), volume: float32(cue.Volume), left: cue.LengthMs * samplesPerMs,
	})
}

// add mixes one sound into a block, with a fade before the place where it is cut off.
func (c *cued) add(b []float32, p *playing) error {
	b = b[:min(int64(len(b)), 2*p.left)]
	if len(c.scratch) < len(b) {
		c.scratch = make([]float32, len(b))
	}

	one := c.scratch[:len(b)]

	ended, err := fill(p, one)
	if err != nil {
		return err
	}

	for i := 0; i < len(b); i += 2 {
		g := p.volume
		if p.left < fadeSamples {
			g *= (float32(p.left) - 0.5) / fadeSamples
		}

		b[i] += g * one[i]
		b[i+1] += g * one[i+1]
		p.left--
	}

	if ended {
		p.left = 0
	}

	return nil
}
