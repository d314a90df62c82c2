package films_test

import (
	"bytes"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/engine/still"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
	reel "github.com/reelgraph/reelgraph/test/testkit/footage"
	"github.com/reelgraph/reelgraph/test/testkit/rendering"
)

// resized is a recording with two seconds in each size, as browsers record a window that is being resized. Each part
// counts from zero.
func resized(t *testing.T, sizes ...plan.Size) string {
	t.Helper()

	dir := t.TempDir()

	var list strings.Builder

	list.WriteString("ffconcat version 1.0\n")

	for i, size := range sizes {
		name := fmt.Sprintf("%d.webm", i)
		fmt.Fprintf(&list, "file %s\n", name)

		film := reel.Film{Frames: 60, Width: size.Width, Height: size.Height, Encoder: []string{"-c:v", "libvpx", "-deadline", "realtime", "-b:v", "4M"}}
		require.NoError(t, reel.Counter(t.Context(), filepath.Join(dir, name), film))
	}

	require.NoError(t, os.WriteFile(filepath.Join(dir, "list"), []byte(list.String()), 0o600))

	path := filepath.Join(dir, "resized.webm")
	require.NoError(t, rendering.Tools(t).Run(t.Context(), ffmpeg.Command{
		Args: []string{"-f", "concat", "-i", filepath.Join(dir, "list"), "-c", "copy", path},
	}))

	return path
}

// A recording may change its size at any time, even to odd sides. Every picture is shown at its time, in the first size
// of the recording, when passed through, composed or shown as a still.
func TestRenderWhenTheSizeChanges(t *testing.T) {
	t.Parallel()

	s := rendering.New(t)
	info := s.Add(t, "su_a", resized(t, plan.Size{Width: 320, Height: 180}, plan.Size{Width: 500, Height: 405}, plan.Size{Width: 161, Height: 90}))
	require.Equal(t, [2]int{320, 180}, [2]int{info.Video.Width, info.Video.Height})

	clip := s.Clip("su_a", values.SpanOf(1_000, 1_500))
	clip.Cuts = append(clip.Cuts, values.SpanOf(5_500, info.DurationMs-5_500))

	for _, fps := range []int64{30, 60} { // at 60 fps pictures are scaled before they are repeated
		want := expected([]shown{{0, 1_000}, {2_500, 5_500}}, fps, big.NewRat(1, 1), big.NewRat(30, 1), 179)
		for i := range want {
			want[i] %= 60
		}

		settings := rendering.Small()
		settings.FPS = fps
		composed := s.PlanLook(t, rendering.Plain(), settings, clip)
		require.Equal(t, plan.LaneCompose, composed.Outputs[0].Chunks[0].Lane)

		for name, plan := range map[string]plan.Plan{"passed through": s.Plan(t, settings, clip), "composed": composed} {
			t.Run(fmt.Sprint(name, " at ", fps), func(t *testing.T) {
				t.Parallel()

				result := s.Beside(t).RenderPlan(t, plan)
				requireFrames(t, result.Path, want, fps)
			})
		}
	}

	r, err := probe.Open(t.Context(), s.Engine.Tools, s.Files["su_a"])
	require.NoError(t, err)

	var together, alone bytes.Buffer

	// Seconds of all three sizes. Each part begins anew, and the film runs through all of them.
	of := plan.Sample{Frames: 6, FPS: 1, Frame: plan.Size{Width: 160, Height: 90}}
	require.NoError(t, still.Film(t.Context(), s.Engine.Runner(), r, of, &together))

	var each []plan.Sample
	for i := range int64(6) {
		each = append(each, plan.Sample{FromUs: i * 1_000_000, Frames: 1, FPS: 1, Frame: of.Frame})
	}

	require.NoError(t, still.Stills(t.Context(), s.Engine.Runner(), r, each, &alone))
	require.Len(t, alone.Bytes(), 6*still.FrameBytes(of.Frame))

	// Decoding that starts at a later key frame has that size from the beginning.
	frames := slices.Collect(slices.Chunk(together.Bytes(), still.FrameBytes(of.Frame)))
	for i, still := range slices.Collect(slices.Chunk(alone.Bytes(), still.FrameBytes(of.Frame))) {
		require.True(t, bytes.Equal(frames[i], still), "second %d", i)
	}
}

// A rotation in the picture data is ignored when the headers have none. FFmpeg finds it only in key frames; players
// ignore it, and so does the product.
func TestOnlyHeadersTurn(t *testing.T) {
	t.Parallel()

	plain := rendering.Counter(t, reel.Film{Frames: 30, Width: 320, Height: 180}, "plain.mp4")
	path := plain + ".turned.mp4"
	require.NoError(t, rendering.Tools(t).Run(t.Context(), ffmpeg.Command{
		Args: []string{"-i", plain, "-c", "copy", "-bsf:v", "h264_metadata=display_orientation=insert:rotate=90", path},
	}))

	info := rendering.Probe(t, path, probe.KindVideo)
	require.False(t, info.Video.Turned)
	require.Equal(t, [2]int{320, 180}, [2]int{info.Video.Width, info.Video.Height})
}
