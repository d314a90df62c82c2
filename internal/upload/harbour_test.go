package upload_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/graph"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/keyring"
	"github.com/reelgraph/reelgraph/internal/platform/limit"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
	"github.com/reelgraph/reelgraph/internal/platform/queue"
	"github.com/reelgraph/reelgraph/internal/platform/signedurl"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/upload"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/workers/media"
)

const uploadMax = 1 << 20

// harbour is a running server with one member and a clock that the test sets.
type harbour struct {
	*testing.T

	place
	blobs  *blob.Dir
	book   signedurl.Book
	late   atomic.Int64
	member testkit.Member
	made   graph.Dependencies // for the services that create sources
	server *upload.Server
	store  *store.Store
}

func newHarbour(t *testing.T) *harbour {
	t.Helper()

	h := openHarbour(t, place{DSN: testkit.Database(t), Root: t.TempDir(), Secret: keyring.NewSecret()})
	h.member = testkit.NewMember(t, h.store, testkit.MemberOpts{})

	return h
}

// place is the data of a harbour that another process needs to open it too.
type place struct {
	DSN, Root string
	Secret    []byte
}

func openHarbour(t *testing.T, at place) *harbour {
	t.Helper()

	h := &harbour{T: t, place: at, store: testkit.OpenAt(t, at.DSN)}

	var err error

	h.blobs, err = blob.OpenDir(at.Root)
	require.NoError(t, err)
	signer, err := blob.NewSigner(at.Secret, nil)
	require.NoError(t, err)
	client, err := queue.NewInserter(h.store.DB, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	topics, err := store.Listen(at.DSN)
	require.NoError(t, err)

	ctx, cancel := context.WithCancel(context.Background())

	ended := make(chan struct{})
	go func() { defer close(ended); topics.Run(ctx) }()

	h.book = signedurl.Book{Signer: signer}
	gate := limit.New(limit.Options{DB: h.store.DB, Quota: 1_000_000, Log: slog.New(slog.DiscardHandler)})
	h.store.Clock = h.now
	h.made = graph.Dependencies{
		Store: h.store, Topics: topics, Jobs: &jobs.Queue{Client: client, Store: h.store}, Blobs: h.blobs,
	}
	h.server = &upload.Server{
		Addresses: h.book, Blobs: h.blobs, Clock: h.now, Describe: h.describe, Log: slog.New(slog.DiscardHandler),
		Intake: upload.Desk{
			Blobs: h.blobs, Clock: h.now, Queue: &jobs.Queue{Client: client, Store: h.store}, Store: h.store, Topics: topics, Wait: time.Minute,
		},
		Refuse: refuse, Sources: sources{h}, Store: h.store, UploadMax: uploadMax,
	}
	creation, addresses := h.server.Creation(gate.Handler), h.server.Handler()
	routes := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Trim(r.URL.Path, "/") == "uploads" {
			creation.ServeHTTP(w, r)
		} else {
			addresses.ServeHTTP(w, r)
		}
	})
	server := httptest.NewServer(middleware.Identify(middleware.Guard(h.server.Log, refuse)(routes)))
	h.book.BaseURL = server.URL
	h.made.Addresses = h.book

	t.Cleanup(func() {
		server.Close()
		cancel()
		<-ended
		require.NoError(t, topics.Close())
	})

	return h
}

// sources creates sources as the graph does, with the present dependencies of the harbour.
type sources struct{ *harbour }

func (s sources) Upload(ctx context.Context, in model.CreateSourceInput, partial bool) (*ent.Source, string, error) {
	return graph.New(s.made).Services.Upload.Upload(ctx, in, partial)
}

func (s sources) JoinUpload(ctx context.Context, in model.CreateSourceInput, parts []string) (*ent.Source, string, error) {
	return graph.New(s.made).Services.Upload.JoinUpload(ctx, in, parts)
}

func (h *harbour) now() time.Time { return time.Now().Add(time.Duration(h.late.Load())) }

