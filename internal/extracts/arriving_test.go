package extracts_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/footage"
)

// live returns a film of 4 s in fragments of half a second.
func live(t *testing.T) []byte {
	t.Helper()

	path := filepath.Join(t.TempDir(), "film.mp4")
	fragments := path + ".live.mp4"
	tools, err := ffmpeg.Find(exec.LookPath)
	require.NoError(t, err)
	require.NoError(t, footage.Counter(t.Context(), path, footage.Film{Frames: 120}))
	require.NoError(t, tools.Run(t.Context(), ffmpeg.Command{Args: []string{
		"-i", path, "-c", "copy", "-movflags", "empty_moov+default_base_moof+frag_keyframe", "-frag_duration", "500000", fragments,
	}}))
	film, err := os.ReadFile(fragments)
	require.NoError(t, err)

	return film
}

// arriving creates a source without bytes, and returns the key for them.
func (l *lab) arriving() (*ent.Source, string) {
	l.Helper()

	key, err := blob.NewKey("sources", "")
	require.NoError(l, err)

	src := testkit.NewSource(l, l.Store, l.member, testkit.SourceOpts{Status: values.SourceStatusUploading})
	l.member.Do(l, l.Store, func(ctx context.Context, c *ent.Client) {
		c.Source.UpdateOneID(src.ID).SetBlobKey(key).SetDurationMs(0).SetSha256("").ExecX(ctx)
	})

	return src, key
}

// settling completes a growing file as soon as it has been opened once.
type settling struct {
	*blob.Dir
}

func (s settling) OpenGrowing(ctx context.Context, key string) (blob.Object, error) {
	o, err := s.Dir.OpenGrowing(ctx, key)
	if err == nil {
		o.Content = closing{o.Content, func() error {
			_, err := s.Settle(ctx, key)

			return err
		}}
	}

	return o, err
}

// closing is a file that calls a function when it is closed.
type closing struct {
	io.ReadSeekCloser

	then func() error
}

func (c closing) Close() error { return errors.Join(c.ReadSeekCloser.Close(), c.then()) }

// The storyboard of a recording succeeds even if the recording is completed meanwhile.
func TestStoryboardOfRecordingCompletedMeanwhile(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	folder, ok := l.Resolver.Blobs.(*blob.Dir)
	require.True(t, ok)

	l.deps.Blobs = settling{folder}
	l.work()

	src, key := l.arriving()
	_, err := l.Resolver.Blobs.Append(t.Context(), key, 0, bytes.NewReader(live(t)))
	require.NoError(t, err)

	var board struct{ IntervalMs int64 }

	l.get("/v1/sources/"+src.ID+"/storyboard?response=json", &board)
	require.EqualValues(t, 4000/16, board.IntervalMs)

	var attempts int

	require.NoError(t, l.Store.Query(t.Context(), func(r *sql.Rows) error { return r.Scan(&attempts) },
		`SELECT max(attempt) FROM river_job WHERE kind = 'extract'`))
	require.Equal(t, 1, attempts, "no job has failed")
}

// The storyboard shows what has arrived of a recording; the rest is a conflict until it arrives.
func TestStoryboardOfArrivingRecording(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	l.work()

	film := live(t)
	src, key := l.arriving()

	at := "/v1/sources/" + src.ID + "/storyboard?response=json"
	conflict := func(query string) {
		t.Helper()
		require.Equal(t, http.StatusConflict, l.Call(t, l.member.Key, http.MethodGet, at+query, "").Status)
	}
	conflict("") // nothing has arrived

	_, err := l.Resolver.Blobs.Append(t.Context(), key, 0, bytes.NewReader(film[:40])) // ends before the first picture
	require.NoError(t, err)

	a := l.Call(t, l.member.Key, http.MethodGet, at, "")
	require.Equal(t, http.StatusConflict, a.Status, a.Body)
	require.Contains(t, a.Body, "The part of the recording that has arrived")

	half := len(film) * 6 / 10
	_, err = l.Resolver.Blobs.Append(t.Context(), key, 40, bytes.NewReader(film[40:half]))
	require.NoError(t, err)

	var board struct {
		URL        string
		IntervalMs int64
	}

	l.get(at, &board)
	require.Greater(t, board.IntervalMs, int64(1000/16))
	require.Less(t, board.IntervalMs, int64(3500/16))

	// A frame that begins within a millisecond counts as begun.
	want := make([]int, 16)
	for i := range want {
		want[i] = int((int64(i)*board.IntervalMs + 1) * 30 / 1000)
	}

	require.Equal(t, want, tiles(t, l.file(board.URL)))

	conflict("&startTimeMs=3900")

	_, err = l.Resolver.Blobs.Append(t.Context(), key, int64(half), bytes.NewReader(film[half:]))
	require.NoError(t, err)
	l.get(at+"&startTimeMs=3900", &board)
	require.InDelta(t, 100/16, board.IntervalMs, 2)
}
