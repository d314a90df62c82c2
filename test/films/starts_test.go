package films_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/engine/still"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	reel "github.com/reelgraph/reelgraph/test/testkit/footage"
	"github.com/reelgraph/reelgraph/test/testkit/rendering"
)

// countStarts returns the media programs, and a function that returns how many were started since its last call.
func countStarts(t *testing.T) (ffmpeg.Tools, func() int) {
	t.Helper()

	found, dir := rendering.Tools(t), t.TempDir()
	log := filepath.Join(dir, "started")
	counting := func(program string) string {
		script := filepath.Join(dir, filepath.Base(program))
		require.NoError(t, os.WriteFile(script, fmt.Appendf(nil, "#!/bin/sh\necho >>'%s'\nexec '%s' \"$@\"\n", log, program), 0o700))

		return script
	}

	return ffmpeg.Tools{FFmpeg: counting(found.FFmpeg), FFprobe: counting(found.FFprobe)}, func() int {
		lines, err := os.ReadFile(log)
		require.NoError(t, err)
		require.NoError(t, os.Remove(log))

		return len(lines)
	}
}

// Each program start costs 46 ms of processor time. docs/decisions/0082 lists the numbers below; changes must not raise
// them unnoticed.
func TestProgramStarts(t *testing.T) {
	t.Parallel()

	counted, started := countStarts(t)
	s := rendering.New(t)
	s.Engine.Tools = counted

	short := s.Add(t, "su_a", rendering.Counter(t, reel.Film{Frames: 120, Tone: 440}, "a.mp4"))
	require.Equal(t, 2, started(), "probe of a short recording")

	s.Add(t, "su_b", rendering.Counter(t, reel.Film{Frames: 120, Tone: 330}, "b.mp4"))
	started()

	s.Add(t, "su_long", rendering.Counter(t, reel.Film{Frames: 3600, Tone: 440}, "long.mp4"))
	require.Equal(t, 3, started(), "probe of a long recording")

	r, err := probe.Open(t.Context(), counted, probe.Source{Path: s.Files["su_a"].Path, Info: short})
	require.NoError(t, err)

	var raw bytes.Buffer

	size := plan.Size{Width: 160, Height: 90}
	jpg := still.Output{Path: filepath.Join(t.TempDir(), "a.jpg"), Format: "jpg", Size: size}
	one := plan.Sample{FromUs: 1_000_000, Frames: 1, FPS: 10, Frame: size}
	require.NoError(t, still.Film(t.Context(), s.Engine.Runner(), r, one, &raw))
	require.NoError(t, still.Encode(t.Context(), s.Engine.Runner(), still.RawFrames{Size: size, FPS: 10, Frames: &raw}, []still.Output{jpg}))
	require.Equal(t, 2, started(), "a still")

	require.NoError(t, still.Stills(t.Context(), s.Engine.Runner(), r, []plan.Sample{one, one, one, one, one, one, one, one, one, one}, &raw))
	require.Equal(t, 1, started(), "half of a storyboard")

	s.Render(t, rendering.Wide(), s.Clip("su_a"))
	require.Equal(t, 5, started(), "4 s of one recording")

	both := s.Clip("su_a")
	both.Camera = "su_b"
	both.Sounds = []timeline.Sound{{Source: "su_a", Volume: 1}, {Source: "su_b", Volume: 1}}
	s.Render(t, rendering.Wide(), both)
	require.Equal(t, 9, started(), "4 s of screen, camera and two sounds")
}
