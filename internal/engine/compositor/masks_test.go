package compositor

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// hiding returns a view of a screen with one blur.
func hiding(w, h int, hidden plan.Rect, cell float64) plan.View {
	return one(plan.Layer{From: sized(w, h), To: sized(w, h), Opacity: 1, Masks: []plan.Mask{
		{Type: values.MaskTypeBlur, Box: hidden, Cell: cell},
	}})
}

// No edge survives inside the blurred box, right up to its border, and everything outside is unchanged.
func TestBlurHides(t *testing.T) {
	t.Parallel()

	screen := fakeScreen(t, 960, 540)
	hidden := box(232, 140, 460, 250)
	f := painted(t, 960, 540, hiding(960, 540, hidden, 540.0/24), screen)

	edges := func(f Frame, x0, y0, x1, y1 int) int {
		most := 0

		for y := y0; y < y1-1; y++ {
			for x := x0; x < x1-1; x++ {
				row, next := f.Planes[0].Row(y), f.Planes[0].Row(y+1)
				most = max(most, absolute(int(row[x+1])-int(row[x])), absolute(int(next[x])-int(row[x])))
			}
		}

		return most
	}

	require.Greater(t, edges(screen, 232, 140, 692, 390), 120, "there was text")
	require.Less(t, edges(f, 232, 140, 692, 390), 8)

	for y := range 540 {
		if y < 140 || y >= 390 {
			require.Equal(t, screen.Planes[0].Row(y), f.Planes[0].Row(y))
		} else {
			require.Equal(t, screen.Planes[0].Row(y)[:232], f.Planes[0].Row(y)[:232])
			require.Equal(t, screen.Planes[0].Row(y)[692:], f.Planes[0].Row(y)[692:])
		}
	}
}

// Within a cell only the mean counts: shuffling its pixels gives the same bytes, so the two cannot be told apart.
func TestBlurCannotBeUndone(t *testing.T) {
	t.Parallel()

	const w, h, cell = 160, 96, 16

	one := noise(w, h, 17)
	other := noise(w, h, 17)
	random := rand.New(rand.NewPCG(1, 2))

	for i, p := range other.Planes {
		side := cell / (1 + min(i, 1))
		for y := 0; y < p.Height; y += side {
			for x := 0; x < p.Width; x += side {
				random.Shuffle(side*side, func(a, b int) {
					pa, pb := &p.Row(y + a/side)[x+a%side], &p.Row(y + b/side)[x+b%side]
					*pa, *pb = *pb, *pa
				})
			}
		}
	}

	require.False(t, bytes.Equal(one.Planes[0].Pix, other.Planes[0].Pix))

	v := hiding(w, h, sized(w, h), cell)
	a, b := painted(t, w, h, v, one), painted(t, w, h, v, other)
	require.Equal(t, a.Planes, b.Planes)
}

// A blur is as wide as its cells: a white half ends over about two of them.
func TestBlurIsAsWideAsItsCells(t *testing.T) {
	t.Parallel()

	for _, cell := range []float64{16, 48} {
		screen := full(960, 540, Black)
		screen.within(rect{480, 0, 960, 540}).Fill(White)
		f := painted(t, 960, 540, hiding(960, 540, sized(960, 540), cell), screen)

		row, from, to := f.Planes[0].Row(270), 0, 0
		for x, v := range row {
			if v < 16+22 {
				from = x
			}

			if v < 235-22 {
				to = x
			}
		}

		require.InDelta(t, 480, float64(from+to)/2, 3)
		require.Greater(t, float64(to-from), 1.2*cell)
		require.Less(t, float64(to-from), 3.5*cell)
	}
}

// A box may be odd, thin, or reach outside the screen.
func TestBlurOfOddBoxes(t *testing.T) {
	t.Parallel()

	for _, b := range []plan.Rect{box(3.5, 7.2, 1, 1), box(-20, -20, 30, 30), box(150, 80, 500, 3), box(400, 400, 5, 5), sized(160, 96)} {
		for _, cell := range []float64{0, 1, 7.5, 500} {
			src := noise(160, 96, 3)
			painted(t, 160, 96, hiding(160, 96, b, cell), src)
			require.Equal(t, noise(160, 96, 3).Planes, src.Planes, "a still input is not modified")
		}
	}
}

// The picture is darkened outside all highlights and unchanged inside each.
func TestHighlight(t *testing.T) {
	t.Parallel()

	src := full(240, 120, Colour{200, 100, 50, 255})
	v := one(plan.Layer{From: sized(240, 120), To: sized(240, 120), Opacity: 1, Masks: []plan.Mask{
		{Type: values.MaskTypeHighlight, Box: box(20, 20, 100, 40), Dark: 0.3},
		{Type: values.MaskTypeHighlight, Box: box(100, 40, 100, 60), Dark: 0.7},
	}})
	f := painted(t, 240, 120, v, src)

	for _, at := range [][2]int{{20, 20}, {119, 59}, {100, 40}, {199, 99}, {110, 50}} {
		near(t, f, at[0], at[1], Colour{200, 100, 50, 255}, 2, "within")
	}

	for _, at := range [][2]int{{18, 30}, {60, 17}, {60, 61}, {201, 70}, {150, 38}, {150, 101}, {0, 0}, {239, 119}} {
		near(t, f, at[0], at[1], Colour{60, 30, 15, 255}, 3, "outside, by the darker of the two")
	}

	v.Layers[0].Masks = v.Layers[0].Masks[:1]
	v.Layers[0].Masks[0].Dark = 1
	near(t, painted(t, 240, 120, v, src), 200, 100, Black, 1, "black")
}

// Masks are part of the screen: a zoom moves them, too.
func TestMasksAreZoomed(t *testing.T) {
	t.Parallel()

	v := one(plan.Layer{From: box(60, 30, 120, 60), To: sized(240, 120), Opacity: 1, Masks: []plan.Mask{
		{Type: values.MaskTypeHighlight, Box: box(100, 50, 40, 20), Dark: 1},
	}})
	f := painted(t, 240, 120, v, full(240, 120, White))

	sum, x, y := light(f)
	require.InDelta(t, 40*2*20*2, sum, 20)
	require.InDelta(t, (120-60)*2, x, 0.2)
	require.InDelta(t, (60-30)*2, y, 0.2)
}
