package compositor

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

func one(l plan.Layer) plan.View {
	return plan.View{Background: solid("#000000FF"), Layers: []plan.Layer{l}}
}

// A still layer equals its input byte for byte, except at the corners.
func TestStillLayer(t *testing.T) {
	t.Parallel()

	src := noise(120, 80, 2)

	for _, c := range []plan.Corner{{}, {Radius: 16}, {Radius: 40}, {Radius: 40, Squircle: true}} {
		l := plan.Layer{From: box(0, 0, 120, 80), To: box(60, 20, 120, 80), Corner: c, Opacity: 1}
		f := painted(t, 240, 120, one(l), src)

		for y := range 120 {
			for x := range 240 {
				got := f.Planes[0].Row(y)[x]

				switch fx, fy := float64(x), float64(y); {
				case allIn(l.To, c, fx, fy):
					require.Equal(t, src.Planes[0].Row(y - 20)[x-60], got, "within, at %d,%d", x, y)
				case noneIn(l.To, c, fx, fy):
					require.Equal(t, byte(16), got, "beyond, at %d,%d", x, y)
				}
			}
		}
	}
}

// allIn and noneIn test a pixel with a small margin.
func allIn(b plan.Rect, c plan.Corner, x, y float64) bool {
	return inside(b, c, x-0.1, y-0.1) && inside(b, c, x+1.1, y-0.1) && inside(b, c, x-0.1, y+1.1) && inside(b, c, x+1.1, y+1.1) ||
		x > b.X+c.Radius && x+1 < b.X+b.Width-c.Radius && y >= b.Y && y+1 <= b.Y+b.Height
}

func noneIn(b plan.Rect, c plan.Corner, x, y float64) bool {
	return !inside(b, c, x-0.1, y-0.1) && !inside(b, c, x+1.1, y-0.1) && !inside(b, c, x-0.1, y+1.1) && !inside(b, c, x+1.1, y+1.1)
}

func TestCroppedLayer(t *testing.T) {
	t.Parallel()

	src := noise(120, 80, 2)
	f := painted(t, 240, 120, one(plan.Layer{From: box(40, 20, 60, 40), To: box(100, 60, 60, 40), Opacity: 1}), src)
	require.Equal(t, src.Planes[0].Row(25)[40:100], f.Planes[0].Row(65)[100:160])
	require.Equal(t, src.Planes[2].Row(12)[20:50], f.Planes[2].Row(32)[50:80])
	require.Equal(t, byte(16), f.Planes[0].Row(65)[99])
}

// A moving layer is where its box is, to a fraction of a pixel: the sum and the center of its light are those of the
// box.
func TestMovingLayer(t *testing.T) {
	t.Parallel()

	src := full(60, 40, White)

	for _, at := range []plan.Rect{box(50.25, 30.5, 60, 40), box(51.9, 30.05, 33.3, 22.2), box(20.5, 10.75, 150.5, 90.25), box(-10.5, -7.25, 60, 40)} {
		f := painted(t, 240, 120, one(plan.Layer{From: box(0, 0, 60, 40), To: at, Opacity: 1}), src)
		seen := plan.Rect{X: max(0, at.X), Y: max(0, at.Y)}
		seen.Width, seen.Height = at.X+at.Width-seen.X, at.Y+at.Height-seen.Y

		sum, cx, cy := light(f)
		require.InDelta(t, seen.Width*seen.Height, sum, seen.Width*seen.Height/150, "%v", at)
		require.InDelta(t, seen.X+seen.Width/2, cx, 0.05, "%v", at)
		require.InDelta(t, seen.Y+seen.Height/2, cy, 0.05, "%v", at)
	}
}

// light returns how much white a picture shows, in pixels, and the center of it.
func light(f Frame) (sum, x, y float64) {
	for j := range f.Height {
		for i, v := range f.Planes[0].Row(j) {
			a := (float64(v) - 16) / 219
			sum, x, y = sum+a, x+a*(float64(i)+0.5), y+a*(float64(j)+0.5)
		}
	}

	return sum, x / sum, y / sum
}

