package plan_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/mouse"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// settled is the share of its way that a critically damped spring of 12/s has moved after a time, normalized to the 0.6 s in
// which a layout arrives.
func settled(seconds float64) float64 {
	at := func(s float64) float64 { return 1 - (1+12*s)*math.Exp(-12*s) }

	return at(seconds) / at(0.6)
}

// A layout moves in by the spring; so does the one that resumes after it.
func TestLayoutsSpring(t *testing.T) {
	t.Parallel()

	const bubble, alone = 324, 1812

	shape := values.LayoutShape{Kind: values.LayoutKindCameraOnly}
	chunks := planned(t, with(laidOut(shape, "", values.LayoutTransitionSpring, 2_000, 4_000)), defaults(), combi(6_000))

	camera := func(n int64) float64 {
		scene, v := shownAt(t, chunks, n)
		for _, l := range v.Layers {
			if scene.Inputs[l.Input].Content == "bbbb" {
				return l.To.Width
			}
		}

		require.Fail(t, "no camera")

		return 0
	}

	for k := range int64(18) {
		share := settled(float64(k) / 30)
		require.InDelta(t, bubble+(alone-bubble)*share, camera(60+k), 0.01, "%d frames after it began", k)
		require.InDelta(t, alone+(bubble-alone)*share, camera(120+k), 0.01, "%d frames after it ended", k)
	}

	require.InDelta(t, alone, camera(78), 0)
	require.InDelta(t, bubble, camera(138), 0)
}

// A leaving layer stays below the layers that lay over it and above the arriving ones. A staying layer keeps its z-order
// until half way, which the spring reaches after five frames.
func TestLayerOrderDuringTransition(t *testing.T) {
	t.Parallel()

	look := with(
		laidOut(values.LayoutShape{Kind: values.LayoutKindCameraOnly}, "", values.LayoutTransitionSpring, 1_000, 2_000),
		laidOut(values.LayoutShape{Kind: values.LayoutKindBRoll}, "su_silent", values.LayoutTransitionSpring, 3_000, 4_000),
		laidOut(values.LayoutShape{Kind: values.LayoutKindTvPresenter, Position: new(values.LayoutPositionLeft)}, "",
			values.LayoutTransitionSpring, 5_000, 6_000),
	)
	chunks := planned(t, look, defaults(), combi(7_000))

	for n, want := range map[int64][]string{
		29: {"aaaa", "bbbb"}, 30: {"aaaa", "bbbb"}, 36: {"aaaa", "bbbb"}, 50: {"bbbb"}, // the screen leaves from below the camera
		60: {"aaaa", "bbbb"}, 66: {"aaaa", "bbbb"},
		90: {"cccc", "aaaa", "bbbb"}, 96: {"cccc", "aaaa", "bbbb"}, 110: {"cccc"}, // both leave over the b-roll
		126: {"aaaa", "bbbb", "cccc"},
		149: {"aaaa", "bbbb"}, 150: {"aaaa", "bbbb"}, 154: {"aaaa", "bbbb"}, 155: {"bbbb", "aaaa"}, 170: {"bbbb", "aaaa"},
		180: {"bbbb", "aaaa"}, 184: {"bbbb", "aaaa"}, 185: {"aaaa", "bbbb"},
	} {
		scene, v := shownAt(t, chunks, n)

		var got []string
		for _, l := range v.Layers {
			got = append(got, scene.Inputs[l.Input].Content)
		}

		require.Equal(t, want, got, "frame %d", n)
	}
}

