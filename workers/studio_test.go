package workers_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/engine/encode"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/keyring"
	"github.com/reelgraph/reelgraph/internal/platform/outbound"
	"github.com/reelgraph/reelgraph/internal/platform/queue"
	"github.com/reelgraph/reelgraph/internal/platform/signedurl"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/speech"
	"github.com/reelgraph/reelgraph/internal/upload"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/footage"
	"github.com/reelgraph/reelgraph/workers"
	"github.com/reelgraph/reelgraph/workers/deliver"
	"github.com/reelgraph/reelgraph/workers/media"
)

// studio is a database with one member and a video, and a media folder, to render and download exports.
type studio struct {
	*testing.T

	blobs  *blob.Dir
	book   signedurl.Book
	data   string
	dsn    string
	late   atomic.Int64 // how far ahead of the real time the workers' clock is
	member testkit.Member
	queue  *jobs.Queue
	secret []byte
	speech speech.Provider // nil without speech recognition
	store  *store.Store
	topics *store.Topics
	vault  webhook.Vault
	video  *ent.Video
}

func newStudio(t *testing.T) *studio {
	t.Helper()

	s := openStudio(t, victim{DSN: testkit.Database(t), Data: t.TempDir(), Secret: keyring.NewSecret()})
	s.settle()

	files := &upload.Server{
		Addresses: s.book, Blobs: s.blobs, Clock: time.Now, Log: slog.New(slog.DiscardHandler),
		Refuse: func(w http.ResponseWriter, _ *http.Request, err error) { http.Error(w, err.Error(), http.StatusTeapot) },
		Store:  s.store,
	}
	server := httptest.NewServer(files.Handler())
	t.Cleanup(server.Close)
	s.book.BaseURL = server.URL

	return s
}

// settle creates a member with a video in a new workspace, to which the studio then belongs.
func (s *studio) settle() {
	s.Helper()

	s.member = testkit.NewMember(s.T, s.store, testkit.MemberOpts{})
	s.member.Do(s.T, s.store, func(ctx context.Context, c *ent.Client) {
		s.video = c.Video.Create().SetUserID(s.member.UserID).SetWorkspaceID(s.member.WorkspaceID).SetName("Übung / 1").
			SetWidth(1920).SetHeight(1080).SetSettings(values.DefaultVideoSettings()).SetEditing(values.DefaultEditing()).SaveX(ctx)
	})
}

// openStudio opens an existing studio, as another process would.
func openStudio(t *testing.T, v victim) *studio {
	t.Helper()

	s := &studio{T: t, data: v.Data, dsn: v.DSN, secret: v.Secret, store: testkit.OpenAt(t, v.DSN), topics: listen(t, v.DSN)}
	client, err := queue.NewInserter(s.store.DB, slog.New(slog.DiscardHandler))
	require.NoError(t, err)

	s.queue = &jobs.Queue{Client: client, Store: s.store}
	s.vault, err = webhook.NewVault(s.secret)
	require.NoError(t, err)
	s.blobs, err = blob.OpenDir(filepath.Join(s.data, "blobs"))
	require.NoError(t, err)
	signer, err := blob.NewSigner(s.secret, nil)
	require.NoError(t, err)

	s.book = signedurl.Book{BaseURL: v.BaseURL, Signer: signer}

	return s
}

func listen(t *testing.T, dsn string) *store.Topics {
	t.Helper()

	topics, err := store.Listen(dsn)
	require.NoError(t, err)

	ctx, cancel := context.WithCancel(context.Background())

	ended := make(chan struct{})
	go func() { defer close(ended); topics.Run(ctx) }()

	t.Cleanup(func() {
		cancel()
		<-ended
		require.NoError(t, topics.Close())
	})

	return topics
}

