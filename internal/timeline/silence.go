package timeline

// Silences are measured stretches of recording time as a listener meets them: in playback time, joined
// where a cut brings them together, and at least minMs long.
func (c Clock) Silences(measured []Span, minMs int64) []Span {
	var heard []Span

	for _, s := range Normalise(c.lengthMs, measured) {
		if play, ok := c.Report(s); ok {
			heard = append(heard, play)
		}
	}

	all := []Span{}

	for _, s := range Normalise(c.DurationMs(), heard) {
		if s.LengthMs() >= minMs {
			all = append(all, s)
		}
	}

	return all
}

// Tighten is what to cut of silences so that those of more than overMs keep only keepMs on each side.
func Tighten(silences []Span, overMs, keepMs int64) []Span {
	all := []Span{}

	for _, s := range silences {
		if s.LengthMs() > max(overMs, 2*keepMs) {
			all = append(all, Span{StartMs: s.StartMs + keepMs, EndMs: s.EndMs - keepMs})
		}
	}

	return all
}

// CutRecorded joins ranges of recording time to the cuts. What lies outside the recording is ignored;
// a clip with less than MinLeftMs left is a *TooShortError.
func (c Clock) CutRecorded(ranges []Span) (Cuts, error) {
	all := append([]Span{}, c.cuts...)

	return enoughLeft(c.lengthMs, Normalise(c.lengthMs, append(all, ranges...)))
}
