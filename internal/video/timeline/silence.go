package timeline

import "github.com/reelgraph/reelgraph/internal/video/values"

// Silences are measured stretches of recording time as a listener meets them: in playback time, joined
// where a cut brings them together, and at least minMs long.
func (c Clock) Silences(measured []values.Span, minMs int64) []values.Span {
	var heard []values.Span

	for _, s := range values.Normalise(c.lengthMs, measured) {
		if play, ok := c.Report(s); ok {
			heard = append(heard, play)
		}
	}

	all := []values.Span{}

	for _, s := range values.Normalise(c.DurationMs(), heard) {
		if s.LengthMs() >= minMs {
			all = append(all, s)
		}
	}

	return all
}

// Tighten is what to cut of silences so that those of more than overMs keep keepMs on each side, and as much more before
// what follows as makes each cut a whole number of stepMs: what lies behind it then stays where it was on that grid.
func Tighten(silences []values.Span, overMs, keepMs, stepMs int64) []values.Span {
	all := []values.Span{}

	for _, s := range silences {
		length := (s.LengthMs() - 2*keepMs) / stepMs * stepMs
		if s.LengthMs() > overMs && length > 0 {
			all = append(all, values.SpanOf(s.StartMs+keepMs, length))
		}
	}

	return all
}

// CutRecorded joins ranges of recording time to the cuts. What lies outside the recording is ignored;
// a clip with less than MinLeftMs left is a *TooShortError.
func (c Clock) CutRecorded(ranges []values.Span) (values.Cuts, error) {
	all := append([]values.Span{}, c.cuts...)

	return enoughLeft(c.lengthMs, values.Normalise(c.lengthMs, append(all, ranges...)))
}
