package extract_test

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/blob"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/media"
	"github.com/reelgraph/reelgraph/internal/testkit"
	"github.com/reelgraph/reelgraph/internal/testkit/footage"
)

// What has arrived of a recording is shown, and what has not is a conflict until it has.
func TestAStoryboardOfWhatHasArrived(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	l.work()

	path := filepath.Join(t.TempDir(), "film.mp4")
	live := path + ".live.mp4"
	require.NoError(t, footage.Counter(t.Context(), path, footage.Film{Frames: 120}))
	require.NoError(t, l.deps.Engine.Tools.Run(t.Context(), media.Command{Args: []string{
		"-i", path, "-c", "copy", "-movflags", "empty_moov+default_base_moof+frag_keyframe", "-frag_duration", "500000", live,
	}}))
	film, err := os.ReadFile(live)
	require.NoError(t, err)
	key, err := blob.NewKey("sources", "")
	require.NoError(t, err)

	src := testkit.NewSource(t, l.Store, l.member, testkit.SourceOpts{Status: domain.SourceStatusUploading})
	l.member.Do(t, l.Store, func(ctx context.Context, c *ent.Client) {
		c.Source.UpdateOneID(src.ID).SetBlobKey(key).SetDurationMs(0).SetSha256("").ExecX(ctx)
	})

	at := "/v1/sources/" + src.ID + "/storyboard?response=json"
	conflict := func(query string) {
		t.Helper()
		require.Equal(t, http.StatusConflict, l.Call(t, l.member.Key, http.MethodGet, at+query, "").Status)
	}
	conflict("") // nothing has arrived

	half := len(film) * 6 / 10
	_, err = l.Resolver.Blobs.Append(t.Context(), key, 0, bytes.NewReader(film[:half]))
	require.NoError(t, err)

	var board struct {
		URL        string
		IntervalMs int64
	}

	l.get(at, &board)
	require.Greater(t, board.IntervalMs, int64(1000/16))
	require.Less(t, board.IntervalMs, int64(3500/16))

	// A frame that begins within a millisecond counts as begun.
	sheet := l.file(board.URL)
	for i := range int64(16) {
		tile := footage.Window{X: int(i%4) * 320, Y: int(i/4) * 180, Width: 320, Height: 180}
		require.Equal(t, []int{int((i*board.IntervalMs + 1) * 30 / 1000)}, shown(t, sheet, tile), "tile %d", i)
	}

	conflict("&startTimeMs=3900")

	_, err = l.Resolver.Blobs.Append(t.Context(), key, int64(half), bytes.NewReader(film[half:]))
	require.NoError(t, err)
	l.get(at+"&startTimeMs=3900", &board)
	require.InDelta(t, 100/16, board.IntervalMs, 2)
}
