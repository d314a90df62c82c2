package timeline

import "github.com/reelgraph/reelgraph/internal/video/values"

// Silences converts measured silences from recording time to playback time. It merges silences that a cut makes
// adjacent, and then drops those shorter than minMs.
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

// Tighten returns cuts that shorten each silence longer than overMs. Such a cut leaves keepMs at the start and at the
// end of the silence. It leaves a little more at the end if needed: the length of a cut is always a multiple of
// stepMs, so everything after the cut moves by a multiple of stepMs.
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

// CutRecorded adds ranges of recording time to the cuts. It ignores parts outside the recording. If less than
// MinLeftMs remains, it returns a *TooShortError.
func (c Clock) CutRecorded(ranges []values.Span) (values.Cuts, error) {
	all := append([]values.Span{}, c.cuts...)

	return enoughLeft(c.lengthMs, values.Normalise(c.lengthMs, append(all, ranges...)))
}