// refuse writes the status of an error according to the contract.
func refuse(w http.ResponseWriter, _ *http.Request, err error) {
	status := map[fault.Code]int{
		fault.BadRequestCode: 400, fault.UnauthorizedCode: 401, fault.ForbiddenCode: 403, fault.NotFoundCode: 404, fault.ConflictCode: 409,
		fault.ServerErrorCode: 500, fault.NotImplementedCode: 501, fault.UnavailableCode: 503,
	}[graph.Classify(err).Code]

	if refusal, ok := errors.AsType[*middleware.RefusalError](err); ok {
		status = refusal.Status
	}

	http.Error(w, graph.Classify(err).Error(), status)
}

// describe returns the status of the source and the id of the caller.
func (h *harbour) describe(ctx context.Context, id string) ([]byte, error) {
	src, err := h.store.Client(ctx).Source.Get(ctx, id)
	if err != nil {
		return nil, err
	}

	who, _ := auth.From(ctx)

	return json.Marshal(map[string]any{"status": src.Status, "owner": who.UserID})
}

func (h *harbour) source(status values.SourceStatus) *ent.Source {
	h.Helper()

	var src *ent.Source

	h.member.Do(h.T, h.store, func(ctx context.Context, c *ent.Client) {
		src = c.Source.Create().SetWorkspaceID(h.member.WorkspaceID).SetUserID(h.member.UserID).
			SetKind(values.SourceKindVideo).SetStatus(status).SetUploadExpiresAt(h.now().Add(time.Hour)).SaveX(ctx)
	})

	return src
}

func (h *harbour) read(id string) *ent.Source {
	h.Helper()

	src, err := h.store.Client(h.member.Context()).Source.Get(h.member.Context(), id)
	require.NoError(h, err)

	return src
}

// probe does what the worker would do once the source is being processed.
func (h *harbour) probe(id string) {
	h.Helper()

	ctx := auth.AsSystem(context.Background())

	require.Eventually(h, func() bool {
		changed := 0
		err := h.store.InTx(ctx, func(ctx context.Context) (err error) {
			changed, err = h.store.Client(ctx).Source.Update().
				Where(source.ID(id), source.StatusEQ(values.SourceStatusProcessing)).
				SetStatus(values.SourceStatusReady).Save(ctx)
			if err != nil {
				return err
			}

			return h.store.Notify(ctx, jobs.SourceTopic(id))
		})

		return err == nil && changed == 1
	}, time.Minute, 5*time.Millisecond)
}

func (h *harbour) files() []string {
	h.Helper()

	var files []string

	require.NoError(h, filepath.WalkDir(h.Root, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files = append(files, path)
		}

		return err
	}))

	return files
}

// away makes the storage unavailable, as an unmounted volume, and returns a function that restores it.
func (h *harbour) away() (back func()) {
	h.Helper()

	require.NoError(h, os.Rename(h.Root, h.Root+".away"))

	return func() { require.NoError(h, os.Rename(h.Root+".away", h.Root)) }
}

// media returns the dependencies of workers that need only files and rows.
func (h *harbour) media() media.Deps {
	return media.Deps{Blobs: h.blobs, Clock: h.now, Logger: slog.New(slog.DiscardHandler), Store: h.store}
}

// asked returns the arguments of the inserted jobs of one kind.
func asked[Args river.JobArgs](h *harbour) (all []Args) {
	h.Helper()

	var args Args

	rows, err := h.store.DB.QueryContext(h.Context(), "SELECT args FROM river_job WHERE kind = $1 ORDER BY id", args.Kind())
	require.NoError(h, err)

	defer rows.Close()

	for rows.Next() {
		var encoded []byte
		require.NoError(h, rows.Scan(&encoded))
		require.NoError(h, json.Unmarshal(encoded, &args))
		all = append(all, args)
	}

	require.NoError(h, rows.Err())

	return all
}

func send(t *testing.T, method, url string, body io.Reader, header ...string) (status int, answer string, h http.Header) {
	t.Helper()

	r, err := http.NewRequestWithContext(t.Context(), method, url, body)
	require.NoError(t, err)

	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}

	resp, err := http.DefaultClient.Do(r)
	require.NoError(t, err)

	defer resp.Body.Close()

	content, err := io.ReadAll(resp.Body)
	require.NoError(t, err)

	return resp.StatusCode, string(content), resp.Header
}