func (s *studio) deps(over *store.Store, topics *store.Topics) media.Deps {
	s.Helper()

	tools, err := ffmpeg.Find(exec.LookPath)
	require.NoError(s, err)

	locks := queue.NewLocks(over.DB)

	s.Cleanup(func() { _ = locks.Close() })

	return media.Deps{
		Addresses: s.book, Blobs: s.blobs, Clock: s.now, Logger: slog.New(slog.DiscardHandler),
		Cache: encode.DirCache{Dir: filepath.Join(s.data, "cache")}, CacheBytes: 1 << 30,
		Engine: &encode.Engine{Tools: tools, Dir: filepath.Join(s.data, "scratch")},
		Queue:  &jobs.Queue{Client: s.queue.Client, Store: over},
		Locks:  locks, Speech: s.speech, Store: over, Topics: topics,
	}
}

func (s *studio) now() time.Time { return time.Now().Add(time.Duration(s.late.Load())) }

func (s *studio) system() context.Context { return auth.AsSystem(context.Background()) }

// away makes the storage unavailable, as an unmounted volume, and returns a function that restores it.
func (s *studio) away() (back func()) {
	s.Helper()

	root := filepath.Join(s.data, "blobs")
	require.NoError(s, os.Rename(root, root+".away"))

	return func() { require.NoError(s, os.Rename(root+".away", root)) }
}

// work runs every job, as a separate process would.
func (s *studio) work() (stop func()) {
	s.Helper()

	over := testkit.OpenAt(s.T, s.dsn)
	locks := queue.NewLocks(over.DB)
	d := workers.Deps{Media: s.deps(over, listen(s.T, s.dsn)), Deliver: deliver.Deps{
		Client: outbound.NewClient(outbound.NewTargets(netip.MustParsePrefix("127.0.0.0/8"))),
		Locks:  locks, Logger: slog.New(slog.DiscardHandler), Now: s.now,
		Queue: &jobs.Queue{Client: s.queue.Client, Store: over}, Random: func() float64 { return 0.5 },
		Store: over, Vault: s.vault,
	}}
	sizes, err := workers.Queues(nil)
	require.NoError(s, err)

	all, beside := workers.Register(d)
	q, err := queue.New(over.DB, s.dsn, all, queue.Config{
		Beside: beside, Fair: jobs.FairQueues(),
		Grace: time.Millisecond, Locks: locks, Logger: slog.New(slog.DiscardHandler),
		Periodic: workers.Periodic(), Queues: sizes,
	})
	require.NoError(s, err)

	ctx, cancel := context.WithCancel(context.Background())

	ended := make(chan error, 1)
	go func() { ended <- q.Run(ctx) }()

	stop = sync.OnceFunc(func() {
		cancel()
		require.NoError(s, <-ended)
		require.NoError(s, locks.Close())
	})
	s.Cleanup(stop)

	return stop
}

// film makes a counter film and returns its path.
func (s *studio) film(f footage.Film) string {
	s.Helper()

	path := filepath.Join(s.TempDir(), "film.mp4")
	require.NoError(s, footage.Counter(s.Context(), path, f))

	return path
}

// upload stores bytes as a source that waits for its probe.
func (s *studio) upload(kind values.SourceKind, content []byte) *ent.Source {
	s.Helper()

	path := filepath.Join(s.TempDir(), "upload")
	require.NoError(s, os.WriteFile(path, content, 0o600))

	key, err := blob.NewKey("sources", "")
	require.NoError(s, err)
	_, err = s.blobs.PutFile(s.Context(), key, path)
	require.NoError(s, err)

	sum := sha256.Sum256(content)

	var src *ent.Source

	s.member.Do(s.T, s.store, func(ctx context.Context, c *ent.Client) {
		src = c.Source.Create().SetUserID(s.member.UserID).SetWorkspaceID(s.member.WorkspaceID).SetKind(kind).
			SetName("recording.mp4").SetStatus(values.SourceStatusProcessing).SetBlobKey(key).
			SetBytes(int64(len(content))).SetSha256(hex.EncodeToString(sum[:])).SaveX(ctx)
		require.NoError(s, s.queue.Add(ctx, jobs.Probe{SourceID: src.ID}))
	})

	return src
}

