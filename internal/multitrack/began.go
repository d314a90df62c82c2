package multitrack

import (
	"math"
	"sort"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

// compared is how many frames are compared to find the captured frame with which a file begins.
const compared = 40

// Began returns when a file begins, in milliseconds of the recorder's clock. timesMs holds the times of the first
// frames or sound blocks in the file, in ascending order and in the file's own time. Began returns false if the
// recorder reported neither the times of captured frames nor the time at which the recording started.
//
// A recorder knows when each frame was captured, but not which frame is the first one in the file. This may be the
// first frame that was captured after the recording started. It may also be the first frame that was delivered after
// the start, which may have been captured before the start. Began chooses the frame for which the captured times
// match the times in the file best.
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

		// Compare both with the same number of frames. The first frame always fits.
		if n := min(len(a), len(b)); n > 1 && mean(b[:n]) < mean(a[:n]) {
			best = begins[1]
		}
	}

	return c.CaptureTimesMs[best] - first, true
}

// candidates returns the captured frames with which a file may begin, each once.
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

// misfits returns how far each frame in the file is from the nearest captured one, if the file begins with a certain
// captured frame. The nearest is used because a recorder may drop frames. What was recorded after a pause is earlier in
// the file by the length of the pause. Frames after the last known captured one cannot be compared.
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

// unpaused returns a time minus the pauses before it. It returns false within a pause.
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

// nearest returns the distance to the nearest of ascending times.
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