// A layout begins by its own intro; what resumes after it, by its outro. Of two adjacent layouts, a hard cut of either is
// hard.
func TestLayoutTransitionRules(t *testing.T) {
	t.Parallel()

	const hard, spring = values.LayoutTransitionHardCut, values.LayoutTransitionSpring

	lay := func(kind values.LayoutKind, intro, outro values.LayoutTransition, startMs, endMs int64) values.ShownEffect {
		e := laidOut(values.LayoutShape{Kind: kind, Position: new(values.LayoutPositionLeft)}, "", intro, startMs, endMs)
		e.Params.Layout.Outro = outro

		return e
	}

	broll := values.LayoutShape{Kind: values.LayoutKindBRoll, Style: new(values.LayoutStyleFramed)}

	const camera, sides, presenter = values.LayoutKindCameraOnly, values.LayoutKindSideBySide, values.LayoutKindTvPresenter

	for name, c := range map[string]struct {
		layouts []values.ShownEffect
		at      int64 // the frame at which a layout begins
		hard    bool
	}{
		"it begins hard":     {[]values.ShownEffect{lay(camera, hard, spring, 2_000, 4_000)}, 60, true},
		"it begins softly":   {[]values.ShownEffect{lay(camera, spring, hard, 2_000, 4_000)}, 60, false},
		"the base hard":      {[]values.ShownEffect{lay(camera, spring, hard, 2_000, 4_000)}, 120, true},
		"the base softly":    {[]values.ShownEffect{lay(camera, hard, spring, 2_000, 4_000)}, 120, false},
		"the next one hard":  {[]values.ShownEffect{lay(camera, spring, spring, 2_000, 4_000), lay(sides, hard, spring, 4_000, 6_000)}, 120, true},
		"after a hard one":   {[]values.ShownEffect{lay(camera, spring, hard, 2_000, 4_000), lay(sides, spring, spring, 4_000, 6_000)}, 120, true},
		"neither says so":    {[]values.ShownEffect{lay(camera, hard, spring, 2_000, 4_000), lay(sides, spring, hard, 4_000, 6_000)}, 120, false},
		"not directly after": {[]values.ShownEffect{lay(camera, spring, hard, 2_000, 3_000), lay(sides, spring, spring, 4_000, 6_000)}, 120, false},
		"it resumes hard": {[]values.ShownEffect{
			lay(camera, spring, spring, 1_000, 2_000), lay(sides, spring, hard, 2_000, 4_000), lay(camera, spring, spring, 4_000, 6_000),
		}, 120, true},
		"it resumes softly": {[]values.ShownEffect{
			lay(camera, hard, spring, 1_000, 2_000), lay(sides, spring, spring, 2_000, 4_000), lay(camera, hard, spring, 4_000, 6_000),
		}, 120, false},
		"it resumes as it had not begun": {[]values.ShownEffect{
			lay(camera, spring, spring, 1_000, 2_000), lay(sides, spring, spring, 2_000, 4_000), lay(camera, hard, spring, 4_000, 6_000),
		}, 120, false},
		"a third one begins hard": {[]values.ShownEffect{
			lay(camera, spring, spring, 1_000, 2_000), lay(sides, spring, spring, 2_000, 4_000), lay(presenter, hard, spring, 4_000, 6_000),
		}, 120, true},
		"it does not go on behind a gap": {[]values.ShownEffect{
			lay(camera, spring, spring, 500, 1_000), lay(sides, spring, spring, 2_000, 4_000), lay(camera, hard, spring, 4_000, 6_000),
		}, 120, true},
		"other media begin": {[]values.ShownEffect{
			laidOut(broll, "su_silent", hard, 1_000, 2_000), lay(sides, spring, spring, 2_000, 4_000), laidOut(broll, "su_image", hard, 4_000, 6_000),
		}, 120, true},
		"the same media resume": {[]values.ShownEffect{
			laidOut(broll, "su_image", hard, 1_000, 2_000), lay(sides, spring, spring, 2_000, 4_000), laidOut(broll, "su_image", hard, 4_000, 6_000),
		}, 120, false},
		"it resumes behind two": {[]values.ShownEffect{
			lay(camera, hard, spring, 1_000, 2_000), lay(sides, spring, spring, 2_000, 3_000),
			lay(presenter, spring, spring, 3_000, 4_000), lay(camera, hard, spring, 4_000, 6_000),
		}, 120, false},
	} {
		chunks := planned(t, with(c.layouts...), defaults(), combi(8_000))
		_, first := shownAt(t, chunks, c.at)
		_, there := shownAt(t, chunks, c.at+18)
		require.Equal(t, c.hard, slices.EqualFunc(first.Layers, there.Layers, func(a, b plan.Layer) bool {
			return a.To == b.To && a.Opacity == b.Opacity
		}), name)
	}
}

