package compositor

import (
	"math"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// The samples of pure colors in limited range, from the published tables of BT.709.
func TestColours(t *testing.T) {
	t.Parallel()

	for colour, want := range map[Colour][3]byte{
		{0, 0, 0, 255}: {16, 128, 128}, {255, 255, 255, 255}: {235, 128, 128}, {128, 128, 128, 255}: {126, 128, 128},
		{255, 0, 0, 255}: {63, 102, 240}, {0, 255, 0, 255}: {173, 42, 26}, {0, 0, 255, 255}: {32, 240, 118},
		{255, 255, 0, 255}: {219, 16, 138}, {0, 255, 255, 255}: {188, 154, 16}, {255, 0, 255, 255}: {78, 214, 230},
	} {
		require.Equal(t, want, colour.yuv(), "%v", colour)
	}

	c, err := ParseColour("#12aBff80")
	require.NoError(t, err)
	require.Equal(t, Colour{0x12, 0xAB, 0xFF, 0x80}, c)

	for _, bad := range []string{"", "#12", "#12345", "12345678", "#GG0000FF", "#-1234567"} {
		_, err := ParseColour(bad)
		require.ErrorIs(t, err, ErrColour, bad)
	}
}

func TestFrames(t *testing.T) {
	t.Parallel()

	_, err := FrameOf(make([]byte, 10), 4, 4)
	require.ErrorIs(t, err, ErrFrame)
	_, err = FrameOf(make([]byte, 15*6/4), 3, 5)
	require.ErrorIs(t, err, ErrFrame)
	_, err = AlphaFrameOf(make([]byte, 24), 4, 4)
	require.ErrorIs(t, err, ErrFrame)

	f, err := AlphaFrameOf(make([]byte, 40), 4, 4)
	require.NoError(t, err)
	require.Len(t, f.Alpha.Pix, 16)
}

func TestSolid(t *testing.T) {
	t.Parallel()

	f := painted(t, 64, 48, plan.View{Background: solid("#FF8000FF")})
	near(t, f, 3, 4, Colour{255, 128, 0, 255}, 2, "a solid")

	f = painted(t, 64, 48, plan.View{Background: solid("#FF800080")})
	near(t, f, 60, 40, Colour{128, 64, 0, 255}, 2, "half of it, over black")
}

// A gradient's color changes linearly along its direction; the corners in that direction have the pure colors.
func TestGradient(t *testing.T) {
	t.Parallel()

	from, to := Colour{20, 200, 40, 255}, Colour{220, 40, 200, 255}

	for angle, way := range map[int][2]float64{0: {0, -1}, 90: {1, 0}, 180: {0, 1}, 270: {-1, 0}, 45: {math.Sqrt2 / 2, -math.Sqrt2 / 2}} {
		f := painted(t, 160, 90, plan.View{Background: plan.Background{
			Type: values.BackgroundTypeGradient, Color: "#14C828FF", Color2: "#DC28C8FF", Angle: angle,
		}})

		length := 160*math.Abs(way[0]) + 90*math.Abs(way[1])
		for _, at := range [][2]int{{1, 1}, {80, 45}, {158, 1}, {30, 70}, {158, 88}} {
			along := 0.5 + ((float64(at[0])+0.5-80)*way[0]+(float64(at[1])+0.5-45)*way[1])/length
			mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + (float64(b)-float64(a))*along)) }
			near(t, f, at[0], at[1], Colour{mix(from.R, to.R), mix(from.G, to.G), mix(from.B, to.B), 255}, 5, "a gradient")
		}
	}
}

// A flowing background shows both colors and those between, moves slowly, and depends on time alone.
func TestFlow(t *testing.T) {
	t.Parallel()

	at := func(seconds float64) Frame {
		return painted(t, 320, 180, plan.View{Background: plan.Background{
			Type: values.BackgroundTypeShaderGradient, Color: "#000000FF", Color2: "#FFFFFFFF",
		}, Seconds: seconds})
	}

	one, next, later := at(4), at(4+1.0/30), at(9)
	low, high, step, change := byte(255), byte(0), 0, 0

	for i, v := range one.Planes[0].Pix {
		low, high = min(low, v), max(high, v)
		step = max(step, absolute(int(v)-int(next.Planes[0].Pix[i])))
		change = max(change, absolute(int(v)-int(later.Planes[0].Pix[i])))
	}

	require.Less(t, low, byte(50))
	require.Greater(t, high, byte(200))
	require.Positive(t, step, "it moves")
	require.Less(t, step, 8, "slowly")
	require.Greater(t, change, 60, "and far")
	require.Equal(t, one.Planes, at(4).Planes)
}

func absolute(v int) int { return max(v, -v) }

func TestPictureBehind(t *testing.T) {
	t.Parallel()

	src := noise(64, 48, 11)
	f := painted(t, 64, 48, plan.View{Background: plan.Background{Type: values.BackgroundTypeImage}}, src)
	require.Equal(t, src.Planes, f.Planes)

	f = painted(t, 64, 48, plan.View{Background: plan.Background{Type: values.BackgroundTypeVideo}}, src)
	require.Equal(t, src.Planes, f.Planes)
}

