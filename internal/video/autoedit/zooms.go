// Package autoedit chooses the layouts and zooms of a clip from its clicks, its speech and the instructions of the
// person who edits the video. It has no side effects: equal input gives an equal choice.
package autoedit

import "github.com/reelgraph/reelgraph/internal/video/values"

const (
	// leadMs is how long before a click its zoom opens, so that the click is shown enlarged.
	leadMs = 500
	// gapMs is the gap at which two zooms are joined: it is too short to show the whole picture.
	gapMs = 1000
	// leastZoomMs is the shortest zoom worth the movement.
	leastZoomMs = 500
)

// HoldMs returns how long a zoom stays after the last click of a cluster.
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

// Zooms returns one window of time for each cluster of clicks. The clicks are playback times in ascending order. A
// window starts shortly before its first click, ends holdMs after its last click, and stays inside the clip.
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

// Fill returns the parts of the windows that are outside all taken spans. It drops parts that are too short to be
// seen.
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