// A zoom opens in 0.6 s and closes in 0.6 s, with zero speed and acceleration at its ends.
func TestZoomsOpenAndClose(t *testing.T) {
	t.Parallel()

	chunks := planned(t, with(zoomed(values.ZoomTypeManualZoom, 1_000, 4_000)), defaults(), screen(6_000))

	for k := range int64(19) {
		x := float64(k) / 18
		scale := 1 + x*x*x*(6*x*x-15*x+10)

		for _, n := range []int64{30 + k, 120 - k} {
			if n == 120 {
				continue // there the zoom is over
			}

			require.InDelta(t, 1280/scale, seen(t, chunks, n).Width, 0.01, "frame %d", n)
		}
	}
}

// A tracking zoom follows a jump of the pointer like a critically damped spring of 6/s.
func TestTrackingZoomFollows(t *testing.T) {
	t.Parallel()

	known := gallery()
	known["su_mouse"] = plan.Source{Content: "ffff", Mouse: []mouse.Event{
		{XPct: 30, YPct: 70, Type: mouse.Move},
		{TimeMs: 3_000, XPct: 30, YPct: 70, Type: mouse.Move},
		{TimeMs: 3_001, XPct: 60, YPct: 40, Type: mouse.Move},
	}}

	look := with(zoomed(values.ZoomTypeTrackingZoom, 0, 8_000))
	look.Clips[0].Mouse = "su_mouse"
	plan, err := plan.Of(timeline.Video{Clips: []timeline.Clip{screen(10_000)}}, look, known, defaults())
	require.NoError(t, err)

	for n := int64(60); n < 150; n++ {
		left := 1.0
		if s := float64(n-90) / 30; s > 0 {
			left = (1 + 6*s) * math.Exp(-6*s)
		}

		part := seen(t, plan.Outputs[0].Chunks, n)
		require.InDelta(t, 60-30*left, (part.X+part.Width/2)/1280*100, 0.1, "frame %d", n)
		require.InDelta(t, 40+30*left, (part.Y+part.Height/2)/800*100, 0.1, "frame %d", n)
	}
}

// seen returns the part of the 1280×800 screen that a frame shows, in its pixels.
func seen(t *testing.T, chunks []plan.Chunk, n int64) plan.Rect {
	t.Helper()

	scene, v := shownAt(t, chunks, n)
	in, from := scene.Inputs[v.Layers[0].Input], v.Layers[0].From

	crop := in.Crop
	if crop.Width == 0 { // all of it
		crop.Size = plan.Size{Width: 1280, Height: 800}
	}

	x, y := float64(crop.Width)/float64(in.Size.Width), float64(crop.Height)/float64(in.Size.Height)

	return plan.Rect{X: float64(crop.X) + from.X*x, Y: float64(crop.Y) + from.Y*y, Width: from.Width * x, Height: from.Height * y}
}

// A camera that punches in is a quarter larger, around a fixed point 45 % down. Of the 640×480 the frame shows 640×360 from
// 60 on; 512×288 of it remain, in which a point 162 down lies 129.6 down.
func TestPunchIn(t *testing.T) {
	t.Parallel()

	look := with()
	look.Clips[0].Base = &values.LayoutShape{
		Kind: values.LayoutKindCameraOnly, Style: new(values.LayoutStyleFullscreen), PunchIn: new(true),
	}
	crop := planned(t, look, defaults(), combi(2_000))[0].Draw.Crop
	require.Equal(t, plan.Size{Width: 512, Height: 288}, crop.Size)
	require.Equal(t, 64, crop.X)
	require.InDelta(t, 60+162-129.6, float64(crop.Y), 1)
}