// A zoom shows each place of the input where the formula puts it.
func TestZoom(t *testing.T) {
	t.Parallel()

	for _, from := range []plan.Rect{box(37.3, 21.7, 100, 50), box(0, 0, 70.4, 35.2), box(90, 45, 110, 55)} {
		src := full(200, 100, Black)

		var m mask

		spot := plan.Rect{X: from.X + from.Width*0.4, Y: from.Y + from.Height*0.3, Width: 12, Height: 9}
		m.set(spot, plan.Corner{}, 1, src.bounds())
		stain(src, &m, White)

		f := painted(t, 200, 100, one(plan.Layer{From: from, To: sized(200, 100), Opacity: 1}), src)
		zoom := 200 / from.Width
		sum, x, y := light(f)
		require.InDelta(t, 12*9*zoom*zoom, sum, 12*9*zoom*zoom/40)
		require.InDelta(t, (spot.X+6-from.X)*zoom, x, 0.1)
		require.InDelta(t, (spot.Y+4.5-from.Y)*zoom, y, 0.1)
	}
}

func TestOpacity(t *testing.T) {
	t.Parallel()

	v := one(plan.Layer{From: box(0, 0, 60, 40), To: box(50, 30, 60, 40), Opacity: 0.25, Corner: plan.Corner{Radius: 10}})
	v.Background = solid("#0000FFFF")
	near(t, painted(t, 240, 120, v, full(60, 40, White)), 80, 50, Colour{64, 64, 255, 255}, 3, "a quarter of white")
}

// A translucent layer shows the picture behind it, not its own shadow.
func TestHalfALayerWithABorder(t *testing.T) {
	t.Parallel()

	for _, border := range []values.BorderStyle{
		values.BorderStyleDeepShadow, values.BorderStyleTransparent, values.BorderStyleSolidShadowLeft, values.BorderStyleSnake,
	} {
		v := one(plan.Layer{
			From: box(0, 0, 60, 60), To: box(50, 30, 60, 60), Opacity: 0.5, Corner: plan.Corner{Radius: 30}, Border: border,
		})
		v.Background = solid("#00FF00FF")
		f := painted(t, 240, 120, v, full(60, 60, White))

		for _, at := range [][2]int{{80, 60}, {60, 60}, {62, 42}, {98, 78}} {
			near(t, f, at[0], at[1], Colour{128, 255, 128, 255}, 3, string(border))
		}
	}
}

func TestLayersLieOverEachOther(t *testing.T) {
	t.Parallel()

	v := plan.View{Background: solid("#000000FF"), Layers: []plan.Layer{
		{From: sized(240, 120), To: sized(240, 120), Opacity: 1},
		{Input: 1, From: box(0, 0, 60, 60), To: box(160, 40, 60, 60), Corner: plan.Corner{Radius: 30}, Opacity: 1},
	}}
	f := painted(t, 240, 120, v, full(240, 120, Colour{0, 255, 0, 255}), full(60, 60, Colour{255, 0, 0, 255}))

	near(t, f, 190, 70, Colour{255, 0, 0, 255}, 3, "the camera")
	near(t, f, 164, 44, Colour{0, 255, 0, 255}, 3, "the screen, in the corner of the camera's box")
	near(t, f, 20, 20, Colour{0, 255, 0, 255}, 3, "the screen")
}

// A picture keeps its own transparency, combined with its corners and opacity.
func TestPictureOverlay(t *testing.T) {
	t.Parallel()

	src := full(80, 80, Colour{255, 0, 0, 255})
	src.Alpha = Plane{make([]byte, 80*80), 80, 80, 80}

	for y := range 80 {
		for x := range 80 {
			src.Alpha.Pix[y*80+x] = []byte{0, 85, 170, 255}[x/20]
		}
	}

	layer := &plan.Layer{Input: 0, From: box(0, 0, 80, 80), To: box(40, 20, 80, 80), Opacity: 1}
	view := func(l *plan.Layer) plan.View {
		return plan.View{Background: solid("#FFFFFFFF"), Overlays: []plan.Overlay{{Picture: l}}}
	}
	f := painted(t, 240, 120, view(layer), src)

	for i, want := range []uint8{255, 170, 85, 0} {
		near(t, f, 40+20*i+10, 60, Colour{255, want, want, 255}, 4, "by its own alpha")
	}

	moved := *layer
	moved.To, moved.Corner = box(41.5, 20.5, 60, 60), plan.Corner{Radius: 30}
	f = painted(t, 240, 120, view(&moved), src)
	near(t, f, 41+52, 50, Colour{255, 0, 0, 255}, 4, "where it is opaque")
	near(t, f, 41+22, 50, Colour{255, 170, 170, 255}, 6, "where it is not")
	near(t, f, 41+57, 25, Colour{255, 255, 255, 255}, 2, "its corner")
}

