package films_test

import (
	"bytes"
	"fmt"
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
	reel "github.com/reelgraph/reelgraph/test/testkit/footage"
	"github.com/reelgraph/reelgraph/test/testkit/rendering"
)

// shown is a part of a source that is kept, in milliseconds of recording time.
type shown struct{ from, to int64 }

// expected computes, independently and with rational numbers, the index that each output frame must show: the source
// frame that has begun, within 1.01 ms, when the output frame begins.
func expected(parts []shown, outFPS int64, speed *big.Rat, sourceFPS *big.Rat, last int) []int {
	ms := func(n int64) *big.Rat { return big.NewRat(n, 1000) }

	var length int64
	for _, p := range parts {
		length += p.to - p.from
	}

	// frames = round(length·fps/speed)
	exact := new(big.Rat).Quo(new(big.Rat).Mul(ms(length), big.NewRat(outFPS, 1)), speed)
	frames := floor(exact.Add(exact, big.NewRat(1, 2)))

	var indices []int

	for n := range frames {
		at := new(big.Rat).Mul(big.NewRat(n, outFPS), speed)

		for _, p := range parts {
			if at.Cmp(ms(p.to-p.from)) < 0 {
				at.Add(at, new(big.Rat).Add(ms(p.from), big.NewRat(101, 100_000)))

				break
			}

			at.Sub(at, ms(p.to-p.from))
		}

		indices = append(indices, min(int(floor(at.Mul(at, sourceFPS))), last))
	}

	return indices
}

func floor(r *big.Rat) int64 { return new(big.Int).Quo(r.Num(), r.Denom()).Int64() }

// requireFrames requires the expected index in every frame, and frames at regular times.
func requireFrames(t *testing.T, path string, want []int, fps int64) {
	t.Helper()

	got, err := reel.Indices(t.Context(), path, reel.Window{})
	require.NoError(t, err)
	require.Len(t, got, len(want))

	for n := range want {
		require.Equal(t, want[n], got[n], "output frame %d", n)
	}

	times, err := reel.FrameTimes(t.Context(), path)
	require.NoError(t, err)
	require.Len(t, times, len(want))

	for n, at := range times {
		require.InDelta(t, float64(n)/float64(fps), at, 1e-6, "output frame %d", n)
	}
}

// durations returns the durations of the file and its streams as ffprobe reports them.
func durations(t *testing.T, path string) string {
	t.Helper()

	var out bytes.Buffer

	found := rendering.Tools(t)
	require.NoError(t, found.Run(t.Context(), ffmpeg.Command{
		Program: found.FFprobe, Stdout: &out,
		Args: []string{"-show_entries", "stream=codec_name,duration:format=duration", "-of", "csv=p=0", path},
	}))

	return strings.Join(strings.Fields(out.String()), " ")
}

func TestRenderCuts(t *testing.T) {
	t.Parallel()

	s := rendering.New(t)
	s.Add(t, "su_a", rendering.Counter(t, reel.Film{Frames: 900, Tone: 440}, "a.mp4"))
	result := s.Render(t, rendering.Wide(), s.Clip("su_a", values.SpanOf(5_000, 5_000), values.SpanOf(15_000, 2_500)))

	want := expected([]shown{{0, 5_000}, {10_000, 15_000}, {17_500, 30_000}}, 30, big.NewRat(1, 1), big.NewRat(30, 1), 899)
	require.Len(t, want, 675)
	require.Equal(t, []int{0, 149, 300, 449, 525, 899}, []int{want[0], want[149], want[150], want[299], want[300], want[674]})
	requireFrames(t, result.Path, want, 30)
	require.Equal(t, int64(22_500), result.DurationMs)
	require.Equal(t, "h264,22.500000 aac,22.500000 22.500000", durations(t, result.Path))
}

// Pieces between cuts may be only a frame or two, at the start, at the end or between longer pieces: too few for an
// encoder to reorder.
func TestRenderOfSingleFrames(t *testing.T) {
	t.Parallel()

	s := rendering.New(t)
	s.Add(t, "su_a", rendering.Counter(t, reel.Film{Frames: 60, Tone: 440}, "a.mp4"))

	cuts := []values.Span{
		values.SpanOf(34, 366), values.SpanOf(800, 100), values.SpanOf(934, 66), values.SpanOf(1_067, 133),
		values.SpanOf(1_500, 466),
	}
	left := []shown{{0, 34}, {400, 800}, {900, 934}, {1_000, 1_067}, {1_200, 1_500}, {1_966, 2_000}}
	result := s.Render(t, rendering.Wide(), s.Clip("su_a", cuts...))

	requireFrames(t, result.Path, expected(left, 30, big.NewRat(1, 1), big.NewRat(30, 1), 59), 30)
}

