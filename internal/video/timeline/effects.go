package timeline

import "github.com/reelgraph/reelgraph/internal/video/values"

// Move changes the start, the duration or both of a stored range. The new values are in playback time; nil keeps the
// current value, as ToPlayback returns it. Move returns the errors of ToRecording.
func (c Clock) Move(stored values.Span, startMs, durationMs *int64) (values.Span, error) {
	now, _ := c.ToPlayback(stored)
	length := now.LengthMs()

	if startMs != nil {
		now.StartMs = *startMs
	}

	if durationMs != nil {
		length = *durationMs
	}

	return c.ToRecording(values.SpanOf(now.StartMs, length))
}
