package extracts_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/engine/encode"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/extracts"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/queue"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
	"github.com/reelgraph/reelgraph/workers"
	"github.com/reelgraph/reelgraph/workers/media"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// lab is the API with a member, and workers that make extracts as another process would.
type lab struct {
	*testing.T
	*api.Server

	deps   media.Deps
	desk   *extracts.Desk
	dsn    string
	member testkit.Member
	late   time.Duration // how far ahead the workers' clock is
}

// newLab makes a lab without running workers.
func newLab(t *testing.T) *lab {
	t.Helper()

	return newLabAt(t, testkit.Database(t))
}

// newLabAt is newLab on the given database.
func newLabAt(t *testing.T, dsn string) *lab {
	t.Helper()

	l := &lab{T: t, dsn: dsn}
	l.Server = api.New(t, api.Options{DSN: l.dsn})
	l.member = testkit.NewMember(t, l.Store, testkit.MemberOpts{})
	r := l.Resolver

	topics, err := store.Listen(l.dsn)
	require.NoError(t, err)

	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})

	go func() { defer close(ended); topics.Run(ctx) }()

	t.Cleanup(func() {
		cancel()
		<-ended
		require.NoError(t, topics.Close())
	})

	l.desk = &extracts.Desk{
		Addresses: r.Addresses, Blobs: r.Blobs, Clock: time.Now, Fonts: new(encode.Engine).Fonts, Jobs: r.Jobs, Store: l.Store,
		Topics: topics, Wait: time.Minute,
	}
	r.Media = l.desk
	r.Remake()

	tools, err := ffmpeg.Find(exec.LookPath)
	require.NoError(t, err)

	l.deps = media.Deps{
		Addresses: r.Addresses, Blobs: r.Blobs, Cache: encode.DirCache{Dir: t.TempDir()},
		Clock: func() time.Time { return time.Now().Add(l.late) }, Engine: &encode.Engine{Tools: tools, Dir: t.TempDir()},
		Logger: slog.New(slog.DiscardHandler), Queue: r.Jobs, Store: l.Store, Topics: topics,
	}

	return l
}

// work runs the workers of extracts until the test ends.
func (l *lab) work() {
	l.Helper()

	locks := queue.NewLocks(l.Store.DB)
	sizes, err := workers.Queues(map[string]int{jobs.QueueMedia: 2})
	require.NoError(l, err)

	all, _ := workers.Register(workers.Deps{Media: l.deps, Prepare: l.Resolver.Services.Exports.PrepareThumbnails})
	q, err := queue.New(l.Store.DB, l.dsn, all, queue.Config{
		Grace: time.Millisecond, Locks: locks, Logger: slog.New(slog.DiscardHandler), Queues: sizes,
	})
	require.NoError(l, err)

	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)

	go func() { ended <- q.Run(ctx) }()

	l.Cleanup(sync.OnceFunc(func() {
		cancel()
		require.NoError(l, <-ended)
		require.NoError(l, locks.Close())
	}))
}

// source creates a source of the recording that write writes to a path.
func (l *lab) source(write func(path string) error) *ent.Source {
	l.Helper()

	path := filepath.Join(l.TempDir(), "recording.mp4")
	require.NoError(l, write(path))

	content, err := os.ReadFile(path)
	require.NoError(l, err)

	sum := sha256.Sum256(content)
	info, err := probe.File(l.Context(), l.deps.Engine.Tools, path, probe.KindVideo)
	require.NoError(l, err)
	probe, err := json.Marshal(info)
	require.NoError(l, err)

	key, err := blob.NewKey("sources", "")
	require.NoError(l, err)
	_, err = l.Resolver.Blobs.PutFile(l.Context(), key, path)
	require.NoError(l, err)

	src := testkit.NewSource(l, l.Store, l.member, testkit.SourceOpts{DurationMs: info.DurationMs, HasAudio: info.Audio != nil})
	l.member.Do(l, l.Store, func(ctx context.Context, c *ent.Client) {
		src = c.Source.UpdateOneID(src.ID).SetWidth(info.Video.Width).SetHeight(info.Video.Height).SetBlobKey(key).
			SetSha256(hex.EncodeToString(sum[:])).SetProbe(probe).SaveX(ctx)
	})

	return src
}

// video creates a video of one clip.
func (l *lab) video(write func(path string) error) (*ent.Video, *ent.Source) {
	l.Helper()

	src := l.source(write)
	v := testkit.NewVideo(l, l.Store, l.member, testkit.VideoOpts{Source: src})
	l.member.Do(l, l.Store, func(ctx context.Context, c *ent.Client) {
		clips := v.Edges.Clips
		v = c.Video.UpdateOneID(v.ID).SetWidth(src.Width &^ 1).SetHeight(src.Height &^ 1).SaveX(ctx)
		v.Edges.Clips = clips
	})

	return v, src
}

// cut cuts a part out of the only clip of a video.
func (l *lab) cut(v *ent.Video, part values.Span) {
	l.Helper()

	clip := v.Edges.Clips[0]
	left := clip.RecordingMs - part.LengthMs()

	l.member.Do(l, l.Store, func(ctx context.Context, c *ent.Client) {
		c.Clip.UpdateOneID(clip.ID).SetCuts(values.Cuts{part}).SetDurationMs(left).ExecX(ctx)
		c.Video.UpdateOneID(v.ID).SetDurationMs(left).ExecX(ctx)
	})
}

// get requests a path of the API and decodes the response, which must be a success.
func (l *lab) get(path string, into any) {
	l.Helper()

	a := l.Call(l.T, l.member.Key, http.MethodGet, path, "")
	require.Equal(l, http.StatusOK, a.Status, a.Body)
	require.NoError(l, json.Unmarshal([]byte(a.Body), into))
}

func (l *lab) post(path, body string, into any) {
	l.Helper()

	a := l.Call(l.T, l.member.Key, http.MethodPost, path, body)
	require.Equal(l, http.StatusOK, a.Status, a.Body)
	require.NoError(l, json.Unmarshal([]byte(a.Body), into))
}

func (l *lab) patch(path, body string) {
	l.Helper()

	a := l.Call(l.T, l.member.Key, http.MethodPatch, path, body)
	require.Equal(l, http.StatusOK, a.Status, a.Body)
}

// picture requests a picture and returns the path of its file.
func (l *lab) picture(path string) string {
	l.Helper()

	var signed struct{ URL string }
	l.get(path, &signed)

	return l.file(signed.URL)
}

func (l *lab) extracts() []*ent.Extract {
	return l.Store.Client(l.Context()).Extract.Query().AllX(auth.AsSystem(l.Context()))
}

// made returns how many extract jobs there were.
func (l *lab) made() (n int) {
	l.Helper()

	require.NoError(l, l.Store.Query(l.Context(), func(r *sql.Rows) error { return r.Scan(&n) },
		`SELECT count(*) FROM river_job WHERE kind = 'extract'`))

	return n
}

func (l *lab) path(f values.ExtractFile) string {
	l.Helper()

	path, ok := l.Resolver.Blobs.Path(f.BlobKey)
	require.True(l, ok)

	return path
}
