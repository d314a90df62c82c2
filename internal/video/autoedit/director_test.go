package autoedit_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/autoedit"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

func TestZoomsLastHoldMs(t *testing.T) {
	t.Parallel()

	for intensity, hold := range map[values.ZoomIntensity]int64{
		values.ZoomIntensitySlow: 4000, values.ZoomIntensityMedium: 2500, values.ZoomIntensityFast: 1500,
	} {
		require.Equal(t, hold, autoedit.HoldMs(intensity))
	}

	require.Equal(t, []values.Span{{StartMs: 0, EndMs: 1900}, {StartMs: 9500, EndMs: 12_000}},
		autoedit.Zooms(12_000, []int64{100, 400, 10_000, 11_000}, 1500), "within the clip")
	require.Equal(t, []values.Span{{StartMs: 500, EndMs: 5499}},
		autoedit.Zooms(20_000, []int64{1000, 3999}, 1500), "999 ms apart are one")
	require.Equal(t, []values.Span{{StartMs: 500, EndMs: 2500}, {StartMs: 3500, EndMs: 5500}},
		autoedit.Zooms(20_000, []int64{1000, 4000}, 1500), "one second apart stay two")
	require.Empty(t, autoedit.Zooms(1000, nil, 1500))
}

func TestManyZooms(t *testing.T) {
	t.Parallel()

	for seed := range uint64(20_000) {
		r := rand.New(rand.NewPCG(1, seed))
		length, hold := 1+r.Int64N(30_000), 1500+r.Int64N(2500)
		clicks := make([]int64, r.IntN(12))

		for i := range clicks {
			clicks[i] = r.Int64N(length)
		}

		slices.Sort(clicks)

		windows := autoedit.Zooms(length, clicks, hold)
		for i, w := range windows {
			require.True(t, w.StartMs >= 0 && w.StartMs < w.EndMs && w.EndMs <= length, "%d %v", length, windows)
			require.True(t, i == 0 || w.StartMs-windows[i-1].EndMs >= 1000, "%v", windows)
		}

		for _, at := range clicks {
			require.True(t, slices.ContainsFunc(windows, func(w values.Span) bool {
				return w.StartMs <= at && at < w.EndMs && w.EndMs >= min(at+hold, length)
			}), "%d is in none of %v", at, windows)
		}
	}
}

func TestFillLeavesWhatIsTaken(t *testing.T) {
	t.Parallel()

	windows := []values.Span{{StartMs: 0, EndMs: 3000}, {StartMs: 5000, EndMs: 5100}}
	require.Equal(t, []values.Span{{StartMs: 0, EndMs: 1000}, {StartMs: 5000, EndMs: 5100}},
		autoedit.Fill(windows, []values.Span{{StartMs: 1000, EndMs: 2501}}), "499 ms are too short for a zoom")
}

func TestStylesFitTheFootage(t *testing.T) {
	t.Parallel()

	words := []values.Span{{StartMs: 1000, EndMs: 3000}, {StartMs: 3500, EndMs: 5000}}
	talk := autoedit.Footage{Scene: values.LayoutSceneTypeCombi, DurationMs: 10_000, Speech: words, Wide: true}
	got := autoedit.Layouts(talk, autoedit.Asked{})
	require.Equal(t, values.EditingStyleTutorialRound, got.Style)
	require.Equal(t, values.LayoutKindCameraBubble, got.Base.Kind)
	require.Len(t, got.Cuts, 1)
	require.Equal(t, values.Span{StartMs: 1000, EndMs: 5000}, got.Cuts[0].At)

	talk.Moves = []int64{3200}
	require.Empty(t, autoedit.Layouts(talk, autoedit.Asked{}).Cuts, "the pointer never rests for long enough")

	talk.Clicks = []int64{3200}
	require.Equal(t, values.EditingStyleProductDemoRound, autoedit.Layouts(talk, autoedit.Asked{}).Style)

	for _, name := range values.EditingStyle("").Values() {
		style := values.EditingStyle(name)
		require.Equal(t, style, autoedit.Layouts(talk, autoedit.Asked{Style: &style, Instructions: "intro"}).Style, "a named style wins over instructions")
	}

	both := values.EditingStyleIntroAndOutro
	short := autoedit.Footage{Scene: values.LayoutSceneTypeCombi, DurationMs: 5000}
	got = autoedit.Layouts(short, autoedit.Asked{Style: &both})
	require.Equal(t, []autoedit.Cut{
		{At: values.Span{StartMs: 0, EndMs: 4000}, Shape: got.Cuts[0].Shape}, {At: values.Span{StartMs: 4000, EndMs: 5000}, Shape: got.Cuts[0].Shape},
	}, got.Cuts, "they do not overlap")
}

func TestInstructionsAreUnderstood(t *testing.T) {
	t.Parallel()

	f := autoedit.Footage{Scene: values.LayoutSceneTypeCombi, DurationMs: 10_000, Wide: true}
	got := autoedit.Layouts(f, autoedit.Asked{Instructions: "Please put me in the TOP right corner, large and square."}).Base
	require.Equal(t, values.LayoutPositionTopRight, *got.Position)
	require.Equal(t, values.LayoutSizeL, *got.Size)
	require.Equal(t, values.CameraShapeSquare, *got.Shape)

	got = autoedit.Layouts(f, autoedit.Asked{Instructions: "presentation-tv-show, with me on the left"}).Base
	require.Equal(t, values.LayoutKindTvPresenter, got.Kind)
	require.Equal(t, values.LayoutPositionLeft, *got.Position)
}
