// Package autoedit decides how a clip is shown from what happened in it: where the pointer was clicked,
// when somebody speaks, and what the editor asked for in words. It is pure: equal input, equal choice.
package autoedit

import "github.com/reelgraph/reelgraph/internal/video/values"

const (
	// leadMs is how long before a click its zoom opens, so that the click is seen large.
	leadMs = 500
	// gapMs is how close two zooms are joined: between them nobody would see the whole.
	gapMs = 1000
	// leastZoomMs is the shortest zoom worth the movement.
	leastZoomMs = 500
)

// HoldMs is how long a zoom stays after the last click of a cluster.
func HoldMs(i values.ZoomIntensity) int64 {
	switch i {
	case values.ZoomIntensitySlow:
		return 4000
	case values.ZoomIntensityFast:
		return 1500
	default:
		return 2500
	}
}

// Zooms are the windows around clusters of clicks, which are moments of playback time, ascending: each
// from a little before its first click until the hold after its last, within the clip.
func Zooms(durationMs int64, clicks []int64, holdMs int64) []values.Span {
	var windows []values.Span

	for _, at := range clicks {
		next := values.Span{StartMs: max(at-leadMs, 0), EndMs: min(at+holdMs, durationMs)}

		switch last := len(windows) - 1; {
		case next.LengthMs() <= 0:
		case last >= 0 && next.StartMs-windows[last].EndMs < gapMs:
			windows[last].EndMs = max(windows[last].EndMs, next.EndMs)
		default:
			windows = append(windows, next)
		}
	}

	return windows
}

// Fill are the pieces of windows that nobody has taken and that are long enough to be seen.
func Fill(windows, taken []values.Span) []values.Span {
	var free []values.Span

	for _, w := range windows {
		for _, piece := range w.Free(taken) {
			if piece.LengthMs() >= leastZoomMs || piece == w {
				free = append(free, piece)
			}
		}
	}

	return free
}
