package films_test

import (
	"bytes"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/encode"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
	reel "github.com/reelgraph/reelgraph/test/testkit/footage"
	"github.com/reelgraph/reelgraph/test/testkit/rendering"
)

// duet is a studio with a screen recording at 30 fps and a camera at 25 fps, both showing frame numbers. Only the
// screen is tagged with its colors, those of exports, so the two are scaled in different ways.
func duet(t *testing.T) *rendering.Studio {
	t.Helper()

	s := rendering.New(t)
	s.Frame = plan.Size{}
	s.Add(t, "su_screen", rendering.Counter(t, reel.Film{Frames: 150, Encoder: append(bt709("libx264"), "-g", "60")}, "screen.mp4"))
	s.Add(t, "su_camera", rendering.Counter(t, reel.Film{Frames: 125, FPS: 25}, "camera.mp4"))

	return s
}

// bt709 returns encoder arguments that tag the colors as those of exports.
func bt709(encoder string) []string {
	return []string{"-c:v", encoder, "-crf", "18", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"}
}

// A window recording may have odd sides, which 2 × 2 chroma subsampling does not fit.
func TestOddSides(t *testing.T) {
	t.Parallel()

	s := rendering.New(t)
	s.Frame = plan.Size{Width: 160, Height: 90}

	odd := reel.Film{
		Frames: 30, Width: 321, Height: 181, Encoder: append(bt709("libvpx-vp9"), "-b:v", "0", "-deadline", "realtime"),
	}
	info := s.Add(t, "su_odd", rendering.Counter(t, odd, "odd.webm"))
	require.Equal(t, "bt709", info.Video.ColorSpace)
	require.Equal(t, [2]int{321, 181}, [2]int{info.Video.CodedWidth, info.Video.CodedHeight})

	result := s.Render(t, rendering.Wide(), s.Clip("su_odd"))
	requireFrames(t, result.Path, expected([]shown{{0, 1_000}}, 30, big.NewRat(1, 1), big.NewRat(30, 1), 29), 30)
}

// pair is the clip of a duet with the second from 1 to 2 cut out.
func pair(s *rendering.Studio) timeline.Clip {
	c := s.Clip("su_screen", values.SpanOf(1_000, 1_000))
	c.Camera = "su_camera"

	return c
}

func window(p plan.Place) reel.Window {
	return reel.Window{X: p.Box.X, Y: p.Box.Y, Width: p.Box.Width, Height: p.Box.Height}
}

// Screen and camera show the right frame at every output frame: across a cut, during a layout transition, at both rates
// and at another speed. Equal scenes have equal bytes, whether drawn one after the other or four at a time.
func TestComposedFrames(t *testing.T) {
	t.Parallel()

	s := duet(t)
	split := values.LayoutShape{
		Kind: values.LayoutKindSideBySide, Position: new(values.LayoutPositionLeft), Style: new(values.LayoutStyleEven),
	}
	look := rendering.Plain(values.ShownEffect{Kind: values.EffectKindLayout, StartMs: 3_000, EndMs: 5_000, Params: values.EffectParams{
		Layout: &values.LayoutParams{Shape: split, Intro: values.LayoutTransitionSpring},
	}})
	stage := plan.Stage{
		Frame: rendering.Small().Frame, Screen: plan.Size{Width: 160, Height: 90}, Camera: plan.Size{Width: 160, Height: 90}, Corners: values.CornersNone,
	}
	bubble := plan.Arrange(*look.Clips[0].Base, stage)
	half := plan.Arrange(split, stage)

	for _, c := range []struct {
		fps     int64
		speed   timeline.Speed
		workers []int
	}{{30, timeline.Normal(), []int{1, 4}}, {60, timeline.Speed{Num: 3, Den: 2}, []int{2}}} {
		settings := rendering.Small()
		settings.FPS, settings.Speed = c.fps, c.speed
		planned := s.PlanLook(t, look, settings, pair(s))

		for _, chunk := range planned.Outputs[0].Chunks {
			require.Equal(t, plan.LaneCompose, chunk.Lane)
		}

		var drawn [][][]byte

		for _, workers := range c.workers {
			one := s.Beside(t)
			one.Engine.Workers = workers
			result := one.RenderPlan(t, planned)
			drawn = append(drawn, one.Chunks(t, planned))

			// The layout is complete from 2.6 s of playback time on.
			parts := []shown{{0, 1_000}, {2_000, 5_000}}
			ratio := big.NewRat(c.speed.Num, c.speed.Den)
			screen := expected(parts, c.fps, ratio, big.NewRat(30, 1), 149)
			camera := expected(parts, c.fps, ratio, big.NewRat(25, 1), 124)
			moves, stands := at(2_000, c.fps, c.speed), at(2_600, c.fps, c.speed)

			requireRange(t, result.Path, window(bubble[1]), camera, 0, moves)
			requireRange(t, result.Path, window(half[0]), screen, stands, len(screen))

			// The camera fills the other half. Four ninths of its picture are visible, without its number.
			require.Equal(t, plan.RoleCamera, half[1].Role)
		}

		require.Equal(t, drawn[0], drawn[len(drawn)-1], "with one worker and with four")
	}
}

// at returns the first output frame at or after a playback time.
func at(ms, fps int64, speed timeline.Speed) int {
	return int(timeline.Rate{FPS: fps, Speed: speed}.FirstAt(ms))
}

// requireRange requires the expected indices in frames first to end, end excluded, in a window of the picture.
func requireRange(t *testing.T, path string, w reel.Window, want []int, first, end int) {
	t.Helper()

	got, err := reel.Indices(t.Context(), path, w)
	require.NoError(t, err)
	require.Len(t, got, len(want))
	require.Equal(t, want[first:end], got[first:end], "in %+v", w)
}

// Chunks of both lanes are joined into one stream in which every frame decodes. An overlaid film holds its last frame.
func TestLanesJoin(t *testing.T) {
	t.Parallel()

	s := duet(t)
	s.Add(t, "su_short", rendering.Counter(t, reel.Film{Frames: 30}, "short.mp4"))

	look := rendering.Plain(values.ShownEffect{
		Kind: values.EffectKindMediaOverlay, StartMs: 2_000, EndMs: 4_500, SourceID: "su_short", Params: values.EffectParams{
			Overlay: &values.OverlayParams{Point: values.Point{XPct: 50, YPct: 50}, Dimensions: values.Size{Width: 480, Height: 270}},
		},
	})
	look.Clips[0].Base = &values.LayoutShape{Kind: values.LayoutKindScreenOnly}
	planned := s.PlanLook(t, look, rendering.Small(), s.Clip("su_screen"))

	lanes := map[plan.Lane]int{}
	for _, c := range planned.Outputs[0].Chunks {
		lanes[c.Lane]++
	}

	require.Equal(t, map[plan.Lane]int{plan.LanePassthrough: 1, plan.LaneCompose: 1}, lanes, "a part of a second is no chunk of its own")

	result := s.RenderPlan(t, planned)
	overlay := make([]int, 150)

	for n := range 75 {
		overlay[60+n] = min(n, 29)
	}

	requireRange(t, result.Path, reel.Window{X: 320, Y: 180, Width: 160, Height: 90}, overlay, 60, 135)
}

// Stills of a video are the frames that an export shows, from any time on.
func TestPaint(t *testing.T) {
	t.Parallel()

	s := duet(t)
	settings := rendering.Small()
	settings.FPS = 10
	v := timeline.Video{Clips: []timeline.Clip{pair(s)}}

	chunks, err := plan.Reel(v, rendering.Plain(), s.Sources, settings, 950, 2)
	require.NoError(t, err)
	require.Len(t, chunks, 2, "a cut separates the two")
	require.Equal(t, int64(950_000), chunks[0].Scene.Inputs[0].Takes[0].FromUs)
	require.Equal(t, int64(2_050_000), chunks[1].Scene.Inputs[0].Takes[0].FromUs)

	var raw bytes.Buffer

	require.NoError(t, s.Engine.Paint(t.Context(), chunks, s.Files, plan.Size{Width: 640, Height: 400}, 3, &raw))
	require.Equal(t, 3*640*400*3/2, raw.Len())

	// The corner is black. 20 rows below is the background, pure green in BT.709.
	one := raw.Bytes()[:640*400*3/2]
	require.Equal(t, []byte{16, 128, 128}, []byte{one[0], one[640*400], one[640*400*5/4]})
	require.Equal(t, []byte{173, 42, 26}, []byte{one[640*20], one[640*400+320*10], one[640*400*5/4+320*10]})
	require.Equal(t, raw.Bytes()[640*400*3/2:640*400*3], raw.Bytes()[640*400*3:], "the source has two frames; the third repeats the second")

	require.Error(t, s.Engine.Paint(t.Context(), chunks, probe.Sources{}, rendering.Small().Frame, 1, &raw))

	_, err = plan.Reel(v, rendering.Plain(), s.Sources, settings, 4_000, 1)
	require.ErrorIs(t, err, plan.ErrEmpty)
}

// The render waits for decoders while they skip frames, but not when they hang.
func TestComposeWaitsForDecoders(t *testing.T) {
	t.Parallel()

	s := duet(t)
	plan := s.PlanLook(t, rendering.Plain(), rendering.Small(), pair(s))
	program := s.Engine.Tools.FFmpeg

	late := s.Beside(t)
	late.Engine.Tools.FFmpeg = rendering.Sluggish(t, program, "sleep 4")
	late.Engine.Limits.Stall = 3 * time.Second
	late.RenderPlan(t, plan)

	hung := s.Beside(t)
	hung.Engine.Tools.FFmpeg = rendering.Sluggish(t, program, "sleep 600")
	hung.Engine.Limits.Begin = time.Second
	_, err := hung.Engine.Render(t.Context(), plan, hung.Files, hung.Cache, nil)
	require.ErrorIs(t, err, ffmpeg.ErrStalled)
}

// Joining chunks may be silent for long: it moves the index to the front after writing all frames.
func TestJoinMayBeSilent(t *testing.T) {
	t.Parallel()

	s := duet(t)
	ffmpeg := s.Engine.Tools.FFmpeg
	s.Engine.Tools.FFmpeg = filepath.Join(t.TempDir(), "ffmpeg")
	s.Engine.Limits.Stall = 2 * time.Second
	script := "#!/bin/sh\n" + ffmpeg + " \"$@\" || exit\ncase \"$*\" in *+faststart*) sleep 4;; esac\n"
	require.NoError(t, os.WriteFile(s.Engine.Tools.FFmpeg, []byte(script), 0o700))

	s.RenderPlan(t, s.PlanLook(t, rendering.Plain(), rendering.Small(), pair(s)))
}

// Room is the size of the pieces still to be made and the film.
func TestRoom(t *testing.T) {
	t.Parallel()

	s := duet(t)
	planned := s.PlanLook(t, rendering.Plain(), rendering.Small(), pair(s))
	before := encode.Room(planned, s.Cache)
	s.RenderPlan(t, planned)

	require.Positive(t, before)
	require.Equal(t, before/2, encode.Room(planned, s.Cache), "the pieces are cached")

	raw := plan.Plan{Granularity: plan.Raw, Files: []plan.File{{Bytes: 5_000}, {Bytes: 700}}}
	require.EqualValues(t, 5_700, encode.Room(raw, s.Cache))

	free, err := encode.FreeBytes(filepath.Join(s.Engine.Dir, "not", "made", "yet"))
	require.NoError(t, err)
	require.Positive(t, free)
}
