package workers_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/upload"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit/footage"
	"github.com/reelgraph/reelgraph/workers/ingest"
)

// priming is the length of sound in ms that a live MP4 may miss at its beginning and end.
const priming = 100

// TestRecordingIsReadableWhileItArrives: a recording uploaded in pieces is readable up to what has arrived, and ends
// as a normal source.
func TestRecordingIsReadableWhileItArrives(t *testing.T) {
	t.Parallel()

	s := newStudio(t)
	path := s.film(footage.Film{Width: 320, Height: 180, Frames: 120, Tone: 440})
	tools := s.deps(s.store, s.topics).Engine.Tools
	live := path + ".live.mp4"
	require.NoError(t, tools.Run(t.Context(), ffmpeg.Command{Args: []string{
		"-i", path, "-c", "copy", "-movflags", "empty_moov+default_base_moof+frag_keyframe", "-frag_duration", "1000000", live,
	}}))
	film, err := os.ReadFile(live)
	require.NoError(t, err)

	key, err := blob.NewKey("sources", "")
	require.NoError(t, err)

	var src *ent.Source

	s.member.Do(t, s.store, func(ctx context.Context, c *ent.Client) {
		src = c.Source.Create().SetUserID(s.member.UserID).SetWorkspaceID(s.member.WorkspaceID).SetKind(values.SourceKindVideo).
			SetStreaming(true).SetStatus(values.SourceStatusUploading).SetBlobKey(key).SaveX(ctx)
	})

	deps := s.deps(s.store, s.topics)
	decodable := func() int64 {
		_, info, release, err := deps.Arrived(s.system(), src)
		if refused, ok := errors.AsType[*ffmpeg.Refused](err); ok {
			require.NotEmpty(t, refused.Message)

			return 0
		}

		require.NoError(t, err)
		release()
		require.Equal(t, 320, info.Video.Width)

		return info.DurationMs
	}
	require.Zero(t, decodable())

	at, last := int64(0), int64(-1)
	for _, upTo := range []int{20, len(film) / 4, len(film) / 2} {
		at, err = s.blobs.Append(t.Context(), key, at, bytes.NewReader(film[at:upTo]))
		require.NoError(t, err)

		now := decodable()
		require.Greater(t, now, last, "after %d bytes", upTo)
		last = now
	}

	require.InDelta(t, 2000, last, 600)
	_, err = s.blobs.Append(t.Context(), key, at, bytes.NewReader(film[at:]))
	require.NoError(t, err)
	require.InDelta(t, 4000, decodable(), priming)

	desk := upload.Desk{Blobs: s.blobs, Clock: time.Now, Queue: s.queue, Store: s.store, Topics: s.topics}
	require.NoError(t, desk.Grown(s.system(), src, func(*ent.SourceUpdate) {}))
	require.NoError(t, desk.Grown(s.system(), src, func(*ent.SourceUpdate) {}))

	var looks int
	require.NoError(t, s.store.DB.QueryRow(`SELECT count(*) FROM river_job WHERE kind = 'look'`).Scan(&looks))
	require.Equal(t, 1, looks)

	look := &ingest.Look{Deps: deps}
	require.NoError(t, look.Work(t.Context(), &river.Job[jobs.Look]{Args: jobs.Look{SourceID: src.ID}}))
	row, err := s.store.Client(s.system()).Source.Get(s.system(), src.ID)
	require.NoError(t, err)
	require.InDelta(t, 4000, row.DurationMs, priming)
	require.Equal(t, 320, row.Width)

	require.NoError(t, desk.Complete(s.system(), src, func(*ent.SourceUpdate) {}))
	require.InDelta(t, 4000, decodable(), priming, "also while it is being processed")
	s.work()

	src = s.probed(src)
	sum := sha256.Sum256(film)

	require.Equal(t, values.SourceStatusReady, src.Status, src.ErrorMessage)
	require.Equal(t, hex.EncodeToString(sum[:]), src.Sha256)
	require.EqualValues(t, len(film), src.Bytes)
	require.InDelta(t, 4000, src.DurationMs, priming)
}
