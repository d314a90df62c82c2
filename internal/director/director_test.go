package director_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/director"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/timeline"
)

func TestZoomsStayAsLongAsTheyAreHeld(t *testing.T) {
	t.Parallel()

	for intensity, hold := range map[domain.ZoomIntensity]int64{
		domain.ZoomIntensitySlow: 4000, domain.ZoomIntensityMedium: 2500, domain.ZoomIntensityFast: 1500,
	} {
		require.Equal(t, hold, director.HoldMs(intensity))
	}

	require.Equal(t, []timeline.Span{{StartMs: 0, EndMs: 1900}, {StartMs: 9500, EndMs: 12_000}},
		director.Zooms(12_000, []int64{100, 400, 10_000, 11_000}, 1500), "within the clip")
	require.Equal(t, []timeline.Span{{StartMs: 500, EndMs: 5499}},
		director.Zooms(20_000, []int64{1000, 3999}, 1500), "999 ms apart are one")
	require.Equal(t, []timeline.Span{{StartMs: 500, EndMs: 2500}, {StartMs: 3500, EndMs: 5500}},
		director.Zooms(20_000, []int64{1000, 4000}, 1500), "a second apart are two")
	require.Empty(t, director.Zooms(1000, nil, 1500))
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

		windows := director.Zooms(length, clicks, hold)
		for i, w := range windows {
			require.True(t, w.StartMs >= 0 && w.StartMs < w.EndMs && w.EndMs <= length, "%d %v", length, windows)
			require.True(t, i == 0 || w.StartMs-windows[i-1].EndMs >= 1000, "%v", windows)
		}

		for _, at := range clicks {
			require.True(t, slices.ContainsFunc(windows, func(w timeline.Span) bool {
				return w.StartMs <= at && at < w.EndMs && w.EndMs >= min(at+hold, length)
			}), "%d is in none of %v", at, windows)
		}
	}
}

func TestFillLeavesWhatIsTaken(t *testing.T) {
	t.Parallel()

	windows := []timeline.Span{{StartMs: 0, EndMs: 3000}, {StartMs: 5000, EndMs: 5100}}
	require.Equal(t, []timeline.Span{{StartMs: 0, EndMs: 1000}, {StartMs: 5000, EndMs: 5100}},
		director.Fill(windows, []timeline.Span{{StartMs: 1000, EndMs: 2501}}), "499 ms are not worth the movement")
}

func TestStylesFitTheFootage(t *testing.T) {
	t.Parallel()

	words := []timeline.Span{{StartMs: 1000, EndMs: 3000}, {StartMs: 3500, EndMs: 5000}}
	talk := director.Footage{Scene: domain.LayoutSceneTypeCombi, DurationMs: 10_000, Speech: words, Wide: true}
	got := director.Layouts(talk, director.Asked{})
	require.Equal(t, domain.EditingStyleTutorialRound, got.Style)
	require.Equal(t, domain.LayoutKindCameraBubble, got.Base.Kind)
	require.Len(t, got.Cuts, 1)
	require.Equal(t, timeline.Span{StartMs: 1000, EndMs: 5000}, got.Cuts[0].At)

	talk.Moves = []int64{3200}
	require.Empty(t, director.Layouts(talk, director.Asked{}).Cuts, "the pointer never rests for long enough")

	talk.Clicks = []int64{3200}
	require.Equal(t, domain.EditingStyleProductDemoRound, director.Layouts(talk, director.Asked{}).Style)

	for _, name := range domain.EditingStyle("").Values() {
		style := domain.EditingStyle(name)
		require.Equal(t, style, director.Layouts(talk, director.Asked{Style: &style, Instructions: "intro"}).Style, "what is asked for by name is done")
	}

	both := domain.EditingStyleIntroAndOutro
	short := director.Footage{Scene: domain.LayoutSceneTypeCombi, DurationMs: 5000}
	got = director.Layouts(short, director.Asked{Style: &both})
	require.Equal(t, []director.Cut{
		{At: timeline.Span{StartMs: 0, EndMs: 4000}, Shape: got.Cuts[0].Shape}, {At: timeline.Span{StartMs: 4000, EndMs: 5000}, Shape: got.Cuts[0].Shape},
	}, got.Cuts, "they do not overlap")
}

func TestInstructionsAreUnderstood(t *testing.T) {
	t.Parallel()

	f := director.Footage{Scene: domain.LayoutSceneTypeCombi, DurationMs: 10_000, Wide: true}
	got := director.Layouts(f, director.Asked{Instructions: "Please put me in the TOP right corner, large and square."}).Base
	require.Equal(t, domain.LayoutPositionTopRight, *got.Position)
	require.Equal(t, domain.LayoutSizeL, *got.Size)
	require.Equal(t, domain.CameraShapeSquare, *got.Shape)

	got = director.Layouts(f, director.Asked{Instructions: "presentation-tv-show, with me on the left"}).Base
	require.Equal(t, domain.LayoutKindTvPresenter, got.Kind)
	require.Equal(t, domain.LayoutPositionLeft, *got.Position)
}