// The transparent parts of a background picture are black, as with a background color.
func TestTransparentPictureBehind(t *testing.T) {
	t.Parallel()

	src := full(64, 48, Colour{255, 128, 0, 255})
	src.Alpha = Plane{make([]byte, 64*48), 64, 64, 48}

	for y := range 48 {
		for x := range 64 {
			src.Alpha.Row(y)[x] = []byte{0, 128, 255}[x/22]
		}
	}

	for _, kind := range []values.BackgroundType{values.BackgroundTypeImage, values.BackgroundTypeVideo} {
		f := painted(t, 64, 48, plan.View{Background: plan.Background{Type: kind}}, src)
		near(t, f, 10, 20, Black, 2, "nothing of it")
		near(t, f, 32, 20, Colour{128, 64, 0, 255}, 2, "half of it")
		near(t, f, 60, 20, Colour{255, 128, 0, 255}, 2, "all of it")
	}
}

// white returns a view of a white square layer on grey.
func white(border values.BorderStyle, corner plan.Corner) plan.View {
	return plan.View{Background: solid("#808080FF"), Layers: []plan.Layer{{
		From: box(0, 0, 120, 120), To: box(120, 60, 120, 120), Corner: corner, Border: border, Opacity: 1,
	}}}
}

func TestBorders(t *testing.T) {
	t.Parallel()

	const w, h = 360, 240

	unit := float64(h) / 1080
	src := full(120, 120, White)
	grey, black := Colour{128, 128, 128, 255}, Colour{0, 0, 0, 255}

	paintBorder := func(b values.BorderStyle) Frame { return painted(t, w, h, white(b, plan.Corner{}), src) }

	none := paintBorder(values.BorderStyleNone)

	for _, b := range values.BorderStyle("").Values() {
		f := paintBorder(values.BorderStyle(b))
		drawn := b != string(values.BorderStyleNone) && b != string(values.BorderStyleCustom)
		require.Equal(t, drawn, !reflect.DeepEqual(none, f), b)
		near(t, f, 180, 120, White, 1, b+" does not change the layer")
		near(t, f, 121, 61, White, 1, b+" does not change the layer")
		near(t, f, 5, 5, grey, 2, b+" ends somewhere")
	}

	// A shadow is the Gaussian blur of the layer's box, moved down. On the center line left of a wide box, its darkness is
	// its opacity times the integral of the bell curve.
	for style, s := range map[values.BorderStyle][3]float64{
		values.BorderStyleSubtleShadow: {subtleSpread, subtleDrop, subtleOpacity},
		values.BorderStyleDeepShadow:   {deepSpread, deepDrop, deepOpacity},
	} {
		f := paintBorder(style)
		spread := s[0] * unit
		cdf := func(v float64) float64 { return 0.5 * (1 + math.Erf(v/spread/math.Sqrt2)) }

		for _, away := range []int{1, 3, 6} {
			x := float64(-away) - 0.5
			share := s[2] * (cdf(x+0) - cdf(x-120))
			near(t, f, 119-away, 120, Colour{uint8(128 * (1 - share)), uint8(128 * (1 - share)), uint8(128 * (1 - share)), 255}, 7, "a shadow")
		}

		above, below := pixel(f, 180, 58).R, pixel(f, 180, 181).R
		require.Less(t, below, above, "it falls down")
	}

	f := paintBorder(values.BorderStyleTransparent)
	rim := int(rimWidth * unit)
	near(t, f, 119-rim/2, 120, Colour{173, 173, 173, 255}, 5, "a rim of glass")
	near(t, f, 119-rim-3, 120, grey, 2, "and nothing beyond")

	drop := int(solidDrop * unit)
	f = paintBorder(values.BorderStyleSolidShadowLeft)
	near(t, f, 119-drop/2, 120, black, 3, "left of it")
	near(t, f, 180, 181+drop/2, black, 3, "below it")
	near(t, f, 242, 120, grey, 2, "not right of it")

	f = paintBorder(values.BorderStyleSolidShadowRight)
	near(t, f, 240+drop/2, 120, black, 3, "right of it")
	near(t, f, 117, 120, grey, 2, "not left of it")
}

// The snake's head is where the time puts it on the outline, and its tail follows.
func TestSnake(t *testing.T) {
	t.Parallel()

	src := full(120, 120, White)

	at := func(seconds float64) Frame {
		v := white(values.BorderStyleSnake, plan.Corner{})
		v.Seconds = seconds

		return painted(t, 720, 540, shifted(v, 300, 210), src)
	}

	// The middle of each side, clockwise from the upper left corner: an eighth of the way, then quarters.
	sides := [][2]int{{360, 207}, {422, 270}, {360, 332}, {297, 270}}

	bright := func(f Frame, side int) int {
		p := pixel(f, sides[side][0], sides[side][1])

		return int(p.B) - int(p.R)
	}

	for side := range sides {
		f := at(snakeSeconds*(float64(side)/4+0.125) + 0.05)
		require.Greater(t, bright(f, side), 150, "the head has just come to side %d", side)
		require.Less(t, bright(f, (side+1)%4), 40, "and not to the next")
		require.Greater(t, bright(f, (side+3)%4), 50, "its tail is on the one before")
	}
}

func shifted(v plan.View, x, y float64) plan.View {
	v.Layers[0].To.X, v.Layers[0].To.Y = x, y

	return v
}
