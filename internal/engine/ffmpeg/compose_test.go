package ffmpeg_test

import (
	"bytes"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
	reel "github.com/reelgraph/reelgraph/test/testkit/footage"
)

// small is an export whose pictures are quickly made. Its padding is 18.
func small() plan.Settings {
	s := wide()
	s.Frame = plan.Size{Width: 640, Height: 360}

	return s
}

// tiny is what is still read in an inset: where a test is about which frame is shown, and not about where.
func tiny() plan.Settings {
	s := wide()
	s.Frame = plan.Size{Width: 320, Height: 180}

	return s
}

// duet is a studio with a screen of 30 and a camera of 25 frames per second, both counting. The screen says in which
// colours it is, those of exports, and is scaled in another way than the camera, which does not.
func duet(t *testing.T) *studio {
	t.Helper()

	s := newStudio(t)
	s.frame = plan.Size{}
	s.add(t, "su_screen", counter(t, reel.Film{Frames: 150, Encoder: append(bt709("libx264"), "-g", "60")}, "screen.mp4"))
	s.add(t, "su_camera", counter(t, reel.Film{Frames: 125, FPS: 25}, "camera.mp4"))

	return s
}

// bt709 are the arguments of an encoder that says that its colours are those of exports.
func bt709(encoder string) []string {
	return []string{"-c:v", encoder, "-crf", "18", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"}
}

// A recording of a window may have any size, also one that colours of 2 × 2 pixels do not fit.
func TestOddSides(t *testing.T) {
	t.Parallel()

	s := newStudio(t)
	s.frame = plan.Size{Width: 160, Height: 90}

	odd := reel.Film{
		Frames: 30, Width: 321, Height: 181, Encoder: append(bt709("libvpx-vp9"), "-b:v", "0", "-deadline", "realtime"),
	}
	info := s.add(t, "su_odd", counter(t, odd, "odd.webm"))
	require.Equal(t, "bt709", info.Video.ColorSpace)
	require.Equal(t, [2]int{321, 181}, [2]int{info.Video.CodedWidth, info.Video.CodedHeight})

	result := s.render(t, wide(), s.clip("su_odd"))
	requireFrames(t, result.Path, expected([]shown{{0, 1_000}}, 30, big.NewRat(1, 1), big.NewRat(30, 1), 29), 30)
}

// pair is the clip of a duet, without the second from one to two.
func (s *studio) pair() timeline.Clip {
	c := s.clip("su_screen", values.SpanOf(1_000, 1_000))
	c.Camera = "su_camera"

	return c
}

// plain is a look without corners, so that all of a counter is seen, on a background that the
// passthrough lane cannot draw.
func plain(effects ...values.ShownEffect) values.Look {
	return values.Look{Clips: []values.ClipLook{{
		Background:  values.Background{Type: values.BackgroundTypeSolid, Color: "#00FF00FF"},
		BorderStyle: values.BorderStyleNone, Corners: values.CornersNone, Effects: effects,
		Base: &values.LayoutShape{
			Kind: values.LayoutKindCameraBubble, Position: new(values.LayoutPositionTopRight),
			Shape: new(values.CameraShapeLandscape), Size: new(values.LayoutSizeL),
		},
	}}}
}

func (s *studio) planLook(tb testing.TB, look values.Look, settings plan.Settings, clips ...timeline.Clip) plan.Plan {
	tb.Helper()

	var err error

	settings.Fonts, err = s.engine.Fonts()
	require.NoError(tb, err)

	plan, err := plan.Of(timeline.Video{Clips: clips}, look, s.sources, settings)
	require.NoError(tb, err)

	return plan
}

func window(p plan.Place) reel.Window {
	return reel.Window{X: p.Box.X, Y: p.Box.Y, Width: p.Box.Width, Height: p.Box.Height}
}

// Screen and camera show the right frame of their own rates at every output frame: over a cut, while a
// layout moves into another, at both rates and another speed. Equal scenes have equal bytes, drawn one
// after the other or four at a time.
func TestComposedFrames(t *testing.T) {
	t.Parallel()

	s := duet(t)
	split := values.LayoutShape{
		Kind: values.LayoutKindSideBySide, Position: new(values.LayoutPositionLeft), Style: new(values.LayoutStyleEven),
	}
	look := plain(values.ShownEffect{Kind: values.EffectKindLayout, StartMs: 3_000, EndMs: 5_000, Params: values.EffectParams{
		Layout: &values.LayoutParams{Shape: split, Intro: values.LayoutTransitionSpring},
	}})
	stage := plan.Stage{
		Frame: small().Frame, Screen: plan.Size{Width: 160, Height: 90}, Camera: plan.Size{Width: 160, Height: 90}, Corners: values.CornersNone,
	}
	bubble := plan.Arrange(*look.Clips[0].Base, stage)
	half := plan.Arrange(split, stage)

	for _, c := range []struct {
		fps     int64
		speed   timeline.Speed
		workers []int
	}{{30, timeline.Normal(), []int{1, 4}}, {60, timeline.Speed{Num: 3, Den: 2}, []int{2}}} {
		settings := small()
		settings.FPS, settings.Speed = c.fps, c.speed
		planned := s.planLook(t, look, settings, s.pair())

		for _, chunk := range planned.Outputs[0].Chunks {
			require.Equal(t, plan.LaneCompose, chunk.Lane)
		}

		var drawn [][][]byte

		for _, workers := range c.workers {
			one := s.beside(t)
			one.engine.Workers = workers
			result := one.renderPlan(t, planned)
			drawn = append(drawn, one.chunks(t, planned))

			// The layout stands from 2.6 s of playback time on.
			parts := []shown{{0, 1_000}, {2_000, 5_000}}
			ratio := big.NewRat(c.speed.Num, c.speed.Den)
			screen := expected(parts, c.fps, ratio, big.NewRat(30, 1), 149)
			camera := expected(parts, c.fps, ratio, big.NewRat(25, 1), 124)
			moves, stands := at(2_000, c.fps, c.speed), at(2_600, c.fps, c.speed)

			requireRange(t, result.Path, window(bubble[1]), camera, 0, moves)
			requireRange(t, result.Path, window(half[0]), screen, stands, len(screen))

			// Of the other half the camera fills, four ninths of its picture are seen: not its number.
			require.Equal(t, plan.RoleCamera, half[1].Role)
		}

		require.Equal(t, drawn[0], drawn[len(drawn)-1], "with one worker and with four")
	}
}

// at is the first output frame at or after a playback time.
func at(ms, fps int64, speed timeline.Speed) int {
	return int(timeline.Rate{FPS: fps, Speed: speed}.FirstAt(ms))
}

// requireRange demands the expected index of the frames from first to before end, in a part of the
// picture.
func requireRange(t *testing.T, path string, w reel.Window, want []int, first, end int) {
	t.Helper()

	got, err := reel.Indices(t.Context(), path, w)
	require.NoError(t, err)
	require.Len(t, got, len(want))
	require.Equal(t, want[first:end], got[first:end], "in %+v", w)
}

// chunks are the bytes of a plan's chunks, in their order.
func (s *studio) chunks(t *testing.T, plan plan.Plan) [][]byte {
	t.Helper()

	var all [][]byte

	for _, c := range plan.Outputs[0].Chunks {
		b, err := os.ReadFile(filepath.Join(s.cache.Dir, c.Key+".mp4"))
		require.NoError(t, err)

		all = append(all, b)
	}

	return all
}

// Chunks of both lanes are joined into one stream, whose every frame decodes; a film laid over another
// holds its last frame.
func TestLanesJoin(t *testing.T) {
	t.Parallel()

	s := duet(t)
	s.add(t, "su_short", counter(t, reel.Film{Frames: 30}, "short.mp4"))

	look := plain(values.ShownEffect{
		Kind: values.EffectKindMediaOverlay, StartMs: 2_000, EndMs: 4_500, SourceID: "su_short", Params: values.EffectParams{
			Overlay: &values.OverlayParams{Point: values.Point{XPct: 50, YPct: 50}, Dimensions: values.Size{Width: 480, Height: 270}},
		},
	})
	look.Clips[0].Base = &values.LayoutShape{Kind: values.LayoutKindScreenOnly}
	planned := s.planLook(t, look, small(), s.clip("su_screen"))

	lanes := map[plan.Lane]int{}
	for _, c := range planned.Outputs[0].Chunks {
		lanes[c.Lane]++
	}

	require.Equal(t, map[plan.Lane]int{plan.LanePassthrough: 1, plan.LaneCompose: 1}, lanes, "what is left of a second is not a chunk")

	result := s.renderPlan(t, planned)
	overlay := make([]int, 150)

	for n := range 75 {
		overlay[60+n] = min(n, 29)
	}

	requireRange(t, result.Path, reel.Window{X: 320, Y: 180, Width: 160, Height: 90}, overlay, 60, 135)
}

// Pictures of a video are the frames that an export shows, from any time on.
func TestPaint(t *testing.T) {
	t.Parallel()

	s := duet(t)
	settings := small()
	settings.FPS = 10
	v := timeline.Video{Clips: []timeline.Clip{s.pair()}}

	chunks, err := plan.Reel(v, plain(), s.sources, settings, 950, 2)
	require.NoError(t, err)
	require.Len(t, chunks, 2, "a cut is between the two")
	require.Equal(t, int64(950_000), chunks[0].Scene.Inputs[0].Takes[0].FromUs)
	require.Equal(t, int64(2_050_000), chunks[1].Scene.Inputs[0].Takes[0].FromUs)

	var raw bytes.Buffer

	require.NoError(t, s.engine.Paint(t.Context(), chunks, s.files, plan.Size{Width: 640, Height: 400}, 3, &raw))
	require.Equal(t, 3*640*400*3/2, raw.Len())

	// The corner is black; 20 rows below it is the background, pure green in BT.709.
	one := raw.Bytes()[:640*400*3/2]
	require.Equal(t, []byte{16, 128, 128}, []byte{one[0], one[640*400], one[640*400*5/4]})
	require.Equal(t, []byte{173, 42, 26}, []byte{one[640*20], one[640*400+320*10], one[640*400*5/4+320*10]})
	require.Equal(t, raw.Bytes()[640*400*3/2:640*400*3], raw.Bytes()[640*400*3:], "there are two, the third is the second again")

	require.Error(t, s.engine.Paint(t.Context(), chunks, ffmpeg.Sources{}, small().Frame, 1, &raw))

	_, err = plan.Reel(v, plain(), s.sources, settings, 4_000, 1)
	require.ErrorIs(t, err, plan.ErrEmpty)
}

// sluggish is FFmpeg whose decoders of pictures do something else first.
func sluggish(t *testing.T, ffmpeg, first string) string {
	t.Helper()

	return before(t, ffmpeg, "case \"$*\" in *'rawvideo pipe:1') "+first+";; esac")
}

// before is FFmpeg that a line of shell goes before.
func before(t *testing.T, ffmpeg, line string) string {
	t.Helper()

	path := filepath.Join(t.TempDir(), "ffmpeg")
	script := "#!/bin/sh\n" + line + "\nexec " + ffmpeg + " \"$@\"\n"
	require.NoError(t, os.WriteFile(path, []byte(script), 0o700))

	return path
}

// Decoders are waited for while they decode what nobody sees, and not when they stand still.
func TestComposeWaitsForDecoders(t *testing.T) {
	t.Parallel()

	s := duet(t)
	plan := s.planLook(t, plain(), small(), s.pair())
	program := s.engine.Tools.FFmpeg

	late := s.beside(t)
	late.engine.Tools.FFmpeg = sluggish(t, program, "sleep 4")
	late.engine.Limits.Stall = 3 * time.Second
	late.renderPlan(t, plan)

	hung := s.beside(t)
	hung.engine.Tools.FFmpeg = sluggish(t, program, "sleep 600")
	hung.engine.Limits.Begin = time.Second
	_, err := hung.engine.Render(t.Context(), plan, hung.files, hung.cache, nil)
	require.ErrorIs(t, err, ffmpeg.ErrStalled)
}

// What joins the chunks may be silent for long: it moves the index to the front when all frames are written.
func TestJoinMayBeSilent(t *testing.T) {
	t.Parallel()

	s := duet(t)
	ffmpeg := s.engine.Tools.FFmpeg
	s.engine.Tools.FFmpeg = filepath.Join(t.TempDir(), "ffmpeg")
	s.engine.Limits.Stall = 2 * time.Second
	script := "#!/bin/sh\n" + ffmpeg + " \"$@\" || exit\ncase \"$*\" in *+faststart*) sleep 4;; esac\n"
	require.NoError(t, os.WriteFile(s.engine.Tools.FFmpeg, []byte(script), 0o700))

	s.renderPlan(t, s.planLook(t, plain(), small(), s.pair()))
}

// Room counts what is still to be made, and the film.
func TestRoom(t *testing.T) {
	t.Parallel()

	s := duet(t)
	planned := s.planLook(t, plain(), small(), s.pair())
	before := ffmpeg.Room(planned, s.cache)
	s.renderPlan(t, planned)

	require.Positive(t, before)
	require.Equal(t, before/2, ffmpeg.Room(planned, s.cache), "the pieces are there")

	raw := plan.Plan{Granularity: plan.Raw, Files: []plan.File{{Bytes: 5_000}, {Bytes: 700}}}
	require.EqualValues(t, 5_700, ffmpeg.Room(raw, s.cache))

	free, err := ffmpeg.FreeBytes(filepath.Join(s.engine.Dir, "not", "made", "yet"))
	require.NoError(t, err)
	require.Positive(t, free)
}
