package multitrack

import (
	"math"
	"sort"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

// compared is how many frames are compared, to find with which of the captured ones a file begins.
const compared = 40

// Began is when the time of a file begins by the recorder's clock, in milliseconds. The times are those of the first
// frames, or blocks of sound, in the file, ascending, in its own time. It is false when the clock tells nothing.
//
// A recorder knows when frames were captured, and not with which of them its file begins: with the first one that was
// captured after recording was started, or with the first one that was delivered after that, which may be older. The one
// is kept behind which the captured frames follow each other as those in the file do.
func Began(c values.TrackClock, timesMs []float64) (float64, bool) {
	var first float64
	if len(timesMs) > 0 {
		first = timesMs[0]
	}

	if len(c.CaptureTimesMs) == 0 {
		if c.StartedAtMs == nil {
			return 0, false
		}

		return *c.StartedAtMs - first, true
	}

	begins := candidates(c)
	best := begins[0]

	if len(begins) > 1 {
		a, b := misfits(c, begins[0], timesMs), misfits(c, begins[1], timesMs)

		// Both are judged by equally many frames. The first of them always fits.
		if n := min(len(a), len(b)); n > 1 && mean(b[:n]) < mean(a[:n]) {
			best = begins[1]
		}
	}

	return c.CaptureTimesMs[best] - first, true
}

// candidates are the captured frames that a file may begin with, each once.
func candidates(c values.TrackClock) []int {
	var all []int

	if c.StartedAtMs != nil {
		after := sort.SearchFloat64s(c.CaptureTimesMs, *c.StartedAtMs)
		all = append(all, min(after, len(c.CaptureTimesMs)-1))
	}

	if i := c.FirstDeliveredIndex; i != nil && *i >= 0 && *i < len(c.CaptureTimesMs) && (len(all) == 0 || all[0] != *i) {
		all = append(all, *i)
	}

	if len(all) == 0 {
		all = append(all, 0)
	}

	return all
}

func mean(all []float64) float64 {
	var sum float64
	for _, v := range all {
		sum += v
	}

	return sum / float64(len(all))
}

// misfits are how far each of the frames in the file is from those captured, when the file begins with a captured
// frame. Each is compared with the nearest: a recorder may leave some out. What was recorded after a pause lies as much
// earlier in the file. Frames captured after the last that is known cannot be compared.
func misfits(c values.TrackClock, begin int, timesMs []float64) []float64 {
	captured := make([]float64, 0, len(c.CaptureTimesMs)-begin)
	for _, at := range c.CaptureTimesMs[begin:] {
		if played, recorded := unpaused(c, at); recorded {
			captured = append(captured, played)
		}
	}

	if len(captured) == 0 || len(timesMs) == 0 {
		return nil
	}

	var all []float64

	for _, at := range timesMs[:min(compared, len(timesMs))] {
		at += captured[0] - timesMs[0]
		if at > captured[len(captured)-1] {
			break
		}

		all = append(all, nearest(captured, at))
	}

	return all
}

// unpaused is a time without the pauses before it; false within one.
func unpaused(c values.TrackClock, at float64) (float64, bool) {
	var paused float64

	for _, p := range c.PausesMs {
		switch {
		case at >= p[1]:
			paused += p[1] - p[0]
		case at >= p[0]:
			return 0, false
		}
	}

	return at - paused, true
}

// nearest is how far the nearest of ascending times is.
func nearest(ascending []float64, at float64) float64 {
	i := sort.SearchFloat64s(ascending, at)
	least := math.Inf(1)

	for _, k := range []int{i - 1, i} {
		if k >= 0 && k < len(ascending) {
			least = min(least, math.Abs(ascending[k]-at))
		}
	}

	return least
}
