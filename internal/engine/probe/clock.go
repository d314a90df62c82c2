package probe

import (
	"math"
	"slices"
)

// clock collects when the frames of a stream are decoded and shown, in their order in the file and in ticks of the
// stream's time base.
type clock struct {
	ticks   []tick
	longest int64 // duration of a frame
}

// tick is when a frame is decoded and when it is shown; unknown where the file does not say.
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

// ascending returns when frames are shown. Some containers leave that out here and there; then the times of decoding,
// which come as evenly, tell more.
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

// The times of decoding that a file has only rise. Where a recorder stumbled, a few frames have others; where a recording
// was put behind another, all that follow do. Those that FFmpeg makes up for containers without fall now and then.
const (
	fellMs        = 1000     // how much earlier than the one before it a frame is that does not follow it
	leaptMs       = 46_800e3 // half of what a clock of 33 bits counts: FFmpeg takes one that fell far for one that ran over
	strayFrames   = 15       // how many such frames in a row, within fellMs, may be left out
	strayShare    = 10       // one in how many of those that are kept, in all
	severalFrames = 8        // before all of which a made-up time lies that says that the clock fell
	maxStretches  = 1000     // longer lists of stretches are not looked at
)

// settle leaves strays out, and says whether there were any. It is not ok, and nothing is left out, where the clock
// begins anew. Times that are made up fall where one lies before all of several.
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

// stretch is a stretch of frames whose clock neither falls nor leaps, and its first and last time of decoding.
type stretch struct {
	ticks    []tick
	from, to int64
}

// stretches is the clock in one stretch if it never falls, nor leaps further than a recording can last, and otherwise in
// stretches that each rise evenly: a stray that leaps ahead is one.
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

// chain says which stretches to keep: of those that can follow each other, the ones with the most frames.
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
