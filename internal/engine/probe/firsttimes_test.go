package probe_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	reel "github.com/reelgraph/reelgraph/test/testkit/footage"
	"github.com/reelgraph/reelgraph/test/testkit/rendering"
)

// The first times of a file are those of visible or audible packets, not those of an encoder's padding.
func TestFirstTimes(t *testing.T) {
	t.Parallel()

	tools := rendering.Tools(t)
	first := func(path, kind string) []float64 {
		info, err := probe.File(t.Context(), tools, path, kind)
		require.NoError(t, err)
		times, err := probe.FirstMs(t.Context(), tools, path, info)
		require.NoError(t, err)

		return times
	}

	film := rendering.Counter(t, reel.Film{Frames: 30, FPS: 25, Tone: 440}, "film.mp4")
	times := first(film, probe.KindVideo)
	require.Len(t, times, 30)

	for i, at := range times {
		require.InDelta(t, 40*i, at, 0.01)
	}

	sound := filepath.Join(t.TempDir(), "sound.m4a")
	require.NoError(t, tools.Run(t.Context(), ffmpeg.Command{Args: []string{"-i", film, "-vn", "-c:a", "aac", sound}}))
	require.Zero(t, first(sound, probe.KindAudio)[0])

	late := filepath.Join(t.TempDir(), "late.mkv")
	require.NoError(t, tools.Run(t.Context(), ffmpeg.Command{
		Args: []string{"-itsoffset", "0.5", "-i", film, "-i", film, "-map", "0:v", "-map", "1:a", "-c", "copy", late},
	}))
	require.InDelta(t, 510, first(late, probe.KindVideo)[0], 12, "the sound starts first, and time begins with it or its padding")

	events := filepath.Join(t.TempDir(), "mouse.jsonl")
	require.NoError(t, os.WriteFile(events, []byte(`{"timeMs":7,"xPct":1,"yPct":1,"type":"move"}
{"timeMs":40,"xPct":1,"yPct":1,"type":"click"}
`), 0o600))
	require.Equal(t, []float64{7, 40}, first(events, probe.KindMouse))
}
