package timeline

import (
	"cmp"
	"slices"
)

// Mark is a moment of a clip's recording, such as the start of a chapter. It stays at that moment when the clip is
// cut or moved.
type Mark struct {
	Clip int   // index of the clip in the video
	AtMs int64 // recording time
}

// Seen is the playback time of a mark.
type Seen struct {
	Index  int // index among the given marks
	PlayMs int64
}

// Anchor returns the mark at a playback time of the video. At a join it is after the cut, and between two clips it is
// in the later clip. Anchor returns false before the beginning, at the end, and after the end.
func (v Video) Anchor(playMs int64) (Mark, bool) {
	if playMs < 0 || playMs >= v.DurationMs() {
		return Mark{}, false
	}

	clip, clipMs, _ := v.At(playMs)

	return Mark{Clip: clip, AtMs: v.Clips[clip].Clock().RecordStart(clipMs)}, true
}

// Seen returns the playback times of marks in ascending order. A mark inside a cut is at the join. If several marks
// have the same playback time, only the last one in recording order is returned.
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
