package timeline

import (
	"sort"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Clock converts between recording time and playback time of one recording. The zero Clock belongs to
// an empty recording.
type Clock struct {
	lengthMs int64
	cuts     values.Cuts
	kept     []kept
}

// kept is a range that is seen, with the playback time at which it begins.
type kept struct {
	values.Span
	playMs int64
}

// NewClock returns the clock of a recording of lengthMs with the given cuts. It normalizes the cuts.
func NewClock(lengthMs int64, cuts values.Cuts) Clock {
	c := Clock{lengthMs: max(lengthMs, 0), cuts: values.Normalise(lengthMs, cuts)}

	var atMs, playMs int64

	keep := func(endMs int64) {
		if endMs > atMs {
			c.kept = append(c.kept, kept{Span: values.Span{StartMs: atMs, EndMs: endMs}, playMs: playMs})
			playMs += endMs - atMs
		}
	}

	for _, cut := range c.cuts {
		keep(cut.StartMs)
		atMs = cut.EndMs
	}

	keep(c.lengthMs)

	return c
}

// LengthMs returns the length of the uncut recording.
func (c Clock) LengthMs() int64 { return c.lengthMs }

// DurationMs returns the playback length.
func (c Clock) DurationMs() int64 { return c.lengthMs - c.cuts.LengthMs() }

// Kept returns the ranges of recording time that remain after the cuts, in ascending order.
func (c Clock) Kept() []values.Span {
	spans := make([]values.Span, len(c.kept))
	for i, k := range c.kept {
		spans[i] = k.Span
	}

	return spans
}

// Play converts recording time to playback time. A time inside a cut maps to the join that the cut leaves. A time
// outside the recording maps to the nearer end.
func (c Clock) Play(recordMs int64) int64 {
	i := sort.Search(len(c.kept), func(i int) bool { return c.kept[i].StartMs > recordMs }) - 1
	if i < 0 {
		return 0
	}

	k := c.kept[i]

	return k.playMs + min(recordMs-k.StartMs, k.LengthMs())
}

// Cutout reports whether the recording is cut out at this recording time.
func (c Clock) Cutout(recordMs int64) bool {
	i := sort.Search(len(c.cuts), func(i int) bool { return c.cuts[i].EndMs > recordMs })

	return i < len(c.cuts) && c.cuts[i].StartMs <= recordMs
}

// RecordStart returns the start, in recording time, of a range that starts at the playback time playMs. At a join it is
// the time after the cut.
func (c Clock) RecordStart(playMs int64) int64 {
	playMs = max(playMs, 0)
	if playMs >= c.DurationMs() {
		return c.lengthMs
	}

	i := sort.Search(len(c.kept), func(i int) bool { return c.kept[i].playMs > playMs }) - 1
	k := c.kept[i]

	return k.StartMs + playMs - k.playMs
}

// RecordEnd returns the end, in recording time, of a range that ends at the playback time playMs. At a join it is the
// time before the cut.
func (c Clock) RecordEnd(playMs int64) int64 {
	if playMs <= 0 {
		return 0
	}

	playMs = min(playMs, c.DurationMs())

	i := sort.Search(len(c.kept), func(i int) bool { return c.kept[i].playMs >= playMs }) - 1
	if i < 0 {
		return 0
	}

	k := c.kept[i]

	return k.StartMs + playMs - k.playMs
}

// Cut adds ranges of the current playback time to the cuts and returns the new cuts. Ends past the clip are clamped
// (RecordEnd). For each range that is empty or starts at or past the end it adds a *RangeError to the joined error.
// If less than MinLeftMs remains, it returns a *TooShortError.
func (c Clock) Cut(ranges []values.Span) (values.Cuts, error) {
	if err := checkRanges(c.DurationMs(), ranges); err != nil {
		return nil, err
	}

	all := append([]values.Span{}, c.cuts...)
	for _, s := range ranges {
		all = append(all, c.toRecording(s))
	}

	return enoughLeft(c.lengthMs, values.Normalise(c.lengthMs, all))
}

// ToRecording converts a range of playback time to recording time. If the start is at a join, it becomes the time
// after the cut; if the end is at a join, it becomes the time before the cut. An end past the clip is clamped. For an
// empty range, or a start at or past the end, it returns a *RangeError with index 0.
func (c Clock) ToRecording(play values.Span) (values.Span, error) {
	if err := checkRanges(c.DurationMs(), []values.Span{play}); err != nil {
		return values.Span{}, err
	}

	return c.toRecording(play), nil
}

func (c Clock) toRecording(play values.Span) values.Span {
	return values.Span{StartMs: c.RecordStart(play.StartMs), EndMs: c.RecordEnd(play.EndMs)}
}

// ToPlayback converts a stored range of recording time to playback time. It returns false if the whole range is cut.
func (c Clock) ToPlayback(stored values.Span) (values.Span, bool) {
	play := values.Span{StartMs: c.Play(stored.StartMs), EndMs: c.Play(stored.EndMs)}

	return play, play.LengthMs() > 0
}
