package films_test

import (
	"bytes"
	"image/color"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/compositor"
	"github.com/reelgraph/reelgraph/internal/engine/still"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
	reel "github.com/reelgraph/reelgraph/test/testkit/footage"
	"github.com/reelgraph/reelgraph/test/testkit/rendering"
)

// The pixels of backgrounds and overlays are checked: a partly transparent picture over a clip, a picture behind a
// clip, cropped to the frame's aspect, and a film behind a clip. The film starts with the clip and loops, even when it
// ends between two frames of the export.
func TestBehindAndOver(t *testing.T) {
	t.Parallel()

	s := rendering.New(t)
	s.Frame = plan.Size{}

	// Its number is at the left edge, where no layer is. It is also the recording, which holds its last frame.
	info := s.Add(t, "su_film", rendering.Counter(t, reel.Film{Frames: 7, FPS: 25, Width: 60, Height: 180, Filter: "pad=320:180"}, "film.mp4"))
	require.EqualValues(t, 280, info.DurationMs)

	s.Drawn(t, "su_behind", 80, 60, func(x, y int) color.NRGBA {
		switch {
		case y < 4 || y >= 56: // a frame of 16:9 shows 45 of its 60 rows
			return color.NRGBA{R: 255, G: 255, B: 255, A: 255}
		case x < 40:
			return color.NRGBA{B: 255, A: 255}
		default:
			return color.NRGBA{R: 255, G: 128, A: 255}
		}
	})
	s.Drawn(t, "su_over", 120, 24, func(x, _ int) color.NRGBA {
		return []color.NRGBA{{R: 255, G: 255, B: 255}, {R: 255, A: 128}, {R: 255, A: 255}}[x/40]
	})

	// The recording covers x from 64 to 256 and y from 36 to 144.
	one := values.ClipLook{
		Background:  values.Background{Type: values.BackgroundTypeImage, SourceID: "su_behind"},
		BorderStyle: values.BorderStyleNone, Corners: values.CornersNone,
		Base: &values.LayoutShape{Kind: values.LayoutKindMiddle, Size: new(values.LayoutSizeS)},
	}
	two := one
	one.Effects = []values.ShownEffect{{
		Kind: values.EffectKindMediaOverlay, EndMs: 100, SourceID: "su_over", Params: values.EffectParams{
			// A box of 60 × 12 pixels of the frame at 16, 18.
			Overlay: &values.OverlayParams{Point: values.Point{XPct: 5, YPct: 10}, Dimensions: values.Size{Width: 360, Height: 72}},
		},
	}}
	two.Background = values.Background{Type: values.BackgroundTypeVideo, SourceID: "su_film", VideoDurationMs: info.DurationMs}

	first, second := s.Clip("su_film"), s.Clip("su_film")
	first.LengthMs, second.LengthMs = 100, 900

	const before, frames = 3, 30 // before the second clip, and in total

	chunks, err := plan.Reel(
		timeline.Video{Clips: []timeline.Clip{first, second}}, values.Look{Clips: []values.ClipLook{one, two}}, s.Sources, rendering.Tiny(), 0, frames)
	require.NoError(t, err)
	require.Len(t, chunks, 2)

	looped := chunks[1].Scene
	require.Len(t, looped.Inputs[looped.Shots[0].View.Background.Input].Takes, 4, "turns")

	var raw bytes.Buffer

	require.NoError(t, s.Engine.Paint(t.Context(), chunks, s.Files, rendering.Tiny().Frame, frames, &raw))

	painted := slices.Collect(slices.Chunk(raw.Bytes(), still.FrameBytes(rendering.Tiny().Frame)))
	require.Len(t, painted, frames)

	// In BT.709, limited range: luma is 16 + 219·(0.2126·R + 0.7152·G + 0.0722·B).
	black, blue, orange, red := []byte{16, 128, 128}, []byte{32, 240, 118}, []byte{141, 59, 189}, []byte{63, 102, 240}
	half := []byte{47, 171, 179} // 128/255 of red, and blue

	for _, c := range []struct {
		frame, x, y int
		want        []byte
		what        string
	}{
		{0, 26, 24, blue, "where the picture over the clip is transparent"},
		{0, 46, 24, half, "where it is half transparent"},
		{0, 66, 24, red, "where it is opaque"},
		{2, 46, 24, half, "until the end of the clip"},
		{0, 2, 2, blue, "behind the clip, above left"},
		{0, 2, 176, blue, "below left"},
		{0, 140, 8, blue, "left of the middle"},
		{0, 180, 8, orange, "right of the middle"},
		{0, 316, 2, orange, "above right"},
		{2, 316, 176, orange, "below right"},
		{before, 316, 8, black, "behind the second clip, beside the number"},
	} {
		f, err := compositor.FrameOf(painted[c.frame], rendering.Tiny().Frame.Width, rendering.Tiny().Frame.Height)
		require.NoError(t, err)

		got := []byte{f.Planes[0].Row(c.y)[c.x], f.Planes[1].Row(c.y / 2)[c.x/2], f.Planes[2].Row(c.y / 2)[c.x/2]}
		require.InDeltaSlice(t, c.want, got, 2, "%s: %v", c.what, got)
	}

	// A frame of the export lasts 1/30 s and one of the film 1/25 s: 100 and 120 of the 840 units of a loop.
	var want []int
	for n := range frames - before {
		want = append(want, n*100%840/120)
	}

	film := []byte("YUV4MPEG2 W320 H180 F30:1 C420jpeg\n")
	for _, frame := range painted[before:] {
		film = append(append(film, "FRAME\n"...), frame...)
	}

	got, err := reel.Indices(t.Context(), rendering.Write(t, "painted.y4m", film), reel.Window{Width: 60, Height: 180})
	require.NoError(t, err)
	require.Equal(t, want, got)
}