// Every speed, both rates, sources of several rates, several clips, one to four workers.
func TestRenderFrames(t *testing.T) {
	t.Parallel()

	films := []struct {
		name  string
		film  reel.Film
		rate  *big.Rat
		total int
	}{
		{"thirty.mp4", reel.Film{Frames: 330}, big.NewRat(30, 1), 330},
		{"sixty.mp4", reel.Film{FPS: 60, Frames: 660}, big.NewRat(60, 1), 660},
		{"ntsc.mov", reel.Film{FPS: 30000, FPSDen: 1001, Frames: 330}, big.NewRat(30000, 1001), 330},
		{"pal.mkv", reel.Film{FPS: 25, Frames: 275}, big.NewRat(25, 1), 275},
	}
	all := rendering.New(t)

	for _, f := range films {
		all.Add(t, f.name, rendering.Counter(t, f.film, f.name))
	}

	for i, speed := range timeline.Speeds() {
		for j, fps := range []int64{30, 60} {
			f := films[(2*i+j)%len(films)]
			workers := 1 + (2*i+j)%4

			t.Run(fmt.Sprintf("%s at %v to %d fps", f.name, speed, fps), func(t *testing.T) {
				t.Parallel()

				s := all.Beside(t)
				s.Engine.Workers = workers

				settings := rendering.Wide()
				settings.FPS, settings.Speed = fps, speed
				first := s.Clip(f.name, values.SpanOf(1_000, 1_533), values.SpanOf(5_017, 250))
				second := s.Clip(f.name, values.SpanOf(0, 4_321), values.SpanOf(6_000, 90_000))
				result := s.Render(t, settings, first, second)

				requireFrames(t, result.Path, expected(
					[]shown{{0, 1_000}, {2_533, 5_017}, {5_267, first.LengthMs}, {4_321, 6_000}},
					fps, big.NewRat(speed.Num, speed.Den), f.rate, f.total-1), fps)
			})
		}
	}
}

// A screen recording has frames only when something changes.
func TestRenderVariableFrameRate(t *testing.T) {
	t.Parallel()

	for name, encoder := range map[string][]string{
		"still.mp4":  nil,
		"still.mkv":  nil,
		"still.webm": {"-c:v", "libvpx", "-b:v", "400k", "-deadline", "realtime", "-g", "60"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			keep := func(n int) bool { return n < 20 || n > 40 && n%3 == 0 && n < 100 || n == 333 || n == 334 }
			film := reel.Film{Frames: 360, Keep: keep, Encoder: encoder, Tone: 300}

			if strings.HasSuffix(name, ".webm") {
				film.Sound = []string{"-c:a", "libopus"}
			}

			s := rendering.New(t)
			s.Add(t, "su_a", rendering.Counter(t, film, name))
			clip := s.Clip("su_a", values.SpanOf(1_000, 1_100), values.SpanOf(7_000, 2_000))
			result := s.Render(t, rendering.Wide(), clip)

			want := expected([]shown{{0, 1_000}, {2_100, 7_000}, {9_000, clip.LengthMs}}, 30, big.NewRat(1, 1), big.NewRat(30, 1), 359)
			for i, n := range want {
				for !keep(n) {
					n--
				}

				want[i] = n
			}

			requireFrames(t, result.Path, want, 30)
		})
	}
}

// Formats without an index, and other codecs.
func TestRenderFormats(t *testing.T) {
	t.Parallel()

	for name, film := range map[string]reel.Film{
		"a.ts":   {Frames: 210, Tone: 300},
		"a.avi":  {Frames: 210, Tone: 300, Encoder: []string{"-c:v", "mpeg4", "-q:v", "3"}, Sound: []string{"-c:a", "pcm_s16le"}},
		"a.flv":  {Frames: 210, Tone: 300},
		"a.webm": {Frames: 210, Tone: 300, Encoder: []string{"-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"}, Sound: []string{"-c:a", "libopus"}},
		"a.mov":  {Frames: 210, Tone: 300, Encoder: []string{"-c:v", "prores_ks", "-profile:v", "0"}, Sound: []string{"-c:a", "pcm_s16le"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			s := rendering.New(t)
			s.Engine.Workers = 1 // its decoder continues from chunk to chunk

			info := s.Add(t, "su_a", rendering.Counter(t, film, name))
			require.InDelta(t, 7_000, info.DurationMs, 60)

			clip := s.Clip("su_a", values.SpanOf(2_000, 1_000))
			clip.LengthMs = 7_000
			result := s.Render(t, rendering.Wide(), clip)
			requireFrames(t, result.Path, expected([]shown{{0, 2_000}, {3_000, 7_000}}, 30, big.NewRat(1, 1), big.NewRat(30, 1), 209), 30)
		})
	}
}

