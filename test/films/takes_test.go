package films_test

import (
	"bytes"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/still"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
	reel "github.com/reelgraph/reelgraph/test/testkit/footage"
	"github.com/reelgraph/reelgraph/test/testkit/rendering"
)

// Several takes from one decoder equal, to the byte, takes from separate decoders: at every speed, with regular and
// sparse pictures, past the end, with adjacent or nearly adjacent takes, and for parts of the picture in several sizes.
func TestTakesOfOneDecoder(t *testing.T) {
	t.Parallel()

	sizes := []plan.Size{{Width: 32, Height: 18}, {Width: 64, Height: 36}, {Width: 160, Height: 90}}
	crops := []plan.Box{{}, {Size: plan.Size{Width: 80, Height: 44}, X: 40, Y: 20}}

	for name, c := range map[string]struct {
		film   reel.Film
		colour plan.Colour // so that both scaling filters are used
	}{
		"regular": {reel.Film{}, plan.Colour{Matrix: "bt601"}},
		"seldom": {
			reel.Film{FPS: 25, Keep: func(n int) bool { return n%17 == 0 }}, plan.Colour{Matrix: "bt709", PixelFormat: "yuv420p"},
		},
	} {
		path := rendering.Counter(t, c.film, "a.mp4")

		decode := func(t *testing.T, frames int64, speed timeline.Speed, fps int64, views ...plan.Input) []byte {
			t.Helper()

			return filtered(t, path, frames, plan.Filter(views, fps, speed, 0, false))
		}

		for i, speed := range timeline.Speeds() {
			t.Run(fmt.Sprint(name, " at ", speed), func(t *testing.T) {
				t.Parallel()

				dice := rand.New(rand.NewPCG(uint64(i), 7))
				rate := timeline.Rate{FPS: 30 << dice.IntN(2), Speed: speed}

				var (
					views  []plan.Input
					alone  []byte
					total  int64
					length int
					at     int64 // earliest start of the next take
				)

				in := plan.Input{Colour: c.colour}

				for range 6 {
					take := plan.Take{FromUs: at + dice.Int64N(2)*dice.Int64N(2_500_000), Skip: dice.Int64N(2) * dice.Int64N(rate.Beat()), Frames: 1 + dice.Int64N(40)}

					if len(views) == 0 || dice.IntN(2) == 0 {
						in.Size, in.Crop = sizes[dice.IntN(3)], crops[dice.IntN(2)]
					}

					in.Takes = []plan.Take{take}
					views = plan.Append(views, rate, in)
					alone = append(alone, decode(t, take.Frames, speed, rate.FPS, in)...)
					total += take.Frames
					length += int(take.Frames) * still.FrameBytes(in.Size)
					at = take.FromUs + rate.PlayUs(take.Skip+take.Frames)
				}

				require.Len(t, alone, length)
				require.True(t, bytes.Equal(alone, decode(t, total, speed, rate.FPS, views...)), "%+v", views)
			})
		}
	}
}

// filtered returns the raw pictures that leave a filter.
func filtered(t *testing.T, path string, frames int64, filter string) []byte {
	t.Helper()

	var out bytes.Buffer

	require.NoError(t, rendering.Tools(t).Run(t.Context(), ffmpeg.Command{Stdout: &out, Args: []string{
		"-filter_threads", "1", "-copyts", "-threads", "1", "-i", path, "-vf", filter,
		"-frames:v", strconv.FormatInt(frames, 10), "-fps_mode", "passthrough", "-f", "rawvideo", "pipe:1",
	}}))

	return out.Bytes()
}

