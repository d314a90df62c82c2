package plan

import (
	"math"
	"slices"
	"sort"

	"github.com/reelgraph/reelgraph/internal/video/mouse"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// track is the pointer events of a recording, ascending by time.
type track []mouse.Event

// late returns the track delayed by ms.
func (t track) late(ms int64) track {
	if ms == 0 {
		return t
	}

	moved := slices.Clone(t)
	for i := range moved {
		moved[i].TimeMs += ms
	}

	return moved
}

// at returns the pointer's position at a moment of the recording, in percent: interpolated between two events, the
// nearest one before the first or after the last. The track must not be empty.
func (t track) at(recordUs int64) (x, y float64) {
	i := t.after(recordUs)

	switch {
	case i == 0:
		return t[0].XPct, t[0].YPct
	case i == len(t):
		return t[i-1].XPct, t[i-1].YPct
	}

	a, b := t[i-1], t[i]
	share := float64(recordUs-a.TimeMs*1000) / float64((b.TimeMs-a.TimeMs)*1000)

	return lerp(a.XPct, b.XPct, share), lerp(a.YPct, b.YPct, share)
}

// after returns the index of the first event later than a moment.
func (t track) after(recordUs int64) int {
	return sort.Search(len(t), func(i int) bool { return t[i].TimeMs*1000 > recordUs })
}

// pressUs is how long a click is shown.
const pressUs = 350_000

// press returns how much of a click is left at a moment: 1 at the click, 0 after pressUs.
func (t track) press(recordUs int64) float64 {
	for i := t.after(recordUs) - 1; i >= 0; i-- {
		age := recordUs - t[i].TimeMs*1000

		switch {
		case age >= pressUs:
			return 0
		case t[i].Type == mouse.Click:
			return 1 - float64(age)/pressUs
		}
	}

	return 0
}

// sample returns the pointer as stored in a scene.
func (t track) sample(recordUs int64) PointerAt {
	x, y := t.at(recordUs)

	return PointerAt{
		X: int32(math.Round(x * 1000)), Y: int32(math.Round(y * 1000)),
		Press: int32(math.Round(t.press(recordUs) * 1000)),
	}
}

// chaseStepMs is the time step of a tracking zoom.
const chaseStepMs = 10

// chase is the path of a tracking zoom: a point every chaseStepMs from its beginning.
type chase [][2]float64

// chaseOf follows the pointer over a span of a clip's playback time, across its cuts. It begins at the pointer.
func chaseOf(t track, clock timeline.Clock, play values.Span) chase {
	x, y := t.at(clock.RecordStart(play.StartMs) * 1000)
	fx, fy := follower{at: x}, follower{at: y}
	all := chase{{x, y}}

	for ms := play.StartMs + chaseStepMs; ms < play.EndMs+chaseStepMs; ms += chaseStepMs {
		x, y = t.at(clock.RecordStart(min(ms, play.EndMs-1)) * 1000)
		fx.step(x, chaseStepMs/1000.0)
		fy.step(y, chaseStepMs/1000.0)

		all = append(all, [2]float64{fx.at, fy.at})
	}

	return all
}

// at returns the centre of the zoom a time after its beginning, in percent.
func (c chase) at(us int64) (x, y float64) {
	const step = chaseStepMs * 1000

	i := min(int(us/step), len(c)-1)
	next := min(i+1, len(c)-1)
	share := float64(us%step) / step

	return lerp(c[i][0], c[next][0], share), lerp(c[i][1], c[next][1], share)
}