// probed waits until the source is no longer being processed.
func (s *studio) probed(src *ent.Source) *ent.Source {
	s.Helper()

	s.until(jobs.SourceTopic(src.ID), func() bool {
		var err error

		src, err = s.store.Client(s.system()).Source.Get(s.system(), src.ID)
		require.NoError(s, err)

		return src.Status != values.SourceStatusProcessing
	})

	return src
}

// until waits for a condition whose changes the topic announces.
func (s *studio) until(topic string, done func() bool) {
	s.Helper()

	wake, stop := s.topics.Subscribe(topic)
	defer stop()

	late := time.After(2 * time.Minute)

	for !done() {
		select {
		case <-wake:
		case <-late:
			require.FailNow(s, "nothing happened", topic)
		}
	}
}

// recorded returns a probed source of a counter film; a worker must run.
func (s *studio) recorded(f footage.Film) *ent.Source {
	s.Helper()

	content, err := os.ReadFile(s.film(f))
	require.NoError(s, err)
	src := s.probed(s.upload(values.SourceKindVideo, content))
	require.Equal(s, values.SourceStatusReady, src.Status, src.ErrorMessage)

	return src
}

// order requests an export of the studio's video as one clip of the source.
func (s *studio) order(src *ent.Source, cuts ...values.Span) *ent.Export {
	s.Helper()

	clip := timeline.Clip{
		ID: "cl_1", Name: "Clip", LengthMs: src.DurationMs, Cuts: values.Normalise(src.DurationMs, cuts),
		Screen: src.ID, Sounds: []timeline.Sound{{Source: src.ID, Volume: 1}},
	}

	return s.orderAs(values.GranularityStory, plan.ExportPlan{
		Timeline: timeline.Video{Clips: []timeline.Clip{clip}}, Artboard: small(),
	})
}

// small is an artboard whose frame has few pixels.
func small() values.Dimensions { return values.Dimensions{Width: 1920, Height: 216} }

func picture() footage.Window { return footage.Window{X: 768, Width: 384, Height: 216} }

func (s *studio) orderAs(granularity values.Granularity, plan plan.ExportPlan) *ent.Export {
	s.Helper()

	written, err := json.Marshal(plan)
	require.NoError(s, err)

	var exp *ent.Export

	s.member.Do(s.T, s.store, func(ctx context.Context, c *ent.Client) {
		exp = c.Export.Create().SetVideo(s.video).SetWorkspaceID(s.member.WorkspaceID).SetUserID(s.member.UserID).
			SetGranularity(granularity).SetResolution(values.ResolutionP1080).SetFps(values.FPS30).
			SetSpeed(values.Speed1).SetSubtitles(false).SetRevision(0).SetPlan(written).SetPlanHash(rand()).SaveX(ctx)
		require.NoError(s, s.queue.Add(ctx, jobs.Render{ExportID: exp.ID}))
	})

	return exp
}

func rand() string { return hex.EncodeToString(keyring.NewSecret()) }

func (s *studio) export(id string) *ent.Export {
	s.Helper()

	exp, err := s.store.Client(s.system()).Export.Get(s.system(), id)
	require.NoError(s, err)

	return exp
}

// ended waits until the export has ended, and checks that its progress was plausible.
func (s *studio) ended(exp *ent.Export) *ent.Export {
	s.Helper()

	percent := exp.Progress
	s.until(jobs.ExportTopic(exp.ID), func() bool {
		exp = s.export(exp.ID)
		require.GreaterOrEqual(s, exp.Progress, percent)
		require.Equal(s, exp.Status == values.ExportStatusCompleted, exp.Progress == 100)
		percent = exp.Progress

		return exp.FinishedAt != nil
	})

	return exp
}

// fetch downloads into a file.
func fetch(url, path string) (status int, err error) {
	answer, err := http.Get(url)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()

	file, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()

	_, err = io.Copy(file, answer.Body)

	return answer.StatusCode, err
}