// Pictures scaled before they are repeated equal, to the byte, those scaled after: in all color formats, at every
// speed, past the end, for one take or several, and passed through.
func TestPicturesAreScaledOnce(t *testing.T) {
	t.Parallel()

	const frames = 90

	decoded := plan.Size{Width: 160, Height: 90}

	for name, c := range map[string]struct {
		film  reel.Film
		file  string
		input plan.Input
	}{
		"zscale": {reel.Film{}, "a.mp4", plan.Input{Colour: plan.Colour{Matrix: "bt709", PixelFormat: "yuv420p"}}},
		"seldom": {
			reel.Film{Keep: func(n int) bool { return n%17 == 0 }},
			"a.mkv",
			plan.Input{Colour: plan.Colour{Matrix: "bt709", PixelFormat: "yuv420p"}, Decoded: decoded},
		},
		"alpha": {
			reel.Film{Encoder: []string{"-c:v", "png", "-pix_fmt", "rgba"}, Filter: "format=rgba,colorchannelmixer=aa=0.5"},
			"a.mov",
			plan.Input{Colour: plan.Colour{PixelFormat: "rgba"}, Alpha: true},
		},
		"full range": {
			reel.Film{Encoder: []string{"-c:v", "mjpeg", "-q:v", "2", "-pix_fmt", "yuvj420p"}},
			"a.mov",
			plan.Input{Colour: plan.Colour{Matrix: "bt601", Range: "pc", PixelFormat: "yuvj420p"}, Decoded: decoded},
		},
		"high dynamic range": {
			reel.Film{Encoder: []string{
				"-c:v", "libx264", "-pix_fmt", "yuv420p10le", "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc",
			}},
			"a.mp4",
			plan.Input{Colour: plan.Colour{Matrix: "bt2020", Transfer: "smpte2084", PixelFormat: "yuv420p10le"}, Decoded: decoded},
		},
	} {
		c.film.FPS, c.film.Frames = 15, 45
		path := rendering.Counter(t, c.film, c.file)

		c.input.Size, c.input.Crop = plan.Size{Width: 64, Height: 36}, plan.Box{Size: plan.Size{Width: 80, Height: 44}, X: 40, Y: 20}

		bytesOf := still.FrameBytes(c.input.Size)
		if c.input.Alpha {
			bytesOf += c.input.Size.Width * c.input.Size.Height
		}

		for _, speed := range timeline.Speeds() {
			t.Run(fmt.Sprint(name, " at ", speed), func(t *testing.T) {
				t.Parallel()

				once, cut := c.input, c.input
				once.Takes = []plan.Take{{FromUs: 500_000, Frames: frames}}
				cut.Takes = []plan.Take{{FromUs: 33_333, Skip: 1, Frames: frames / 2}, {FromUs: 2_000_000, Frames: frames / 2}}

				draw := plan.Draw{
					FromUs: 500_000, Frames: frames, FPS: 30, Speed: speed, Frame: decoded, Decoded: once.Decoded, Crop: once.Crop,
					Picture: plan.Box{Size: once.Size, X: 96}, Colour: once.Colour,
				}

				same := func(bytesOf int, filter func(repeated bool) string) {
					behind := filtered(t, path, frames, filter(false))
					require.Len(t, behind, frames*bytesOf)
					require.NotEqual(t, filter(false), filter(true))
					require.True(t, bytes.Equal(behind, filtered(t, path, frames, filter(true))), filter(true))
				}

				same(bytesOf, func(repeated bool) string { return plan.Filter([]plan.Input{once}, 30, speed, 0, repeated) })
				same(bytesOf, func(repeated bool) string { return plan.Filter([]plan.Input{cut}, 30, speed, 0, repeated) })
				same(still.FrameBytes(decoded), func(repeated bool) string { return draw.Filter(0, repeated) })
			})
		}
	}
}

// cutOften is a composed film of a 50 s recording with half a second cut out every two seconds: more takes than one
// decoder delivers.
func cutOften(t *testing.T) (*rendering.Studio, plan.Plan, []shown) {
	t.Helper()

	s := rendering.New(t)
	s.Frame = plan.Size{}
	s.Add(t, "su_a", rendering.Counter(t, reel.Film{Frames: 1_500, Encoder: append(bt709("libx264"), "-g", "90")}, "a.mp4"))

	var (
		cuts  []values.Span
		parts []shown
		at    int64
	)

	for from := int64(1_500); from < 50_000; from += 2_000 {
		cuts = append(cuts, values.SpanOf(from, 500))
		parts = append(parts, shown{at, from})
		at = from + 500
	}

	clip := s.Clip("su_a", cuts...)
	clip.LengthMs = 50_000

	planned := s.PlanLook(t, rendering.Plain(), rendering.Tiny(), clip)
	require.Equal(t, plan.LaneCompose, planned.Outputs[0].Chunks[0].Lane)

	return s, planned, parts
}

