package films_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
	reel "github.com/reelgraph/reelgraph/test/testkit/footage"
	"github.com/reelgraph/reelgraph/test/testkit/rendering"
)

// A camera that began before or after the screen shows the right frame at each moment: its first frame before it began
// and its last one after it ended, across cuts and in both lanes.
func TestRenderOffsetsOfTheCamera(t *testing.T) {
	t.Parallel()

	made := rendering.New(t)
	made.Frame = plan.Size{}
	made.Add(t, "su_screen", rendering.Counter(t, reel.Film{Frames: 180}, "screen.mp4"))

	for _, name := range []string{"camera.mp4", "camera.mkv"} {
		made.Add(t, "su_"+name, rendering.Counter(t, reel.Film{Frames: 150}, name))
	}

	bubble := *rendering.Plain().Clips[0].Base
	alone := values.LayoutShape{Kind: values.LayoutKindCameraOnly, Style: new(values.LayoutStyleFullscreen)}
	places := plan.Arrange(bubble, plan.Stage{
		Frame: rendering.Small().Frame, Screen: plan.Size{Width: 160, Height: 90}, Camera: plan.Size{Width: 160, Height: 90},
		Corners: values.CornersNone,
	})

	for _, one := range []struct {
		camera   string
		offsetMs int
		shape    values.LayoutShape
	}{
		{"su_camera.mp4", -2_500, bubble},
		{"su_camera.mkv", -100, alone},
		{"su_camera.mkv", 100, alone},
		{"su_camera.mkv", 1_500, bubble},
		{"su_camera.mp4", 4_000, alone},
	} {
		t.Run(fmt.Sprint(one.camera, one.offsetMs), func(t *testing.T) {
			t.Parallel()

			s := made.Beside(t)
			clip := s.Clip("su_screen", values.SpanOf(2_000, 1_000))
			clip.Camera, clip.CameraOffsetMs, clip.LengthMs = one.camera, int64(one.offsetMs), 6_000

			look := rendering.Plain()
			look.Clips[0].Base = &one.shape
			plan := s.PlanLook(t, look, rendering.Small(), clip)
			composed := one.shape == bubble
			require.Equal(t, composed, plan.Outputs[0].Chunks[0].Scene != nil)

			result := s.RenderPlan(t, plan)

			var cameras []int

			for n := range 150 {
				if n >= 60 { // after the cut
					n += 30
				}

				cameras = append(cameras, min(max(n-one.offsetMs*30/1_000, 0), 149))
			}

			if composed {
				requireRange(t, result.Path, window(places[1]), cameras, 0, 150)
			} else {
				requireFrames(t, result.Path, cameras, 30)
			}
		})
	}
}

// The same holds for a separate sound: what comes before the screen begins is not heard, and before the sound begins
// there is silence.
func TestRenderOffsetsOfSounds(t *testing.T) {
	t.Parallel()

	s := rendering.New(t)
	s.Add(t, "su_screen", rendering.Counter(t, reel.Film{Frames: 120}, "screen.mp4"))
	s.AddAs(t, "su_sound", rendering.Counter(t, reel.Film{Frames: 60, Tone: 440, SoundMs: 1_400}, "sound.mkv"), probe.KindAudio)

	for _, one := range []struct {
		offset int64
		cuts   []values.Span
		want   string // one letter for each quarter of a second
	}{
		{0, nil, "xxxxxx.........."},
		{-750, nil, "xxx............."},
		{1_250, nil, ".....xxxxxx....."},
		{3_500, nil, "..............xx"},
		{1_250, []values.Span{values.SpanOf(500, 250), values.SpanOf(2_000, 250)}, "....xxxxx....."},
		{-60_000, nil, "................"},
	} {
		clip := s.Clip("su_screen", one.cuts...)
		clip.LengthMs = 4_000
		clip.Sounds = []timeline.Sound{{Source: "su_sound", OffsetMs: one.offset, Volume: 1}}

		var heard strings.Builder
		for _, level := range rendering.RMS(t, s.Render(t, rendering.Wide(), clip).Path, 250) {
			fmt.Fprint(&heard, map[bool]string{true: "x", false: "."}[level > 0.01])
		}

		require.Equal(t, one.want, heard.String(), "a sound that begins after %d ms", one.offset)
	}
}
