package encode

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
)

// A recording shown twice at a time has two streams that differ only in their times. Each continues in one place, the
// nearest, and its decoder covers exactly what it shows there.
func TestStreamsKeepApart(t *testing.T) {
	t.Parallel()

	const second = 1_000_000

	// scene shows the recording from each of the times on, for a second.
	scene := func(fromUs ...int64) *piece {
		s := plan.Scene{FPS: 30, Speed: timeline.Normal(), Frames: 30}
		c := &plan.Chunk{Scene: &s}

		for _, us := range fromUs {
			s.Inputs = append(s.Inputs, plan.Input{Content: "aaaa", Takes: []plan.Take{{FromUs: us, Frames: 30}}})
			c.Inputs = append(c.Inputs, "su_a")
		}

		return &piece{frames: 30, chunk: c}
	}

	for name, c := range map[string]struct {
		first, then []int64
		from        []int // the stream that each one continues; -1 means a new one
	}{
		"in order":                          {[]int64{0, 10 * second}, []int64{1 * second, 11 * second}, []int{0, 1}},
		"swapped":                           {[]int64{0, 10 * second}, []int64{11 * second, 1 * second}, []int{1, 0}},
		"over a cut":                        {[]int64{0}, []int64{5 * second}, []int{0}},
		"over a cut that is too long":       {[]int64{0}, []int64{5*second + 1}, []int{-1}},
		"backwards":                         {[]int64{10 * second}, []int64{9 * second}, []int{-1}},
		"both could continue in the first":  {[]int64{12_500_000, 15 * second}, []int64{16_500_000, 18 * second}, []int{1, -1}},
		"the first could continue in both":  {[]int64{0, 20 * second}, []int64{2 * second, 3 * second}, []int{0, -1}},
		"the second continues where it was": {[]int64{0, 2 * second}, []int64{3 * second, 30 * second}, []int{1, -1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			r := &rendering{sources: probe.Sources{"su_a": {}}, origins: map[string]probe.Origin{}}
			h := &openStreams{}
			one, two := scene(c.first...), scene(c.then...)
			two.follows(one)

			before := append([]*feed(nil), h.take(r, one)...)
			for _, f := range before {
				f.left -= 30
			}

			for i, f := range h.take(r, two) {
				want := two.chunk.Scene.Inputs[i]
				if c.from[i] < 0 {
					require.NotContains(t, before, f)
					require.Equal(t, []plan.Input{want}, f.views)
				} else {
					require.Same(t, before[c.from[i]], f)
					before := one.chunk.Scene.Inputs[c.from[i]]
					takes := []plan.Take{before.Takes[0], want.Takes[0]}

					if want.Takes[0].FromUs == before.Takes[0].FromUs+second {
						takes = []plan.Take{{FromUs: before.Takes[0].FromUs, Frames: 60}}
					}

					require.Equal(t, []plan.Input{{Content: "aaaa", Takes: takes}}, f.views)
					require.EqualValues(t, 30, before.Takes[0].Frames, "the scene is unchanged")
				}

				require.EqualValues(t, 30, f.left)
			}
		})
	}
}

// A recording shown twice at the same time continues in each of its sizes, in any order. A decoder that already shows
// it in the maximum number of ways takes no more.
func TestStreamsKeepTheirSize(t *testing.T) {
	t.Parallel()

	scene := func(at int64, widths ...int) *piece {
		s := plan.Scene{FPS: 30, Speed: timeline.Normal(), Frames: 30}
		for _, width := range widths {
			s.Inputs = append(s.Inputs, plan.Input{
				Content: "aaaa", Size: plan.Size{Width: width}, Takes: []plan.Take{{FromUs: at * 1_000_000, Frames: 30}},
			})
		}

		return &piece{frames: 30, chunk: &plan.Chunk{Scene: &s}}
	}

	one, two := scene(0, 640, 320), scene(1, 320, 640)
	two.follows(one)
	require.Equal(t, []int{1, 0}, two.from)

	wide := []*piece{scene(0, 640), scene(1, 640), scene(2, 320)}
	for _, p := range wide {
		p.chunk.Scene.Inputs[0].Colour.Transfer = "smpte2084"
	}

	wide[1].follows(wide[0])
	wide[2].follows(wide[1])
	require.Equal(t, []int{0}, wide[1].from)
	require.Nil(t, wide[2].from, "its colors take too much memory for two views")

	first := scene(0, 1)
	for last, n := first, int64(1); n < 8; n++ {
		next := scene(n, int(n/2)%2+1)
		next.follows(last)
		last = next
	}

	var told []string
	for _, v := range first.follow(0) {
		told = append(told, fmt.Sprint(v.Size.Width, v.Takes))
	}

	require.Equal(t, []string{"1 [{0 0 60}]", "2 [{2000000 0 60}]", "1 [{4000000 0 60}]", "2 [{6000000 0 60}]"}, told)
}
