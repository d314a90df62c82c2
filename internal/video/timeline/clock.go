package timeline

import (
	"sort"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Clock maps between the recording time and the playback time of one recording. The zero Clock is
// that of an empty recording.
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

// NewClock is the clock of a recording of lengthMs with the cuts, which it normalises.
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

// LengthMs is the length of the uncut recording.
func (c Clock) LengthMs() int64 { return c.lengthMs }

// DurationMs is the length of what is seen.
func (c Clock) DurationMs() int64 { return c.lengthMs - c.cuts.LengthMs() }

// Kept are the ranges of recording time that are seen, ascending.
func (c Clock) Kept() []values.Span {
	spans := make([]values.Span, len(c.kept))
	for i, k := range c.kept {
		spans[i] = k.Span
	}

	return spans
}

// Play is the playback time at which a moment of the recording is seen. A moment that is cut is seen
// at the join; one outside the recording, at its nearer end.
func (c Clock) Play(recordMs int64) int64 {
	i := sort.Search(len(c.kept), func(i int) bool { return c.kept[i].StartMs > recordMs }) - 1
	if i < 0 {
		return 0
	}

	k := c.kept[i]

	return k.playMs + min(recordMs-k.StartMs, k.LengthMs())
}

// Cutout reports whether a moment of the recording is cut, so that nobody sees it.
func (c Clock) Cutout(recordMs int64) bool {
	i := sort.Search(len(c.cuts), func(i int) bool { return c.cuts[i].EndMs > recordMs })

	return i < len(c.cuts) && c.cuts[i].StartMs <= recordMs
}

// RecordStart is the moment of the recording that is seen from playMs on: at a join, the right side.
func (c Clock) RecordStart(playMs int64) int64 {
	playMs = max(playMs, 0)
	if playMs >= c.DurationMs() {
		return c.lengthMs
	}

	i := sort.Search(len(c.kept), func(i int) bool { return c.kept[i].playMs > playMs }) - 1
	k := c.kept[i]

	return k.StartMs + playMs - k.playMs
}

// RecordEnd is the moment of the recording that is seen up to playMs: at a join, the left side.
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

// Cut adds ranges of playback time to the cuts, all of them given on the timeline as it is now. Ends
// past the clip are clamped. A range that is empty or starts at or past the end is a *RangeError,
// all of them joined; a clip with less than MinLeftMs left is a *TooShortError.
func (c Clock) Cut(ranges []values.Span) (values.Cuts, error) {
	if err := checkRanges(c.DurationMs(), ranges); err != nil {
		return nil, err
	}

	all := append([]values.Span{}, c.cuts...)
	for _, s := range ranges {
		all = append(all, c.store(s))
	}

	return enoughLeft(c.lengthMs, values.Normalise(c.lengthMs, all))
}

// Store turns a range of playback time, such as an effect's, into recording time: its start on the
// right side of a join, its end on the left. An end past the clip is clamped; an empty range or a
// start at or past the end is a *RangeError with index 0.
func (c Clock) Store(play values.Span) (values.Span, error) {
	if err := checkRanges(c.DurationMs(), []values.Span{play}); err != nil {
		return values.Span{}, err
	}

	return c.store(play), nil
}

func (c Clock) store(play values.Span) values.Span {
	return values.Span{StartMs: c.RecordStart(play.StartMs), EndMs: c.RecordEnd(play.EndMs)}
}

// Report turns a stored range of recording time into what is seen of it, in playback time. False
// when the cuts take all of it.
func (c Clock) Report(stored values.Span) (values.Span, bool) {
	play := values.Span{StartMs: c.Play(stored.StartMs), EndMs: c.Play(stored.EndMs)}

	return play, play.LengthMs() > 0
}
