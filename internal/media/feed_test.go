package media

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/render"
	"github.com/reelgraph/reelgraph/internal/timeline"
)

// One recording that is shown twice at a time has two streams that are alike but for their times: each goes on in one
// place, the nearest, and its decoder was told of nothing else.
func TestStreamsKeepApart(t *testing.T) {
	t.Parallel()

	const second = 1_000_000

	// scene shows the recording from each of the times, for a second.
	scene := func(fromUs ...int64) *piece {
		s := render.Scene{FPS: 30, Speed: timeline.Normal(), Frames: 30}
		c := &render.Chunk{Scene: &s}

		for _, us := range fromUs {
			s.Inputs = append(s.Inputs, render.Input{Content: "aaaa", Takes: []render.Take{{FromUs: us, Frames: 30}}})
			c.Inputs = append(c.Inputs, "su_a")
		}

		return &piece{frames: 30, chunk: c}
	}

	for name, c := range map[string]struct {
		first, then []int64
		from        []int // the stream that each one goes on with; -1 is a new one
	}{
		"in order":                        {[]int64{0, 10 * second}, []int64{1 * second, 11 * second}, []int{0, 1}},
		"the other way round":             {[]int64{0, 10 * second}, []int64{11 * second, 1 * second}, []int{1, 0}},
		"over a cut":                      {[]int64{0}, []int64{5 * second}, []int{0}},
		"over a cut that is too long":     {[]int64{0}, []int64{5*second + 1}, []int{-1}},
		"backwards":                       {[]int64{10 * second}, []int64{9 * second}, []int{-1}},
		"both would go on in the first":   {[]int64{12_500_000, 15 * second}, []int64{16_500_000, 18 * second}, []int{1, -1}},
		"the first would go on in both":   {[]int64{0, 20 * second}, []int64{2 * second, 3 * second}, []int{0, -1}},
		"the second goes on where it was": {[]int64{0, 2 * second}, []int64{3 * second, 30 * second}, []int{1, -1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			r := &rendering{sources: Sources{"su_a": {}}, origins: map[string]Origin{}}
			h := &hand{}
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
					require.Equal(t, []render.Input{want}, f.shown)
				} else {
					require.Same(t, before[c.from[i]], f)
					first := one.chunk.Scene.Inputs[c.from[i]]
					require.Equal(t, render.Append([]render.Input{first}, two.chunk.Scene.Rate(), want), f.shown)
				}

				require.EqualValues(t, 30, f.left)
			}
		})
	}
}
