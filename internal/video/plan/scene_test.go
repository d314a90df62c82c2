package plan_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/reelgraph/reelgraph/internal/video/mouse"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// gallery returns the recordings and the media that may be laid over them.
func gallery() plan.Sources {
	all := sources()
	all["su_image"] = plan.Source{
		Content: "eeee", Picture: &plan.Picture{
			Size: plan.Size{Width: 400, Height: 300}, Still: true, Colour: plan.Colour{PixelFormat: "rgba"},
		},
	}
	all["su_mouse"] = plan.Source{Content: "ffff", Mouse: []mouse.Event{
		{TimeMs: 0, XPct: 10, YPct: 90, Type: mouse.Move},
		{TimeMs: 900, XPct: 80, YPct: 20, Type: mouse.Click},
		{TimeMs: 2_000, XPct: 50, YPct: 50, Type: mouse.Move},
	}}

	return all
}

func combi(lengthMs int64, cuts ...values.Span) timeline.Clip {
	c := screen(lengthMs, cuts...)
	c.Camera = "su_camera"

	return c
}

// bare is the look of a clip without effects.
func bare() values.ClipLook {
	return values.ClipLook{Background: values.DefaultBackground(), BorderStyle: values.BorderStyleNone, Corners: values.CornersRegular}
}

func with(effects ...values.ShownEffect) values.Look {
	l := bare()
	l.Effects = effects

	return values.Look{Clips: []values.ClipLook{l}}
}

func zoomed(kind values.ZoomType, startMs, endMs int64) values.ShownEffect {
	return values.ShownEffect{Kind: values.EffectKindZoom, StartMs: startMs, EndMs: endMs, Params: values.EffectParams{
		Zoom: &values.ZoomParams{Type: kind, Scale: 2, Focus: &values.Point{XPct: 25, YPct: 75}},
	}}
}

func masked(kind values.EffectKind, startMs, endMs int64) values.ShownEffect {
	return values.ShownEffect{Kind: kind, StartMs: startMs, EndMs: endMs, Params: values.EffectParams{Mask: &values.MaskParams{
		Point: values.Point{XPct: 25, YPct: 50}, Dimensions: values.Extent{WidthPct: 50, HeightPct: 25}, Intensity: 0.5,
	}}}
}

func laidOut(shape values.LayoutShape, source string, how values.LayoutTransition, startMs, endMs int64) values.ShownEffect {
	return values.ShownEffect{Kind: values.EffectKindLayout, StartMs: startMs, EndMs: endMs, SourceID: source, Params: values.EffectParams{
		Layout: &values.LayoutParams{Shape: shape, Intro: how, Outro: how},
	}}
}

func pictured(source string, startMs, endMs int64) values.ShownEffect {
	return values.ShownEffect{Kind: values.EffectKindMediaOverlay, StartMs: startMs, EndMs: endMs, SourceID: source, Params: values.EffectParams{
		Overlay: &values.OverlayParams{Point: values.Point{XPct: 50, YPct: 50}, Dimensions: values.Size{Width: 192, Height: 108}},
	}}
}

func planned(t rapid.TB, look values.Look, s plan.Settings, clips ...timeline.Clip) []plan.Chunk {
	t.Helper()

	plan, err := plan.Of(timeline.Video{Clips: clips}, look, gallery(), s)
	require.NoError(t, err)

	return plan.Outputs[0].Chunks
}

// shownAt returns the scene and view of an output frame.
func shownAt(t *testing.T, chunks []plan.Chunk, n int64) (plan.Scene, plan.View) {
	t.Helper()

	for _, c := range chunks {
		if n < c.First+c.Frames {
			require.Equal(t, plan.LaneCompose, c.Lane)

			return *c.Scene, c.Scene.At(n - c.First)
		}
	}

	require.FailNow(t, "no such frame")
	panic("unreachable")
}

