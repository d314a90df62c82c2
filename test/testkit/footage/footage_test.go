package footage_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/test/testkit/footage"
)

func TestCounter(t *testing.T) {
	t.Parallel()

	for name, c := range map[string]struct {
		file string
		film footage.Film
	}{
		"mp4":   {"a.mp4", footage.Film{Frames: 400, Tone: 440}},
		"ntsc":  {"a.mov", footage.Film{Frames: 100, FPS: 30000, FPSDen: 1001}},
		"lossy": {"a.webm", footage.Film{Frames: 60, FPS: 60, Encoder: []string{"-c:v", "libvpx", "-b:v", "150k", "-deadline", "realtime"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			path := filepath.Join(t.TempDir(), c.file)
			require.NoError(t, footage.Counter(t.Context(), path, c.film))

			got, err := footage.Indices(t.Context(), path, footage.Window{})
			require.NoError(t, err)
			require.Len(t, got, c.film.Frames)

			for n, index := range got {
				require.Equal(t, n, index)
			}
		})
	}
}

func TestCounterWithGaps(t *testing.T) {
	t.Parallel()

	path := filepath.Join(t.TempDir(), "gaps.mkv")
	require.NoError(t, footage.Counter(t.Context(), path, footage.Film{
		Frames: 30, Keep: func(n int) bool { return n%7 < 2 },
	}))

	got, err := footage.Indices(t.Context(), path, footage.Window{})
	require.NoError(t, err)
	require.Equal(t, []int{0, 1, 7, 8, 14, 15, 21, 22, 28, 29}, got)

	times, err := footage.FrameTimes(t.Context(), path)
	require.NoError(t, err)
	require.InDelta(t, 7.0/30, times[2], 0.0006)
}

func TestIndicesReportsUnreadable(t *testing.T) {
	t.Parallel()

	path := filepath.Join(t.TempDir(), "black.mp4")
	require.NoError(t, footage.ClickAndFlash(t.Context(), path, footage.Film{Frames: 5, EventsMs: []int64{100}}))

	got, err := footage.Indices(t.Context(), path, footage.Window{})
	require.NoError(t, err)
	require.Equal(t, []int{-1, -1, -1, -1, -1}, got)
}

func TestClickAndFlash(t *testing.T) {
	t.Parallel()

	path := filepath.Join(t.TempDir(), "sync.mp4")
	events := []int64{500, 1200, 3000}
	require.NoError(t, footage.ClickAndFlash(t.Context(), path, footage.Film{Frames: 120, EventsMs: events}))

	flashes, err := footage.FlashesMs(t.Context(), path)
	require.NoError(t, err)
	clicks, err := footage.ClicksMs(t.Context(), path)
	require.NoError(t, err)
	require.Len(t, flashes, 3)
	require.Len(t, clicks, 3)

	for i, at := range events {
		require.InDelta(t, at, flashes[i], 0.1)
		require.InDelta(t, at, clicks[i], 1)
	}

	require.Error(t, footage.ClickAndFlash(t.Context(), path, footage.Film{EventsMs: []int64{10}}), "no frame begins at 10 ms")
}
