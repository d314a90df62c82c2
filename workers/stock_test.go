package workers_test

import (
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/engine/stock"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/workers/housekeeping"
)

// TestStock: the catalog is created once, and an item again if its recipe changes. All workspaces share its files.
func TestStock(t *testing.T) {
	t.Parallel()

	s := newStudio(t)
	tune := stock.Tune{BPM: 240, Pad: 0.5, Chords: [][]int{{57, 60, 64}}}
	light := stock.Picture{Top: 0x102030, Bottom: 0x405060, Lights: []stock.Light{{X: 0.5, Y: 0.5, Size: 0.5, Colour: 0xffffff, Strength: 0.5, Orbit: 0.1, Turns: 1}}}
	items := []stock.Item{
		{ID: "dawn", Type: values.CatalogTypeBackground, Name: "Dawn", Colours: &values.Background{
			Type: values.BackgroundTypeGradient, GradientAngle: 90, GradientColor1: "#FF0000FF", GradientColor2: "#0000FFFF",
		}},
		{ID: "tune", Type: values.CatalogTypeMusic, Name: "Tune", Music: &tune},
		{ID: "loop", Type: values.CatalogTypeAnimatedBackground, Name: "Loop", Picture: &light, LoopMs: 500, FrameRate: 24},
	}

	deps := s.deps(s.store, s.topics)
	require.NoError(t, deps.Engine.Sweep())

	w := &housekeeping.Stock{Deps: deps, Items: items}
	stock := func() { require.NoError(t, w.Work(t.Context(), &river.Job[jobs.Stock]{})) }
	row := func(id string) (key string, ms int64, info probe.Info) {
		c := s.store.Client(s.system()).CatalogItem.GetX(s.system(), id)
		if c.Probe != nil {
			require.NoError(t, json.Unmarshal(c.Probe, &info))
			require.Len(t, c.Sha256, 64)
			require.Positive(t, c.Bytes)
		}

		return c.BlobKey, c.DurationMs, info
	}
	get := func(path string) (status int, kind string, size int) {
		answer, err := http.Get(s.book.BaseURL + path)
		require.NoError(t, err)

		defer answer.Body.Close()

		body, err := io.ReadAll(answer.Body)
		require.NoError(t, err)

		return answer.StatusCode, answer.Header.Get("Content-Type"), len(body)
	}

	stock()

	tuneKey, ms, info := row("tune")
	require.EqualValues(t, 1000, ms)
	require.NotNil(t, info.Audio)

	loopKey, ms, info := row("loop")
	require.EqualValues(t, 500, ms)
	require.EqualValues(t, 12, info.Video.Frames)

	none, _, _ := row("dawn")
	require.Empty(t, none)

	for path, want := range map[string]string{
		"/catalog/tune": "audio/flac", "/catalog/loop": "video/mp4", "/catalog/loop/preview": "image/jpeg", "/catalog/dawn/preview": "image/jpeg",
	} {
		status, kind, size := get(path)
		require.Equal(t, http.StatusOK, status, path)
		require.Equal(t, want, kind, path)
		require.Greater(t, size, 500, path)
	}

	for _, path := range []string{"/catalog/dawn", "/catalog/tune/preview", "/catalog/nothing"} {
		status, _, _ := get(path)
		require.NotEqual(t, http.StatusOK, status, path)
	}

	tune.Pad = 0.4

	stock()

	again, _, _ := row("loop")
	require.Equal(t, loopKey, again, "made once")

	changed, _, _ := row("tune")
	require.NotEqual(t, tuneKey, changed)

	_, err := s.blobs.Stat(t.Context(), tuneKey)
	require.Error(t, err, "unreferenced files are deleted")
}