// When a decoder has delivered its maximum number of takes, another continues with the next frame.
func TestRenderMoreTakesThanOneDecoderDelivers(t *testing.T) {
	t.Parallel()

	s, plan, parts := cutOften(t)

	var drawn [][][]byte

	for _, workers := range []int{1, 3} {
		one := s.Beside(t)
		one.Engine.Workers = workers
		requireFrames(t, one.RenderPlan(t, plan).Path, expected(parts, 30, big.NewRat(1, 1), big.NewRat(30, 1), 1_499), 30)
		drawn = append(drawn, one.Chunks(t, plan))
	}

	require.Equal(t, drawn[0], drawn[1], "with one worker and with three")
}

// A decoder continues into and out of zooms although the picture size changes there. Three workers, each starting
// elsewhere, draw the same bytes.
func TestRenderZoomsGoOn(t *testing.T) {
	t.Parallel()

	s := rendering.New(t)
	s.Add(t, "su_a", rendering.Counter(t, reel.Film{Width: 640, Height: 360, Frames: 400, Encoder: append(bt709("libx264"), "-g", "90")}, "a.mp4"))

	var zooms []values.ShownEffect
	for from := int64(2_000); from < 12_000; from += 4_000 {
		zooms = append(zooms, values.ShownEffect{
			Kind: values.EffectKindZoom, StartMs: from, EndMs: from + 2_000, Params: values.EffectParams{Zoom: &values.ZoomParams{
				Type: values.ZoomTypeManualZoom, Scale: 2, Focus: &values.Point{XPct: 40, YPct: 45},
			}},
		})
	}

	planned := s.PlanLook(t, rendering.Plain(zooms...), rendering.Tiny(), s.Clip("su_a"))
	sizes := map[plan.Size]bool{}

	for _, c := range planned.Outputs[0].Chunks {
		sizes[c.Scene.Inputs[0].Size] = true
	}

	require.Len(t, sizes, 2, "inside and outside a zoom")

	var drawn [][][]byte

	for _, workers := range []int{1, 3} {
		one := s.Beside(t)
		starts := filepath.Join(t.TempDir(), "starts")
		one.Engine.Tools.FFmpeg = rendering.Before(t, s.Engine.Tools.FFmpeg, fmt.Sprintf(
			`case "$*" in *'rawvideo pipe:1') echo >> '%s';; esac`, starts))
		one.Engine.Workers = workers
		one.RenderPlan(t, planned)
		drawn = append(drawn, one.Chunks(t, planned))

		lines, err := os.ReadFile(starts)
		require.NoError(t, err)

		if workers == 1 {
			// A zoom and its surroundings are separate views; one decoder has at most four.
			require.Len(t, lines, 2, "decoders of seven views")
		} else {
			require.Greater(t, len(lines), 2, "others began elsewhere")
		}
	}

	require.Equal(t, drawn[0], drawn[1], "with one worker and with three")
}

// A decoder that stops while it serves several chunks is restarted where it stopped.
func TestRenderAfterADecoderStopped(t *testing.T) {
	t.Parallel()

	s, plan, parts := cutOften(t)
	once := filepath.Join(t.TempDir(), "once")
	size := plan.Outputs[0].Chunks[0].Scene.Inputs[0].Size

	// The first decoder delivers two and a half chunks.
	most := 5 * plan.Outputs[0].Chunks[0].Frames / 2 * int64(still.FrameBytes(size))
	s.Engine.Tools.FFmpeg = rendering.Before(t, s.Engine.Tools.FFmpeg, fmt.Sprintf(
		`case "$*" in *'rawvideo pipe:1') if mkdir '%s' 2>/dev/null; then %s "$@" | (head -c %d; sleep 600); exit; fi;; esac`,
		once, s.Engine.Tools.FFmpeg, most))
	s.Engine.Workers = 1
	s.Engine.Limits.Stall = 2 * time.Second

	requireFrames(t, s.RenderPlan(t, plan).Path, expected(parts, 30, big.NewRat(1, 1), big.NewRat(30, 1), 1_499), 30)
	require.DirExists(t, once)
}