// A zoom is closed at its ends, open in its middle, keeps its focus in view and leaves the box alone.
func TestManualZoom(t *testing.T) {
	t.Parallel()

	look := with(zoomed(values.ZoomTypeManualZoom, 1_000, 4_000))
	look.Clips[0].Base = &values.LayoutShape{Kind: values.LayoutKindScreenOnly}
	chunks := planned(t, look, defaults(), combi(6_000))
	require.Equal(t, plan.LanePassthrough, chunks[0].Lane, "before the zoom only the screen is shown")

	scene, v := shownAt(t, chunks, 75)
	whole := scene.Inputs[0].Size
	require.Equal(t, plan.Size{Width: 1280, Height: 800}, whole, "never enlarged by the decoder")

	// At scale 2 half of the picture is seen, as near to 25 %, 75 % as possible.
	require.InDelta(t, 0, v.Layers[0].From.X, 0.01)
	require.InDelta(t, 400, v.Layers[0].From.Y, 0.01)
	require.InDelta(t, 640, v.Layers[0].From.Width, 0.01)
	require.InDelta(t, 400, v.Layers[0].From.Height, 0.01)

	_, first := shownAt(t, chunks, 30)
	require.InDelta(t, 1280, first.Layers[0].From.Width, 0.01)
	require.Equal(t, v.Layers[0].To, first.Layers[0].To)
}

// A tracking zoom arrives where the pointer rests.
func TestTrackingZoom(t *testing.T) {
	t.Parallel()

	look := with(zoomed(values.ZoomTypeTrackingZoom, 0, 8_000))
	look.Clips[0].Mouse = "su_mouse"
	scene, v := shownAt(t, planned(t, look, defaults(), screen(10_000)), 200)
	from, size := v.Layers[0].From, scene.Inputs[0].Size

	require.InDelta(t, 0.5, (from.X+from.Width/2)/float64(size.Width), 0.002)
	require.InDelta(t, 0.5, (from.Y+from.Height/2)/float64(size.Height), 0.002)
}

// A spring layout moves in for 600 ms; a hard one is in place at once.
func TestLayoutTransitions(t *testing.T) {
	t.Parallel()

	alone := values.LayoutShape{Kind: values.LayoutKindCameraOnly}

	chunks := planned(t, with(laidOut(alone, "", values.LayoutTransitionHardCut, 2_000, 4_000)), defaults(), combi(6_000))
	_, v := shownAt(t, chunks, 60)
	require.Len(t, v.Layers, 1)
	require.Equal(t, plan.Rect{X: 54, Y: 54, Width: 1812, Height: 972}, v.Layers[0].To)

	chunks = planned(t, with(laidOut(alone, "", values.LayoutTransitionSpring, 2_000, 4_000)), defaults(), combi(6_000))
	_, v = shownAt(t, chunks, 60)
	require.InDelta(t, 324, v.Layers[1].To.Width, 0.01, "the camera starts as the former bubble, over the screen")

	_, v = shownAt(t, chunks, 66)
	require.Len(t, v.Layers, 2, "the screen is still leaving")
	require.Greater(t, v.Layers[1].To.Width, 1000.0)
	require.Less(t, v.Layers[1].To.Width, 1812.0)

	_, v = shownAt(t, chunks, 78)
	require.Len(t, v.Layers, 1)
	require.Equal(t, plan.Rect{X: 54, Y: 54, Width: 1812, Height: 972}, v.Layers[0].To)
}

// Masks, focus points and the pointer are percentages of the uncropped screen: a crop moves none of them.
func TestCropKeepsMasks(t *testing.T) {
	t.Parallel()

	look := with(masked(values.EffectKindBlur, 0, 2_000))
	look.Clips[0].Crop = &values.CropBox{XPct: 25, YPct: 25, WidthPct: 50, HeightPct: 50}
	look.Clips[0].Mouse, look.Clips[0].Cursor = "su_mouse", true
	scene, v := shownAt(t, planned(t, look, defaults(), screen(2_000)), 0)

	// The crop is 640×400 of the 1280×800, from 320, 200 on; the mask begins at its left edge, half way down.
	require.Equal(t, plan.Box{X: 320, Y: 200, Size: plan.Size{Width: 640, Height: 400}}, scene.Inputs[0].Crop)

	size := scene.Inputs[0].Size
	m := v.Layers[0].Masks[0]
	require.InDelta(t, 0, m.Box.X, 0.01)
	require.InDelta(t, float64(size.Height)/2, m.Box.Y, 0.01)
	require.InDelta(t, float64(size.Width), m.Box.Width, 0.01)
	require.InDelta(t, float64(size.Height)/2, m.Box.Height, 0.01)

	// At 50 %, 50 % of the whole it is in the middle of the crop.
	scene, v = shownAt(t, planned(t, look, defaults(), screen(4_000)), 90)
	require.InDelta(t, v.Layers[0].To.X+v.Layers[0].To.Width/2, v.Layers[0].Cursor.X, 0.1)
	require.InDelta(t, v.Layers[0].To.Y+v.Layers[0].To.Height/2, v.Layers[0].Cursor.Y, 0.1)
	require.NotEmpty(t, scene.Pointer)
}

