package timeline

import (
	"cmp"
	"slices"
)

// Mark is an instant of a clip's recording, such as a chapter's. It stays there when the clip is cut or moved.
type Mark struct {
	Clip int   // index of the clip in the video
	AtMs int64 // recording time
}

// Seen is a mark in playback time.
type Seen struct {
	Index  int // index among the given marks
	PlayMs int64
}

// Anchor returns the instant shown from a playback time of the video on: at a join the right side, between two clips the
// later one. It returns false before the beginning, and at and past the end.
func (v Video) Anchor(playMs int64) (Mark, bool) {
	if playMs < 0 || playMs >= v.DurationMs() {
		return Mark{}, false
	}

	clip, clipMs, _ := v.At(playMs)

	return Mark{Clip: clip, AtMs: v.Clips[clip].Clock().RecordStart(clipMs)}, true
}

// Seen returns marks in playback time, ascending. A mark in a cut is at the join. Of several marks on one millisecond only
// the last in recording order is returned.
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
