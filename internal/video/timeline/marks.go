package timeline

import (
	"cmp"
	"slices"
)

// Mark is an instant of a clip's recording, such as a chapter's. It stays where it is however the
// clip is cut or moved.
type Mark struct {
	Clip int   // its place in the video
	AtMs int64 // recording time
}

// Seen is a mark as a viewer meets it.
type Seen struct {
	Index  int // its place among the marks asked about
	PlayMs int64
}

// Anchor is the instant that is seen from a playback time of the video on: at a join the right side,
// where two clips meet the later one. False before the beginning, and at and past the end.
func (v Video) Anchor(playMs int64) (Mark, bool) {
	if playMs < 0 || playMs >= v.DurationMs() {
		return Mark{}, false
	}

	clip, clipMs, _ := v.At(playMs)

	return Mark{Clip: clip, AtMs: v.Clips[clip].Clock().RecordStart(clipMs)}, true
}

// Seen reports marks in playback time, ascending. One whose instant is cut stands at the join; of
// several on one millisecond the last in recording order is reported.
func (v Video) Seen(marks []Mark) []Seen {
	order := make([]int, len(marks))
	for i := range order {
		order[i] = i
	}

	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(marks[a].Clip, marks[b].Clip), cmp.Compare(marks[a].AtMs, marks[b].AtMs))
	})

	begins := make([]int64, len(v.Clips))
	clocks := make([]Clock, len(v.Clips))

	var playedMs int64

	for i, c := range v.Clips {
		begins[i], clocks[i] = playedMs, c.Clock()
		playedMs += clocks[i].DurationMs()
	}

	seen := make([]Seen, 0, len(marks))

	for _, i := range order {
		at := begins[marks[i].Clip] + clocks[marks[i].Clip].Play(marks[i].AtMs)
		if n := len(seen); n > 0 && seen[n-1].PlayMs == at {
			seen = seen[:n-1]
		}

		seen = append(seen, Seen{Index: i, PlayMs: at})
	}

	return seen
}