// Effects are stored in recording time and shown in playback time; an overlay's film continues across a cut.
func TestEffectsRunOnThePlaybackClock(t *testing.T) {
	t.Parallel()

	chunks := planned(t, with(pictured("su_silent", 1_000, 5_000)), defaults(), screen(6_000, values.SpanOf(2_000, 2_000)))
	require.Equal(t, int64(120), chunks[len(chunks)-1].First+chunks[len(chunks)-1].Frames)

	_, v := shownAt(t, chunks, 89)
	require.Len(t, v.Overlays, 1)

	for _, c := range chunks {
		if c.First != 60 {
			continue
		}

		require.Equal(t, []plan.Take{{FromUs: 4_000_000, Frames: c.Frames}}, c.Scene.Inputs[0].Takes, "the screen skips the cut")
		require.Equal(t, int64(1_000_000), c.Scene.Inputs[1].Takes[0].FromUs, "the overlay does not")

		return
	}

	require.Fail(t, "a chunk begins at the cut")
}

// A background film loops, regardless of chunk edges.
func TestBackgroundLoops(t *testing.T) {
	t.Parallel()

	look := with()
	look.Clips[0].Background = values.Background{Type: values.BackgroundTypeVideo, SourceID: "su_silent", VideoDurationMs: 4_000}
	chunks := planned(t, look, defaults(), combi(15_000))

	require.Equal(t, int64(150), chunks[1].First)

	var takes []plan.Take

	for _, in := range chunks[1].Scene.Inputs {
		if in.Content == "cccc" {
			takes = in.Takes
		}
	}

	require.Equal(t, []plan.Take{{FromUs: 1_000_000, Frames: 90}, {FromUs: 0, Frames: 60}}, takes)
}

// Layouts that replace each other before they arrive do not pile up invisible layers.
func TestManyLayoutsAtOnce(t *testing.T) {
	t.Parallel()

	var effects []values.ShownEffect
	for n := range int64(50) {
		effects = append(effects, laidOut(values.LayoutShape{Kind: values.LayoutKindBRoll}, "su_silent", values.LayoutTransitionSpring, n*200, n*200+200))
	}

	chunks := planned(t, with(effects...), defaults(), combi(12_000))
	_, v := shownAt(t, chunks, 295)
	require.Less(t, len(v.Layers), 12)

	for _, l := range v.Layers[1:] {
		require.GreaterOrEqual(t, l.Opacity, 1.0/512)
	}
}

// For any video, chunks tile it, every frame that a view shows exists in its input, and a plan survives JSON.
func TestScenesAreSound(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		v, look := anyVideo(t)
		s := defaults()
		s.FPS = rapid.SampledFrom([]int64{30, 60}).Draw(t, "fps")
		s.Speed = rapid.SampledFrom(timeline.Speeds()).Draw(t, "speed")
		s.Artboard = rapid.SampledFrom([]plan.Size{{1920, 1080}, {1080, 1920}, {640, 640}}).Draw(t, "artboard")

		planned, err := plan.Of(v, look, gallery(), s)
		if err != nil {
			require.ErrorIs(t, err, plan.ErrEmpty)

			return
		}

		var next int64

		for _, c := range planned.Outputs[0].Chunks {
			require.Equal(t, next, c.First)

			next += c.Frames
			if c.Scene == nil {
				continue
			}

			for n := range c.Frames {
				if fault := faultOf(*c.Scene, c.Scene.At(n), n); fault != "" {
					require.Fail(t, fault, "frame %d of %+v", n, c.Scene)
				}
			}
		}

		require.Equal(t, planned.Outputs[0].Frames, next)

		var back plan.Plan

		b, err := json.Marshal(planned)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(b, &back))
		require.Equal(t, planned.Hash(), back.Hash())
	})
}

