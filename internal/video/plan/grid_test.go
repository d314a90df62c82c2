package plan_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Adding, moving or removing an effect changes the chunks of the seconds in which it is seen and no others.
func TestEffectKeepsOtherChunks(t *testing.T) {
	t.Parallel()

	const lengthMs, fps = 60_500, 30

	rapid.Check(t, func(t *rapid.T) {
		span := func(name string) values.Span {
			from := rapid.Int64Range(0, lengthMs-1).Draw(t, name+" from")

			return values.SpanOf(from, rapid.Int64Range(1, 20_000).Draw(t, name+" lasts"))
		}

		var others []values.ShownEffect

		for range rapid.IntRange(0, 4).Draw(t, "others") {
			at := span("other")
			others = append(others, masked(values.EffectKindBlur, at.StartMs, at.EndMs))
		}

		of := func(more ...values.Span) []plan.Chunk {
			effects := slices.Clone(others)
			for _, at := range more {
				effects = append(effects, pictured("su_image", at.StartMs, at.EndMs))
			}

			return planned(t, with(effects...), defaults(), combi(lengthMs))
		}
		here, there := span("here"), span("there")
		without := of()

		for _, at := range []values.Span{here, there} {
			keys := map[string]bool{}
			for _, c := range of(at) {
				keys[c.Key] = true
				require.True(t, c.Frames >= fps || c.First+c.Frames == 60_500*fps/1000, "a chunk of %d frames", c.Frames)
			}

			from, to := at.StartMs/1000*fps, (at.EndMs+999)/1000*fps
			for _, c := range without {
				if c.First >= to || c.First+c.Frames <= from {
					require.True(t, keys[c.Key], "frames %d to %d beside %v", c.First, c.First+c.Frames, at)
				}
			}
		}
	})
}

// An overlay in ten minutes of film splits the five seconds in which it is seen, and no others.
func TestAnOverlayInALongFilm(t *testing.T) {
	t.Parallel()

	var firsts []int64
	for _, c := range planned(t, with(pictured("su_image", 5_200, 7_900)), defaults(), combi(600_000)) {
		firsts = append(firsts, c.First/30)
	}

	require.Equal(t, []int64{0, 5, 8, 10, 15}, firsts[:5])
	require.Len(t, firsts, 121)
}

// An overlay on a recording that is passed through splits the fifteen seconds in which it is seen, and no others.
func TestAnOverlayOverARecording(t *testing.T) {
	t.Parallel()

	full := bare()
	full.Base = &values.LayoutShape{Kind: values.LayoutKindFullscreen, ScreenFit: new(values.ScreenFitLetterbox)}

	part := func(effects ...values.ShownEffect) (firsts []int64, keys map[string]bool) {
		full.Effects = effects
		keys = map[string]bool{}

		for _, c := range planned(t, values.Look{Clips: []values.ClipLook{full}}, defaults(), screen(60_000)) {
			firsts = append(firsts, c.First/30)
			keys[c.Key] = true
		}

		return firsts, keys
	}

	firsts, before := part()
	require.Equal(t, []int64{0, 15, 30, 45}, firsts)

	firsts, after := part(pictured("su_image", 20_000, 23_500))
	require.Equal(t, []int64{0, 15, 20, 24, 30, 45}, firsts)

	kept := 0

	for key := range after {
		if before[key] {
			kept++
		}
	}

	require.Equal(t, 3, kept)
}
