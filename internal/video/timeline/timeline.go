// Package timeline is the arithmetic of cuts and clocks: which part of a recording is seen, when,
// and in which frame of an export. It is pure and knows nothing but integers.
//
// A recording has two clocks. Recording time runs over the uncut recording; playback time is what a
// viewer sees. Everything is an integer number of milliseconds on either, and the map between them
// is exact.
package timeline

import "slices"

// Span is a range of time, [StartMs, EndMs).
type Span struct {
	StartMs int64 `json:"startMs"`
	EndMs   int64 `json:"endMs"`
}

// SpanOf is the span that begins at startMs and lasts durationMs.
func SpanOf(startMs, durationMs int64) Span {
	return Span{StartMs: startMs, EndMs: startMs + durationMs}
}

// LengthMs is how long the span lasts; zero or less when it is empty.
func (s Span) LengthMs() int64 { return s.EndMs - s.StartMs }

// within is the part of the span inside [0, lengthMs).
func (s Span) within(lengthMs int64) Span {
	return Span{StartMs: min(max(s.StartMs, 0), lengthMs), EndMs: min(max(s.EndMs, 0), lengthMs)}
}

// Cuts are the ranges of recording time that are left out: ascending, disjoint, not adjacent. Nil
// cuts nothing. Only Normalise, CutsOf and Clock.Cut make them.
type Cuts []Span

// Normalise sorts the ranges, clamps them to the recording, and joins those that overlap or touch.
// Empty ranges disappear. The result is never nil, so that it is stored as a list.
func Normalise(lengthMs int64, ranges []Span) Cuts {
	sorted := slices.Clone(ranges)
	slices.SortFunc(sorted, func(a, b Span) int {
		switch {
		case a.StartMs < b.StartMs:
			return -1
		case a.StartMs > b.StartMs:
			return 1
		default:
			return 0
		}
	})

	cuts := Cuts{}

	for _, s := range sorted {
		s = s.within(lengthMs)

		switch last := len(cuts) - 1; {
		case s.LengthMs() <= 0:
		case last >= 0 && s.StartMs <= cuts[last].EndMs:
			cuts[last].EndMs = max(cuts[last].EndMs, s.EndMs)
		default:
			cuts = append(cuts, s)
		}
	}

	return cuts
}

// LengthMs is how much recording time the cuts leave out.
func (c Cuts) LengthMs() int64 {
	var total int64
	for _, s := range c {
		total += s.LengthMs()
	}

	return total
}

// CutsOf are the cuts that replace a clip's, given in recording time in any order. No ranges clear
// the cuts. A range that is empty or starts at or past the recording's end is a *RangeError, all of
// them joined; a recording with less than MinLeftMs left is a *TooShortError.
func CutsOf(lengthMs int64, ranges []Span) (Cuts, error) {
	if err := checkRanges(lengthMs, ranges); err != nil {
		return nil, err
	}

	return enoughLeft(lengthMs, Normalise(lengthMs, ranges))
}
