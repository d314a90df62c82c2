package timeline

import "github.com/reelgraph/reelgraph/internal/video/values"

// Move stores a range of playback time anew of which only the given times change: the others are
// those that are reported of what is stored. It fails as Store does.
func (c Clock) Move(stored values.Span, startMs, durationMs *int64) (values.Span, error) {
	now, _ := c.Report(stored)
	length := now.LengthMs()

	if startMs != nil {
		now.StartMs = *startMs
	}

	if durationMs != nil {
		length = *durationMs
	}

	return c.Store(values.SpanOf(now.StartMs, length))
}
