package timeline

import "github.com/reelgraph/reelgraph/internal/video/values"

// Kept is a clip that remains after a trim, with its new cuts.
type Kept struct {
	Clip int
	Cuts values.Cuts
}

// Trim keeps one range of the video's playback time and cuts out the rest. It returns the remaining clips with their
// new cuts, without the clips outside the range.
func (v Video) Trim(play values.Span) []Kept {
	var (
		all     []Kept
		beginMs int64
	)

	for i, c := range v.Clips {
		clock := c.Clock()
		d := clock.DurationMs()
		part := values.Span{StartMs: play.StartMs - beginMs, EndMs: play.EndMs - beginMs}.Within(d)
		beginMs += d

		if part.LengthMs() <= 0 {
			continue
		}

		cuts := append([]values.Span{}, clock.cuts...)
		if part.StartMs > 0 {
			cuts = append(cuts, values.Span{StartMs: 0, EndMs: clock.RecordStart(part.StartMs)})
		}

		if part.EndMs < d {
			cuts = append(cuts, values.Span{StartMs: clock.RecordEnd(part.EndMs), EndMs: c.LengthMs})
		}

		all = append(all, Kept{Clip: i, Cuts: values.Normalise(c.LengthMs, cuts)})
	}

	return all
}
