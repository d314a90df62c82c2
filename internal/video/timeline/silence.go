package timeline

import "github.com/reelgraph/reelgraph/internal/video/values"

// Silences converts measured stretches of recording time to playback time, joins those that a cut brings together, and
// returns those of at least minMs.
func (c Clock) Silences(measured []values.Span, minMs int64) []values.Span {
	var heard []values.Span

	for _, s := range values.Normalise(c.lengthMs, measured) {
		if play, ok := c.ToPlayback(s); ok {
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

// Tighten returns cuts of the silences longer than overMs that keep keepMs on each side, plus at the end as much as makes each
// cut a whole number of stepMs: everything after a cut then stays on that grid.
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

// CutRecorded adds ranges of recording time to the cuts. It ignores what lies outside the recording. If less than MinLeftMs
// remains, it returns a *TooShortError.
func (c Clock) CutRecorded(ranges []values.Span) (values.Cuts, error) {
	all := append([]values.Span{}, c.cuts...)

	return enoughLeft(c.lengthMs, values.Normalise(c.lengthMs, append(all, ranges...)))
}