func TestFade(t *testing.T) {
	t.Parallel()

	now := plan.View{Background: solid("#FFFFFFFF")}
	before := one(plan.Layer{From: sized(64, 48), To: sized(64, 48), Opacity: 1})
	scene := plan.Scene{
		Frame: plan.Size{Width: 64, Height: 48}, FPS: 30, Frames: 3, Shots: []plan.Shot{{View: now}},
		Before: &before, Inputs: []plan.Input{inputOf(NewFrame(64, 48))},
	}
	p, err := New(scene, nil, 0)
	require.NoError(t, err)

	for fade, want := range map[float64]uint8{1: 0, 0.75: 64, 0.5: 128, 0: 255} {
		v := now
		v.Fade = fade
		dst := noise(64, 48, 1)
		require.NoError(t, p.Paint(dst, v, []Frame{NewFrame(64, 48)}))
		near(t, dst, 30, 20, Colour{want, want, want, 255}, 2, "a fade")
	}
}

// A fade starts from the view as it was when it froze.
func TestFadeFromWhatMoves(t *testing.T) {
	t.Parallel()

	const w, h = 360, 240

	src := []Frame{full(120, 120, White)}
	v := white(values.BorderStyleSnake, plan.Corner{})
	scene := plan.Scene{
		Frame: plan.Size{Width: w, Height: h}, FPS: 30, Frames: 1, Shots: []plan.Shot{{View: v}},
		Before: new(v), BeforeUs: 1_700_000, Inputs: []plan.Input{inputOf(src[0])},
	}
	p, err := New(scene, nil, 0)
	require.NoError(t, err)

	frozen, faded := NewFrame(w, h), NewFrame(w, h)
	v.Seconds = 1.7
	require.NoError(t, p.Paint(frozen, v, src))

	v.Seconds, v.Fade = 0, 1
	require.NoError(t, p.Paint(faded, v, src))
	require.Equal(t, frozen, faded)
}

func TestPainterRefuses(t *testing.T) {
	t.Parallel()

	scene := func(v plan.View) plan.Scene {
		return plan.Scene{
			Frame: plan.Size{Width: 64, Height: 48}, FPS: 30, Frames: 1, Shots: []plan.Shot{{View: v}},
			Inputs: []plan.Input{inputOf(NewFrame(64, 48))},
		}
	}

	_, err := New(scene(plan.View{Background: solid("red")}), nil, 0)
	require.ErrorIs(t, err, ErrColour)
	_, err = New(scene(plan.View{Caption: &plan.Caption{Style: values.CaptionStyle{BackgroundColor: "#000000FF", TextColor: "white"}}}), nil, 0)
	require.ErrorIs(t, err, ErrColour)
	_, err = New(scene(plan.View{Overlays: []plan.Overlay{{Text: &plan.Text{TextStyle: values.TextStyle{Color: "#000000FF"}}}}}), nil, 0)
	require.Error(t, err, "fonts are missing")

	v := one(plan.Layer{From: sized(64, 48), To: sized(64, 48), Opacity: 1})
	p, err := New(scene(v), nil, 0)
	require.NoError(t, err)
	require.ErrorIs(t, p.Paint(NewFrame(64, 48), v, nil), ErrInput)
	require.ErrorIs(t, p.Paint(NewFrame(64, 48), v, []Frame{NewFrame(32, 48)}), ErrInput)
	require.ErrorIs(t, p.Paint(NewFrame(62, 48), v, []Frame{NewFrame(64, 48)}), ErrFrame)
}
