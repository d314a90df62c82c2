// Package timeline computes cuts and times: which part of a recording is shown, when, and in which frame of an
// export. It uses integers only and has no side effects.
//
// A recording has two clocks. Recording time counts through the uncut recording; playback time counts through what a
// viewer sees. Both are integer numbers of milliseconds, and the conversion between them is exact.
package timeline

import "github.com/reelgraph/reelgraph/internal/video/values"

// CutsOf returns the new cuts of a clip for ranges of recording time in any order. Without ranges there are no cuts.
// Ends past lengthMs are clamped. For each range that is empty or starts at or past the end it adds a *RangeError to
// the joined error. If less than MinLeftMs remains, it returns a *TooShortError.
func CutsOf(lengthMs int64, ranges []values.Span) (values.Cuts, error) {
	if err := checkRanges(lengthMs, ranges); err != nil {
		return nil, err
	}

	return enoughLeft(lengthMs, values.Normalise(lengthMs, ranges))
}
