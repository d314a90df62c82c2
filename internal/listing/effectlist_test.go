package listing

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// SeenOf leaves out exactly the effects that lie within a single cut, as the SQL does.
func TestSeenLooksAtEachCut(t *testing.T) {
	t.Parallel()

	const lengthMs = 100

	rapid.Check(t, func(t *rapid.T) {
		span := rapid.Custom(func(t *rapid.T) values.Span {
			at := rapid.Int64Range(0, lengthMs-1).Draw(t, "start")

			return values.Span{StartMs: at, EndMs: rapid.Int64Range(at+1, lengthMs).Draw(t, "end")}
		})
		c := &ent.Clip{Cuts: values.Normalise(lengthMs, rapid.SliceOf(span).Draw(t, "cuts"))}

		var all, want []*ent.Effect

		for _, s := range rapid.SliceOf(span).Draw(t, "effects") {
			e := &ent.Effect{StartMs: s.StartMs, EndMs: s.EndMs}
			all = append(all, e)

			hidden := false
			for _, cut := range c.Cuts {
				hidden = hidden || cut.StartMs <= e.StartMs && cut.EndMs >= e.EndMs
			}

			if !hidden {
				want = append(want, e)
			}
		}

		require.Len(t, SeenOf(c, all), len(want))

		for i, e := range SeenOf(c, all) {
			require.Same(t, want[i], e)
		}
	})
}
