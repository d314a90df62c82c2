package compositor

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/plan"
)

func pointing(c plan.Cursor, corner plan.Corner) plan.View {
	return one(plan.Layer{From: box(0, 0, 200, 100), To: box(20, 10, 200, 100), Opacity: 1, Corner: corner, Cursor: &c})
}

// The cursor's tip is at its position, its body to the lower right, and its size is its height.
func TestCursor(t *testing.T) {
	t.Parallel()

	src := full(200, 100, Colour{0, 200, 0, 255})

	for _, at := range [][2]float64{{60, 40}, {60.5, 40.25}, {90.9, 30.1}} {
		f := painted(t, 240, 120, pointing(plan.Cursor{X: at[0], Y: at[1], Size: 40}, plan.Corner{}), src)
		x, y := int(at[0]), int(at[1])

		near(t, f, x-6, y, Colour{0, 200, 0, 255}, 2, "nothing left of the tip")
		near(t, f, x, y-6, Colour{0, 200, 0, 255}, 2, "nor above it")
		near(t, f, x+5, y+16, Colour{17, 17, 17, 255}, 12, "the body")

		top, bottom := 120, 0

		for j := 10; j < 110; j++ {
			for i := 20; i < 220; i++ {
				if p := pixel(f, i, j); p.G < 60 {
					top, bottom = min(top, j), max(bottom, j)
				}
			}
		}

		require.InDelta(t, at[1], top, 3)
		require.InDelta(t, at[1]+0.945*40, bottom+1, 2)
	}
}

// A click draws a ring around the tip, and the cursor is clipped to its layer.
func TestClickAndCut(t *testing.T) {
	t.Parallel()

	src := full(200, 100, White)
	f := painted(t, 240, 120, pointing(plan.Cursor{X: 120, Y: 60, Size: 40, Press: 0.5}, plan.Corner{}), src)
	radius := 40 * (rippleTo - (rippleTo-rippleFrom)*0.5)

	for _, side := range [][2]float64{{-1, 0}, {0, -1}} {
		p := pixel(f, int(120+side[0]*radius), int(60+side[1]*radius))
		require.Less(t, p.R, uint8(200), "blue on the ring")
		near(t, f, int(120+side[0]*radius*0.8), int(60+side[1]*radius*0.8), White, 3, "and white within it")
	}

	f = painted(t, 240, 120, pointing(plan.Cursor{X: 210, Y: 100, Size: 40, Press: 0.5}, plan.Corner{Radius: 20}), src)

	for y := range 120 {
		for x := 220; x < 240; x++ {
			require.Equal(t, byte(16), f.Planes[0].Row(y)[x])
		}
	}

	near(t, f, 217, 107, Black, 3, "in the layer's corner")
}
