// Package timeline is the arithmetic of cuts and clocks: which part of a recording is seen, when,
// and in which frame of an export. It is pure and knows nothing but integers.
//
// A recording has two clocks. Recording time runs over the uncut recording; playback time is what a
// viewer sees. Everything is an integer number of milliseconds on either, and the map between them
// is exact.
package timeline

import "github.com/reelgraph/reelgraph/internal/video/values"

// CutsOf are the cuts that replace a clip's, given in recording time in any order. No ranges clear
// the cuts. A range that is empty or starts at or past the recording's end is a *RangeError, all of
// them joined; a recording with less than MinLeftMs left is a *TooShortError.
func CutsOf(lengthMs int64, ranges []values.Span) (values.Cuts, error) {
	if err := checkRanges(lengthMs, ranges); err != nil {
		return nil, err
	}

	return enoughLeft(lengthMs, values.Normalise(lengthMs, ranges))
}