// faultOf returns what is wrong with a view.
func faultOf(s plan.Scene, v plan.View, n int64) string {
	layers := append([]plan.Layer{}, v.Layers...)

	for _, o := range v.Overlays {
		if o.Picture != nil {
			layers = append(layers, *o.Picture)
		}
	}

	for _, l := range layers {
		in := s.Inputs[l.Input]

		switch {
		case !in.Still && !in.At(n):
			return "a layer shows a missing input"
		case l.From.X < 0 || l.From.Y < 0 || l.From.Width < 1 || l.From.Height < 1 ||
			l.From.X+l.From.Width > float64(in.Size.Width)+1e-6 || l.From.Y+l.From.Height > float64(in.Size.Height)+1e-6:
			return "a layer shows a part outside its input"
		case l.To.Width < 1 || l.To.Height < 1:
			return "a layer has no box"
		case l.Opacity < 0 || l.Opacity > 1:
			return "an invalid opacity"
		case in.Size.Width%2+in.Size.Height%2 != 0 || in.Size.Width*in.Size.Height > 3840*2160+10_000:
			return "an input without a size"
		}
	}

	if v.Fade > 0 && s.Before == nil || v.Fade < 0 || v.Fade > 1 {
		return "a fade without a view before it"
	}

	return ""
}

func anyVideo(t *rapid.T) (timeline.Video, values.Look) {
	var (
		v    timeline.Video
		look values.Look
	)

	if rapid.Bool().Draw(t, "captions") {
		look.Captions = &values.CaptionLook{Style: values.DefaultEditing().CaptionStyle, Position: values.Position{X: 0.5, Y: 0.9}}
	}

	for range rapid.IntRange(1, 3).Draw(t, "clips") {
		n := rapid.Int64Range(100, 4_000).Draw(t, "lengthMs")
		at := rapid.Int64Range(0, n-1).Draw(t, "cutMs")
		c := combi(n, values.Normalise(n, []values.Span{values.SpanOf(at, rapid.Int64Range(0, n/2).Draw(t, "cutLength"))})...)
		c.Smooth = rapid.Bool().Draw(t, "smooth")
		v.Clips = append(v.Clips, c)
		look.Clips = append(look.Clips, anyLook(t, n))
	}

	return v, look
}

func anyLook(t *rapid.T, lengthMs int64) values.ClipLook {
	l := bare()
	l.Mouse, l.Cursor = "su_mouse", rapid.Bool().Draw(t, "cursor")
	l.BorderStyle = values.BorderStyle(rapid.SampledFrom(values.BorderStyle("").Values()).Draw(t, "border"))
	l.Corners = values.Corners(rapid.SampledFrom(values.Corners("").Values()).Draw(t, "corners"))
	l.Background = rapid.SampledFrom([]values.Background{
		values.DefaultBackground(),
		{Type: values.BackgroundTypeImage, SourceID: "su_image"},
		{Type: values.BackgroundTypeVideo, SourceID: "su_silent", VideoDurationMs: 700},
		{Type: values.BackgroundTypeShaderGradient, GradientColor1: "#FF0000FF", GradientColor2: "#00FF00FF"},
	}).Draw(t, "background")

	if rapid.Bool().Draw(t, "crop") {
		l.Crop = &values.CropBox{XPct: 10, YPct: 20, WidthPct: 33, HeightPct: 77}
	}

	var (
		layoutMs, zoomMs int64
		all              = shapes()
	)

	for range rapid.IntRange(0, 6).Draw(t, "effects") {
		from := rapid.Int64Range(0, lengthMs-1).Draw(t, "from")
		to := from + rapid.Int64Range(1, lengthMs).Draw(t, "length")
		how := values.LayoutTransition(rapid.SampledFrom(values.LayoutTransition("").Values()).Draw(t, "how"))

		switch rapid.IntRange(0, 4).Draw(t, "kind") {
		case 0:
			from, layoutMs = max(from, layoutMs), max(to, layoutMs)
			if from < to {
				l.Effects = append(l.Effects, laidOut(rapid.SampledFrom(all).Draw(t, "shape"), "su_silent", how, from, to))
			}
		case 1:
			from, zoomMs = max(from, zoomMs), max(to, zoomMs)
			if from < to {
				kind := values.ZoomType(rapid.SampledFrom(values.ZoomType("").Values()).Draw(t, "zoom"))
				l.Effects = append(l.Effects, zoomed(kind, from, to))
			}
		case 2:
			l.Effects = append(l.Effects, masked(values.EffectKindBlur, from, to))
		case 3:
			l.Effects = append(l.Effects, masked(values.EffectKindHighlight, from, to))
		default:
			l.Effects = append(l.Effects, pictured(rapid.SampledFrom([]string{"su_image", "su_silent"}).Draw(t, "overlay"), from, to))
		}
	}

	for ms := int64(0); ms < lengthMs; ms += 400 {
		l.Words = append(l.Words, values.SpokenWord{Text: "word", StartMs: ms, EndMs: ms + 300})
	}

	return l
}
