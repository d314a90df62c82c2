package media_test

import (
	"bytes"
	"fmt"
	"math/big"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/media"
	"github.com/reelgraph/reelgraph/internal/render"
	reel "github.com/reelgraph/reelgraph/internal/testkit/footage"
	"github.com/reelgraph/reelgraph/internal/timeline"
)

// What one decoder shows of several takes is, to the byte, what decoders of their own show of each: at every speed,
// of pictures at regular times and of such that come seldom, past the end, and with takes that nearly touch.
func TestTakesOfOneDecoder(t *testing.T) {
	t.Parallel()

	in := render.Input{Size: render.Size{Width: 32, Height: 18}, Colour: render.Colour{Matrix: "bt601"}}

	for name, film := range map[string]reel.Film{
		"regular": {},
		"seldom":  {FPS: 25, Keep: func(n int) bool { return n%17 == 0 }},
	} {
		path := counter(t, film, "a.mp4")

		decode := func(t *testing.T, frames int64, speed timeline.Speed, fps int64, takes ...render.Take) []byte {
			t.Helper()

			var out bytes.Buffer

			require.NoError(t, tools(t).Run(t.Context(), media.Command{Stdout: &out, Args: []string{
				"-filter_threads", "1", "-copyts", "-threads", "1", "-i", path, "-vf", in.Filter(takes, fps, speed, 0),
				"-frames:v", strconv.FormatInt(frames, 10), "-fps_mode", "passthrough", "-f", "rawvideo", "pipe:1",
			}}))

			return out.Bytes()
		}

		for i, speed := range timeline.Speeds() {
			t.Run(fmt.Sprint(name, " at ", speed), func(t *testing.T) {
				t.Parallel()

				dice := rand.New(rand.NewPCG(uint64(i), 7))
				rate := timeline.Rate{FPS: 30 << dice.IntN(2), Speed: speed}

				var (
					takes []render.Take
					alone []byte
					total int64
					at    int64 // where the next take may begin
				)

				for range 5 {
					take := render.Take{FromUs: at + dice.Int64N(2)*dice.Int64N(2_500_000), Skip: dice.Int64N(2) * dice.Int64N(rate.Beat()), Frames: 1 + dice.Int64N(40)}
					takes = append(takes, take)
					alone = append(alone, decode(t, take.Frames, speed, rate.FPS, take)...)
					total += take.Frames
					at = take.FromUs + rate.PlayUs(take.Skip+take.Frames)
				}

				require.Len(t, alone, int(total)*media.FrameBytes(in.Size))
				require.True(t, bytes.Equal(alone, decode(t, total, speed, rate.FPS, takes...)), "%+v", takes)
			})
		}
	}
}

// cutOften is a composed film of a recording of 50 s, out of which half a second is cut every two: more takes than one
// decoder delivers.
func cutOften(t *testing.T) (*studio, render.Plan, []shown) {
	t.Helper()

	s := newStudio(t)
	s.frame = render.Size{}
	s.add(t, "su_a", counter(t, reel.Film{Frames: 1_500, Encoder: append(bt709("libx264"), "-g", "90")}, "a.mp4"))

	var (
		cuts  []timeline.Span
		parts []shown
		at    int64
	)

	for from := int64(1_500); from < 50_000; from += 2_000 {
		cuts = append(cuts, timeline.SpanOf(from, 500))
		parts = append(parts, shown{at, from})
		at = from + 500
	}

	clip := s.clip("su_a", cuts...)
	clip.LengthMs = 50_000

	plan := s.planLook(t, plain(), small(), clip)
	require.Equal(t, render.LaneCompose, plan.Outputs[0].Chunks[0].Lane)

	return s, plan, parts
}

// Where a decoder has delivered as many takes as it does, another one goes on, with the frame that is next.
func TestRenderMoreTakesThanOneDecoderDelivers(t *testing.T) {
	t.Parallel()

	s, plan, parts := cutOften(t)

	var drawn [][][]byte

	for _, workers := range []int{1, 3} {
		one := s.beside(t)
		one.engine.Workers = workers
		requireFrames(t, one.renderPlan(t, plan).Path, expected(parts, 30, big.NewRat(1, 1), big.NewRat(30, 1), 1_499), 30)
		drawn = append(drawn, one.chunks(t, plan))
	}

	require.Equal(t, drawn[0], drawn[1], "with one worker and with three")
}

// A decoder that comes to a stop in the middle of what it delivers to several chunks is begun anew where it stopped.
func TestRenderAfterADecoderStopped(t *testing.T) {
	t.Parallel()

	s, plan, parts := cutOften(t)
	once := filepath.Join(t.TempDir(), "once")
	size := plan.Outputs[0].Chunks[0].Scene.Inputs[0].Size

	// The first decoder delivers two chunks and a half.
	most := 5 * plan.Outputs[0].Chunks[0].Frames / 2 * int64(media.FrameBytes(size))
	s.engine.Tools.FFmpeg = before(t, s.engine.Tools.FFmpeg, fmt.Sprintf(
		`case "$*" in *'rawvideo pipe:1') if mkdir '%s' 2>/dev/null; then %s "$@" | (head -c %d; sleep 600); exit; fi;; esac`,
		once, s.engine.Tools.FFmpeg, most))
	s.engine.Workers = 1
	s.engine.Limits.Stall = 2 * time.Second

	requireFrames(t, s.renderPlan(t, plan).Path, expected(parts, 30, big.NewRat(1, 1), big.NewRat(30, 1), 1_499), 30)
	require.DirExists(t, once)
}
