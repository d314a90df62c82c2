package media_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

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