// A picture that ends before its clip holds its last frame, even for whole chunks.
func TestRenderHoldsTheLastFrame(t *testing.T) {
	t.Parallel()

	s := rendering.New(t)
	s.Engine.Workers = 1 // its decoder continues from chunk to chunk

	info := s.Add(t, "su_a", rendering.Counter(t, reel.Film{Frames: 60, Tone: 440}, "a.mp4"))

	// The recording continues after its picture and its sound.
	clip := s.Clip("su_a", values.SpanOf(3_000, 100))
	clip.LengthMs = info.DurationMs + 7_000
	result := s.Render(t, rendering.Wide(), clip)
	requireFrames(t, result.Path, expected([]shown{{0, 3_000}, {3_100, 9_000}}, 30, big.NewRat(1, 1), big.NewRat(30, 1), 59), 30)
}

// The last frame is also held in files without an index, long after the last picture, where seeking finds nothing to
// show. Sound that continues does not change that.
func TestRenderHoldsTheLastFrameWithoutIndex(t *testing.T) {
	t.Parallel()

	film := reel.Film{Frames: 500, FPS: 25}
	sung := film
	sung.Tone, sung.SoundMs = 440, 60_000

	for _, c := range []struct {
		name string
		film reel.Film
	}{{"a.ts", film}, {"sung.ts", sung}, {"a.flv", film}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()

			s := rendering.New(t)
			s.Add(t, "su_a", rendering.Counter(t, c.film, c.name))

			clip := s.Clip("su_a", values.SpanOf(20_000, 32_000))
			clip.LengthMs = 60_000
			result := s.Render(t, rendering.Wide(), clip)
			requireFrames(t, result.Path, expected([]shown{{0, 20_000}, {52_000, 60_000}}, 30, big.NewRat(1, 1), big.NewRat(25, 1), 499), 30)
		})
	}
}

// The real resolutions, letterboxed, and a recording with a rotated picture.
func TestRenderSizes(t *testing.T) {
	t.Parallel()

	wideFilm := rendering.Counter(t, reel.Film{Frames: 12, Width: 320, Height: 180}, "wide.mp4")
	upright := rendering.Turned(t, rendering.Counter(t, reel.Film{Frames: 12, Width: 320, Height: 180, Filter: "transpose=cclock"}, "lying.mp4"), 90)

	for _, c := range []struct {
		name       string
		path       string
		artboard   plan.Size
		resolution plan.Resolution
		fps        int64
		size       string
		window     reel.Window
	}{
		{"1080p", wideFilm, plan.Size{Width: 320, Height: 180}, plan.P1080, 60, "1920,1080", reel.Window{}},
		{"4k", wideFilm, plan.Size{Width: 320, Height: 180}, plan.UHD4K, 30, "3840,2160", reel.Window{}},
		{"square", wideFilm, plan.Size{Width: 500, Height: 500}, plan.P1080, 30, "1080,1080", reel.Window{Y: 236, Width: 1080, Height: 608}},
		{"turned", upright, plan.Size{Width: 320, Height: 180}, plan.P1080, 30, "1920,1080", reel.Window{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()

			s := rendering.New(t)
			s.Frame = plan.Size{}
			s.Add(t, "su_a", c.path)

			settings := plan.Settings{
				Granularity: plan.Story, Resolution: c.resolution, FPS: c.fps, Speed: timeline.Normal(), Artboard: c.artboard,
			}
			result := s.Render(t, settings, s.Clip("su_a"))

			var out bytes.Buffer

			found := rendering.Tools(t)
			require.NoError(t, found.Run(t.Context(), ffmpeg.Command{
				Program: found.FFprobe, Stdout: &out,
				Args: []string{
					"-select_streams", "v", "-show_entries",
					"stream=profile,width,height,sample_aspect_ratio,pix_fmt,color_range,color_space,color_transfer,color_primaries,r_frame_rate",
					"-of", "csv=p=0", result.Path,
				},
			}))
			require.Equal(t, fmt.Sprintf("High,%s,1:1,yuv420p,tv,bt709,bt709,bt709,%d/1", c.size, c.fps), strings.TrimSpace(out.String()))

			got, err := reel.Indices(t.Context(), result.Path, c.window)
			require.NoError(t, err)
			require.Equal(t, expected([]shown{{0, 400}}, c.fps, big.NewRat(1, 1), big.NewRat(30, 1), 11), got)

			head, err := os.ReadFile(result.Path)
			require.NoError(t, err)
			require.Less(t, bytes.Index(head, []byte("moov")), bytes.Index(head, []byte("mdat")), "the index must come first")
		})
	}
}
