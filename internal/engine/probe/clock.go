package probe

import (
	"math"
	"slices"
)

// clock collects when the frames of a stream are decoded and shown, in file order and in ticks of the stream's time
// base.
type clock struct {
	ticks   []tick
	longest int64 // duration of a frame
}

// tick is when a frame is decoded and shown; unknown where the file does not tell.
type tick struct{ decoded, shown int64 }

const unknown = math.MinInt64

func (c *clock) add(p packet) {
	t := tick{unknown, unknown}
	if p.DTS != nil {
		t.decoded = *p.DTS
	}

	if p.PTS != nil {
		t.shown = *p.PTS
	}

	if p.Duration != nil {
		c.longest = max(c.longest, *p.Duration)
	}

	c.ticks = append(c.ticks, t)
}

// ascending returns when frames are shown. Some containers leave that out for some frames. Then it returns the decoding
// times instead, which are as even.
func (c *clock) ascending() []int64 {
	var shown, decoded []int64
	for _, t := range c.ticks {
		if t.shown != unknown {
			shown = append(shown, t.shown)
		}

		if t.decoded != unknown {
			decoded = append(decoded, t.decoded)
		}
	}

	if len(decoded) > len(shown) {
		shown = decoded
	}

	slices.Sort(shown)

	return shown
}

// The decoding times of a file should only rise. Where a recorder stumbled, a few frames have stray times; where a
// recording was appended to another, all following frames start over. The times that FFmpeg makes up for containers
// without decoding times sometimes fall.
const (
	fellMs        = 1000     // a frame that is this much earlier than the one before does not follow it
	leaptMs       = 46_800e3 // half the range of a 33-bit clock: FFmpeg takes a clock that fell far for one that wrapped
	strayFrames   = 15       // how many stray frames in a row, within fellMs, may be dropped
	strayShare    = 10       // at most one stray per this many kept frames, in total
	severalFrames = 8        // a made-up time must be before all of this many frames to count as a fall
	maxStretches  = 1000     // clocks with more stretches are not examined
)

// settle drops stray frames and reports whether there were any. It is not ok, and drops nothing, if the clock starts
// over. A made-up time counts as a fall only if it is before all of several frames.
func (c *clock) settle(ms float64, madeUp bool) (left, ok bool) {
	stretches := c.stretches(ms, madeUp)
	if len(stretches) == 1 {
		return false, true
	}

	if len(stretches) > maxStretches {
		return false, false
	}

	var kept []tick

	lost := 0

	for i, keep := range chain(stretches, ms) {
		p := stretches[i]
		switch {
		case keep:
			kept = append(kept, p.ticks...)
		case len(p.ticks) > strayFrames || float64(p.to-p.from)*ms > fellMs:
			return false, false
		default:
			lost += len(p.ticks)
		}
	}

	if lost*strayShare > len(kept) {
		return false, false
	}

	c.ticks = kept

	return lost > 0, true
}

// stretch is a run of frames whose clock neither falls nor leaps, with its first and last decoding time.
type stretch struct {
	ticks    []tick
	from, to int64
}

// stretches returns the clock as one stretch if it never falls, nor leaps further than a recording can last. Otherwise
// it splits the clock at every fall and every leap, so that a stray that leaps ahead is a stretch too.
func (c *clock) stretches(ms float64, madeUp bool) []stretch {
	falls := false

	var recent []int64

	stretches := []stretch{{from: unknown, to: unknown}}
	for _, t := range c.ticks {
		p := &stretches[len(stretches)-1]
		if t.decoded != unknown && p.to != unknown {
			by := float64(t.decoded-p.to) * ms

			falls = falls || by > leaptMs ||
				by < -fellMs && (!madeUp || len(recent) == severalFrames && float64(t.decoded-slices.Min(recent))*ms < -fellMs)
			if math.Abs(by) > fellMs && len(stretches) <= maxStretches {
				stretches = append(stretches, stretch{from: unknown, to: unknown})
				p = &stretches[len(stretches)-1]
			}
		}

		if t.decoded != unknown {
			recent = append(recent[max(0, len(recent)-severalFrames+1):], t.decoded)

			p.to = t.decoded
			if p.from == unknown {
				p.from = t.decoded
			}
		}

		p.ticks = append(p.ticks, t)
	}

	if !falls {
		return []stretch{{ticks: c.ticks}}
	}

	return stretches
}

// chain returns which stretches to keep: those that can follow each other and have the most frames together.
func chain(stretches []stretch, ms float64) []bool {
	frames, before := make([]int, len(stretches)), make([]int, len(stretches))
	best := 0

	for i, p := range stretches {
		frames[i], before[i] = len(p.ticks), -1
		for j, q := range stretches[:i] {
			by := float64(p.from-q.to) * ms
			if by >= -fellMs && by <= leaptMs && frames[j]+len(p.ticks) > frames[i] {
				frames[i], before[i] = frames[j]+len(p.ticks), j
			}
		}

		if frames[i] > frames[best] {
			best = i
		}
	}

	keep := make([]bool, len(stretches))
	for i := best; i >= 0; i = before[i] {
		keep[i] = true
	}

	return keep
}
