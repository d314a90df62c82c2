package timeline

// Without is what is left of the span when another takes its place: nothing, one piece or two. Pieces
// shorter than leastMs go too; a span that the other does not touch stays as it is.
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

// Overlaps reports whether the spans have a moment in common. An empty span has none.
func (s Span) Overlaps(other Span) bool {
	return min(s.EndMs, other.EndMs) > max(s.StartMs, other.StartMs)
}

// Free are the pieces of the span that none of the others takes, ascending.
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

// Move stores a range of playback time anew of which only the given times change: the others are
// those that are reported of what is stored. It fails as Store does.
func (c Clock) Move(stored Span, startMs, durationMs *int64) (Span, error) {
	now, _ := c.Report(stored)
	length := now.LengthMs()

	if startMs != nil {
		now.StartMs = *startMs
	}

	if durationMs != nil {
		length = *durationMs
	}

	return c.Store(SpanOf(now.StartMs, length))
}
