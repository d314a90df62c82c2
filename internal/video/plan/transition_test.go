package plan_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// A smooth transition begins with the frozen last frame of the clip before.
func TestSmoothTransition(t *testing.T) {
	t.Parallel()

	second := combi(3_000)
	second.Smooth = true
	chunks := planned(t, values.Look{Clips: []values.ClipLook{bare(), bare()}}, defaults(), screen(2_000), second)

	scene, v := shownAt(t, chunks, 60)
	require.InDelta(t, 1, v.Fade, 1e-9)
	require.NotNil(t, scene.Before)

	frozen := scene.Inputs[scene.Before.Layers[0].Input]
	require.True(t, frozen.Still)
	require.Equal(t, []plan.Take{{FromUs: 1_000_000, Skip: 29, Frames: 1}}, frozen.Takes, "frame 59")

	_, v = shownAt(t, chunks, 66)
	require.InDelta(t, 0.5, v.Fade, 1e-9)

	_, v = shownAt(t, chunks, 72)
	require.Zero(t, v.Fade)
}

// The frozen frame is the last one seen: with its cursor, its text and the state of its animations.
func TestFrozenFrame(t *testing.T) {
	t.Parallel()

	first, second := bare(), bare()
	first.Mouse, first.Cursor = "su_mouse", true
	first.Background = values.Background{Type: values.BackgroundTypeShaderGradient, GradientColor1: "#FF0000FF", GradientColor2: "#00FF00FF"}
	first.BorderStyle = values.BorderStyleSnake
	first.Effects = []values.ShownEffect{{Kind: values.EffectKindTextOverlay, StartMs: 1_000, EndMs: 2_000, Params: values.EffectParams{
		Text: &values.TextParams{Text: "The end", Point: values.Point{XPct: 10, YPct: 10}, Dimensions: values.Size{Width: 300, Height: 80}},
	}}}

	smooth := combi(3_000)
	smooth.Smooth = true

	settings := defaults()
	settings.Fonts = "the state of the fonts"

	last, seen := shownAt(t, planned(t, values.Look{Clips: []values.ClipLook{first}}, settings, combi(2_000)), 59)
	scene, v := shownAt(t, planned(t, values.Look{Clips: []values.ClipLook{first, second}}, settings, combi(2_000), smooth), 60)
	frozen, ok := scene.Frozen()

	require.True(t, ok)
	require.InDelta(t, 1, v.Fade, 1e-9)
	require.NotNil(t, seen.Layers[0].Cursor)
	require.Equal(t, seen.Layers[0].Cursor, frozen.Layers[0].Cursor)
	require.InDelta(t, seen.Seconds, frozen.Seconds, 1e-9)
	require.Len(t, frozen.Overlays, 1)
	require.Equal(t, last.Fonts, scene.Fonts, "other fonts, other letters")
}

// A picture of a moment within a smooth transition shows the same frame of the clip before as an export.
func TestReelWithinATransition(t *testing.T) {
	t.Parallel()

	second, look := combi(3_000), values.Look{Clips: []values.ClipLook{bare(), bare(), bare()}}
	second.Smooth = true
	v := timeline.Video{Clips: []timeline.Clip{screen(2_000), {ID: "cl_gone", Screen: "su_screen"}, second}}
	exported := planned(t, look, defaults(), v.Clips...)

	for _, fps := range []int64{1, 10, 30} {
		for _, n := range []int64{60, 63, 71} { // 2 s, 2.1 s, 2.367 s
			settings := defaults()
			settings.FPS = fps

			chunks, err := plan.Reel(v, look, gallery(), settings, n*1000/30, 1)
			require.NoError(t, err)
			require.Len(t, chunks, 1)
			require.EqualValues(t, 1, chunks[0].Frames)

			scene, drawn := *chunks[0].Scene, chunks[0].Scene.At(0)
			was, want := shownAt(t, exported, n)
			require.InDelta(t, want.Fade, drawn.Fade, 0.003)

			at := func(s plan.Scene) (string, int64) {
				require.NotNil(t, s.Before)
				in := s.Inputs[s.Before.Layers[0].Input]

				return in.Content, in.Takes[0].ShownUs(timeline.Rate{FPS: s.FPS, Speed: s.Speed}) / 1000
			}
			content, ms := at(scene)
			sameContent, sameMs := at(was)
			require.Equal(t, sameContent, content)
			require.Equal(t, sameMs, ms, "frame 59")
		}

		settings := defaults()
		settings.FPS = fps

		for _, ms := range []int64{1_999, 2_400} {
			chunks, err := plan.Reel(v, look, gallery(), settings, ms, 1)
			require.NoError(t, err)
			require.Nil(t, chunks[0].Scene.Before, "nothing fades at %d ms", ms)
		}
	}

	_, err := plan.Reel(v, look, gallery(), defaults(), 5_000, 1)
	require.ErrorIs(t, err, plan.ErrEmpty)
}

// The transition into a clip shorter than it ends with that clip, in exports and in pictures of moments.
func TestSmoothTransitionIntoAShortClip(t *testing.T) {
	t.Parallel()

	look := values.Look{Clips: []values.ClipLook{bare(), bare(), bare()}}
	v := timeline.Video{Clips: []timeline.Clip{combi(2_000), combi(200), combi(2_000)}}

	for i := range v.Clips {
		v.Clips[i].Smooth = true
	}

	chunks := planned(t, look, defaults(), v.Clips...)

	for n, want := range map[int64]float64{59: 0, 60: 1, 63: 0.5, 65: 1.0 / 6, 66: 1, 72: 0.5, 78: 0} {
		_, seen := shownAt(t, chunks, n)
		require.InDelta(t, want, seen.Fade, 1e-5, "frame %d", n)
	}

	for ms, want := range map[int64]float64{2_000: 1, 2_150: 0.25, 2_300: 0.75} {
		stills, err := plan.Reel(v, look, gallery(), defaults(), ms, 1)
		require.NoError(t, err)
		require.InDelta(t, want, stills[0].Scene.At(0).Fade, 1e-9, "%d ms", ms)
		require.NotNil(t, stills[0].Scene.Before)
	}
}
