package values

import "slices"

// Without returns the parts of s that are outside the span taken: none, one or two. It drops parts shorter than
// leastMs. If the spans do not overlap, it returns s unchanged.
func (s Span) Without(taken Span, leastMs int64) []Span {
	if !s.Overlaps(taken) {
		return []Span{s}
	}

	var left []Span

	for _, piece := range []Span{{s.StartMs, min(s.EndMs, taken.StartMs)}, {max(s.StartMs, taken.EndMs), s.EndMs}} {
		if piece.LengthMs() >= max(leastMs, 1) {
			left = append(left, piece)
		}
	}

	return left
}

// Overlaps reports whether the spans have a moment in common. An empty span overlaps with no other.
func (s Span) Overlaps(other Span) bool {
	return min(s.EndMs, other.EndMs) > max(s.StartMs, other.StartMs)
}

// Free returns the parts of s outside all taken spans, in ascending order.
func (s Span) Free(taken []Span) []Span {
	free := []Span{s}

	for _, t := range taken {
		var left []Span
		for _, piece := range free {
			left = append(left, piece.Without(t, 1)...)
		}

		free = left
	}

	return free
}

// Span is the range of time from StartMs (inclusive) to EndMs (exclusive).
type Span struct {
	StartMs int64 `json:"startMs"`
	EndMs   int64 `json:"endMs"`
}

// SpanOf returns the span that begins at startMs and lasts durationMs.
func SpanOf(startMs, durationMs int64) Span {
	return Span{StartMs: startMs, EndMs: startMs + durationMs}
}

// LengthMs is the length of the span; zero or less when it is empty.
func (s Span) LengthMs() int64 { return s.EndMs - s.StartMs }

// Within clamps the span to [0, lengthMs).
func (s Span) Within(lengthMs int64) Span {
	return Span{StartMs: min(max(s.StartMs, 0), lengthMs), EndMs: min(max(s.EndMs, 0), lengthMs)}
}

// Cuts are the ranges of recording time that are not shown. They are in ascending order and do not overlap or touch.
// Nil cuts nothing. Create Cuts only with Normalise, CutsOf or Clock.Cut.
type Cuts []Span

// Normalise sorts the ranges, clamps them to the recording, joins those that overlap or touch, and drops empty ones.
// The result is never nil, so that it is stored as a list.
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
		s = s.Within(lengthMs)

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

// LengthMs is the total length of the cuts.
func (c Cuts) LengthMs() int64 {
	var total int64
	for _, s := range c {
		total += s.LengthMs()
	}

	return total
}
