package probe_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/test/testkit/rendering"
)

// TestProbeOddVideos probes rare but valid videos.
func TestProbeOddVideos(t *testing.T) {
	t.Parallel()

	t.Run("several tracks", func(t *testing.T) {
		t.Parallel()

		path := rendering.Make(t, "a.mkv", "-f", "lavfi", "-i", rendering.Picture, "-f", "lavfi", "-i", rendering.Sound,
			"-f", "lavfi", "-i", "testsrc2=size=640x360:rate=10:duration=3", "-f", "lavfi", "-i", "sine=frequency=880:sample_rate=44100:duration=3",
			"-map", "1", "-map", "0", "-map", "2", "-map", "3", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac")
		got := rendering.Probe(t, path, probe.KindVideo)
		require.Equal(t, [2]int{320, 180}, [2]int{got.Video.Width, got.Video.Height}, "the first track")
		require.EqualValues(t, 90, got.Video.Frames)
		require.Equal(t, 48000, got.Audio.SampleRate)
		require.InDelta(t, 3000, got.DurationMs, 90)
	})

	t.Run("full range", func(t *testing.T) {
		t.Parallel()

		path := rendering.Make(t, "a.mp4", "-f", "lavfi", "-i", rendering.Picture, "-vf", "scale=out_range=full", "-c:v", "libx264", "-preset", "ultrafast",
			"-pix_fmt", "yuv420p", "-color_range", "pc")
		got := rendering.Probe(t, path, probe.KindVideo)
		require.Equal(t, "pc", got.Video.ColorRange)
		require.EqualValues(t, 90, got.Video.Frames)
	})

	t.Run("one frame", func(t *testing.T) {
		t.Parallel()

		path := rendering.Make(t, "a.mp4", "-f", "lavfi", "-i", rendering.Picture, "-frames:v", "1", "-c:v", "libx264", "-preset", "ultrafast")
		got := rendering.Probe(t, path, probe.KindVideo)
		require.EqualValues(t, 1, got.Video.Frames)
		require.InDelta(t, 33, got.DurationMs, 1)
	})

	t.Run("three hours of black", func(t *testing.T) {
		t.Parallel()

		path := rendering.Make(t, "a.mp4", "-f", "lavfi", "-i", "color=black:size=64x36:rate=1:duration=10800",
			"-c:v", "libx264", "-preset", "ultrafast")
		got := rendering.Probe(t, path, probe.KindVideo)
		require.EqualValues(t, 10800, got.Video.Frames)
		require.InDelta(t, 10_800_000, got.DurationMs, 200)
		require.False(t, got.Video.VFR)
	})
}
