// Package timeline computes cuts and times: which part of a recording is shown, when, and in which frame
// of an export. It uses integers only and has no side effects.
//
// A recording has two clocks. Recording time runs over the uncut recording; playback time is what a
// viewer sees. Everything is an integer number of milliseconds on either, and the map between them
// is exact.
package timeline

import "github.com/reelgraph/reelgraph/internal/video/values"

// CutsOf builds the new cuts of a clip from ranges of recording time in any order. No ranges means no cuts. Ends past
// lengthMs are clamped. Each range that is empty or starts at or past the end gives a *RangeError; the errors are
// joined. If less than MinLeftMs remains, it returns a *TooShortError.
func CutsOf(lengthMs int64, ranges []values.Span) (values.Cuts, error) {
	if err := checkRanges(lengthMs, ranges); err != nil {
		return nil, err
	}

	return enoughLeft(lengthMs, values.Normalise(lengthMs, ranges))
}
