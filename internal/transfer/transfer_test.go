package transfer_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/internal/address"
	"github.com/reelgraph/reelgraph/internal/auth"
	"github.com/reelgraph/reelgraph/internal/blob"
	"github.com/reelgraph/reelgraph/internal/chain"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/fault"
	"github.com/reelgraph/reelgraph/internal/queue"
	"github.com/reelgraph/reelgraph/internal/seal"
	"github.com/reelgraph/reelgraph/internal/store"
	"github.com/reelgraph/reelgraph/internal/testkit"
	"github.com/reelgraph/reelgraph/internal/transfer"
	"github.com/reelgraph/reelgraph/workers/jobs"
)

const uploadMax = 1 << 20

// harbour is a running server with one member, whose clock the test sets.
type harbour struct {
	*testing.T

	blobs  *blob.Dir
	book   address.Book
	late   atomic.Int64
	member testkit.Member
	root   string
	server *transfer.Server
	store  *store.Store
}

func newHarbour(t *testing.T) *harbour {
	t.Helper()

	dsn := testkit.Database(t)
	h := &harbour{T: t, store: testkit.OpenAt(t, dsn), root: t.TempDir()}
	h.member = testkit.NewMember(t, h.store, testkit.MemberOpts{})

	var err error
	h.blobs, err = blob.OpenDir(h.root)
	require.NoError(t, err)
	signer, err := blob.NewSigner(seal.NewSecret(), nil)
	require.NoError(t, err)
	client, err := queue.NewInserter(h.store.DB, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	topics, err := store.Listen(dsn)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); topics.Run(ctx) }()

	h.book = address.Book{Signer: signer}
	h.server = &transfer.Server{
		Addresses: h.book, Blobs: h.blobs, Clock: h.now, Describe: h.describe, Log: slog.New(slog.DiscardHandler),
		ProbeWait: time.Minute, Queue: &jobs.Queue{Client: client, Store: h.store}, Refuse: refuse,
		Store: h.store, Topics: topics, UploadMax: uploadMax,
	}
	server := httptest.NewServer(chain.Identify(chain.Guard(h.server.Log, refuse)(h.server.Handler())))
	h.book.BaseURL = server.URL
	t.Cleanup(func() {
		server.Close()
		cancel()
		<-ended
		require.NoError(t, topics.Close())
	})

	return h
}

func (h *harbour) now() time.Time { return time.Now().Add(time.Duration(h.late.Load())) }

// refuse answers with the status that the contract gives the error.
func refuse(w http.ResponseWriter, _ *http.Request, err error) {
	status := http.StatusInternalServerError
	if f, ok := fault.As(err); ok {
		status = map[fault.Code]int{
			fault.BadRequestCode: 400, fault.ForbiddenCode: 403, fault.NotFoundCode: 404, fault.ConflictCode: 409,
			fault.NotImplementedCode: 501, fault.UnavailableCode: 503,
		}[f.Code]
	}

	if refusal, ok := errors.AsType[*chain.RefusalError](err); ok {
		status = refusal.Status
	}

	http.Error(w, err.Error(), status)
}

// describe says who asks and what the source is.
func (h *harbour) describe(ctx context.Context, id string) ([]byte, error) {
	src, err := h.store.Client(ctx).Source.Get(ctx, id)
	if err != nil {
		return nil, err
	}

	who, _ := auth.From(ctx)

	return json.Marshal(map[string]any{"status": src.Status, "owner": who.UserID})
}

func (h *harbour) source(status domain.SourceStatus) *ent.Source {
	h.Helper()

	var src *ent.Source
	h.member.Do(h.T, h.store, func(ctx context.Context, c *ent.Client) {
		src = c.Source.Create().SetWorkspaceID(h.member.WorkspaceID).SetUserID(h.member.UserID).
			SetKind(domain.SourceKindVideo).SetStatus(status).SetUploadExpiresAt(h.now().Add(time.Hour)).SaveX(ctx)
	})

	return src
}

func (h *harbour) read(id string) *ent.Source {
	h.Helper()

	src, err := h.store.Client(h.member.Context()).Source.Get(h.member.Context(), id)
	require.NoError(h, err)

	return src
}

// probe does as the worker would, once the source is being processed.
func (h *harbour) probe(id string) {
	h.Helper()

	ctx := auth.AsSystem(context.Background())

	require.Eventually(h, func() bool {
		changed := 0
		err := h.store.InTx(ctx, func(ctx context.Context) (err error) {
			changed, err = h.store.Client(ctx).Source.Update().
				Where(source.ID(id), source.StatusEQ(domain.SourceStatusProcessing)).
				SetStatus(domain.SourceStatusReady).Save(ctx)
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

	require.NoError(h, filepath.WalkDir(h.root, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files = append(files, path)
		}

		return err
	}))

	return files
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

func TestUpload(t *testing.T) {
	t.Parallel()

	h := newHarbour(t)
	src := h.source(domain.SourceStatusPending)
	content := bytes.Repeat([]byte("reel"), 50_000)
	go h.probe(src.ID)
	status, answer, header := send(t, http.MethodPut, h.book.Upload(src.ID, h.now().Add(time.Hour)), bytes.NewReader(content))
	require.Equal(t, http.StatusOK, status, answer)
	require.JSONEq(t, `{"status":"ready","owner":"`+h.member.UserID+`"}`, answer, "answered after the probe")
	require.Equal(t, "application/json", header.Get("Content-Type"))

	src = h.read(src.ID)
	sum := sha256.Sum256(content)
	require.Equal(t, hex.EncodeToString(sum[:]), src.Sha256)
	require.EqualValues(t, len(content), src.Bytes)
	require.Nil(t, src.UploadExpiresAt)

	path, _ := h.blobs.Path(src.BlobKey)
	kept, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, content, kept)

	var wanted int
	require.NoError(t, h.store.DB.QueryRow("SELECT count(*) FROM river_job WHERE kind = 'probe'").Scan(&wanted))
	require.Equal(t, 1, wanted)

	status, _, _ = send(t, http.MethodPut, h.book.Upload(src.ID, h.now().Add(time.Hour)), bytes.NewReader(content))
	require.Equal(t, http.StatusConflict, status)
	require.Len(t, h.files(), 1)
}

func TestUploadAnswersWhenTheProbeTakesLong(t *testing.T) {
	t.Parallel()

	h := newHarbour(t)
	h.server.ProbeWait = 10 * time.Millisecond
	src := h.source(domain.SourceStatusPending)
	status, answer, _ := send(t, http.MethodPut, h.book.Upload(src.ID, h.now().Add(time.Hour)), http.NoBody)
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, answer, `"processing"`, "nothing is bytes too; the probe refuses them")
}

func TestUploadRefuses(t *testing.T) {
	t.Parallel()

	h := newHarbour(t)
	h.server.ProbeWait = 0
	src := h.source(domain.SourceStatusPending)
	good := h.book.Upload(src.ID, h.now().Add(time.Hour))

	for name, refused := range map[string]struct {
		method, url string
		body        io.Reader
		status      int
	}{
		"no signature":       {http.MethodPut, h.book.BaseURL + "/uploads/" + src.ID, nil, 403},
		"another's":          {http.MethodPut, strings.Replace(good, src.ID, h.source(domain.SourceStatusPending).ID, 1), nil, 403},
		"for another use":    {http.MethodPut, strings.Replace(h.book.Download(src.ID, h.now().Add(time.Hour)), "downloads", "uploads", 1), nil, 403},
		"a source that went": {http.MethodPut, h.book.Upload("su_00000000000000000000000000", h.now().Add(time.Hour)), nil, 404},
		"too large":          {http.MethodPut, good, bytes.NewReader(make([]byte, uploadMax+1)), 413},
		"too large, unsaid":  {http.MethodPut, good, io.MultiReader(bytes.NewReader(make([]byte, uploadMax+1))), 413},
		"another method":     {http.MethodPost, good, nil, 405},
		"another path":       {http.MethodPut, h.book.BaseURL + "/uploads", nil, 404},
		"complete":           {http.MethodPut, h.book.Upload(h.source(domain.SourceStatusReady).ID, h.now().Add(time.Hour)), nil, 409},
		"failed":             {http.MethodPut, h.book.Upload(h.source(domain.SourceStatusFailed).ID, h.now().Add(time.Hour)), nil, 409},
	} {
		status, answer, _ := send(t, refused.method, refused.url, refused.body)
		require.Equal(t, refused.status, status, name+": "+answer)
		require.Empty(t, h.files(), name)
	}

	status, _, _ := send(t, http.MethodPut, good, strings.NewReader("x"), "Content-Range", "bytes 0-0/2")
	require.Equal(t, http.StatusBadRequest, status)
	require.Equal(t, domain.SourceStatusPending, h.read(src.ID).Status)
}

func TestUploadExpiryMovesWithEachAcceptedRequest(t *testing.T) {
	t.Parallel()

	h := newHarbour(t)
	src := h.source(domain.SourceStatusPending)
	first := h.book.Upload(src.ID, h.now().Add(time.Hour))

	h.late.Store(int64(50 * time.Minute))
	require.Equal(t, 413, first413(t, first), "accepted, and then too large without saying so")

	h.late.Store(int64(100 * time.Minute))
	require.Equal(t, 413, first413(t, first), "past the time that was signed, within an hour of the last")

	h.late.Store(int64(161 * time.Minute))
	require.Equal(t, 403, first413(t, first))
}

func first413(t *testing.T, url string) int {
	t.Helper()

	status, _, _ := send(t, http.MethodPut, url, io.MultiReader(bytes.NewReader(make([]byte, uploadMax+1))))

	return status
}

func TestUploadThatBreaksLeavesNothing(t *testing.T) {
	t.Parallel()

	h := newHarbour(t)
	h.server.ProbeWait = 0
	src := h.source(domain.SourceStatusPending)
	url := h.book.Upload(src.ID, h.now().Add(time.Hour))
	body, out := io.Pipe()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, url, body)
	require.NoError(t, err)
	r.ContentLength = uploadMax

	ended := make(chan error, 1)
	go func() {
		resp, err := http.DefaultClient.Do(r)
		if err == nil {
			err = resp.Body.Close()
		}
		ended <- err
	}()

	_, err = out.Write(make([]byte, 100_000))
	require.NoError(t, err)
	require.Eventually(t, func() bool { return len(h.files()) == 1 }, time.Minute, time.Millisecond, "bytes arrive")
	require.NoError(t, out.CloseWithError(errors.New("the line is cut")))
	require.Error(t, <-ended)
	require.Eventually(t, func() bool { return len(h.files()) == 0 }, time.Minute, time.Millisecond)
	require.Equal(t, domain.SourceStatusPending, h.read(src.ID).Status)

	status, _, _ := send(t, http.MethodPut, url, strings.NewReader("all of it"))
	require.Equal(t, http.StatusOK, status)
}

func TestUploadOnceOfMany(t *testing.T) {
	t.Parallel()

	h := newHarbour(t)
	h.server.ProbeWait = 0
	src := h.source(domain.SourceStatusPending)
	url := h.book.Upload(src.ID, h.now().Add(time.Hour))

	var (
		won, lost atomic.Int64
		group     sync.WaitGroup
	)

	for i := range 8 {
		group.Go(func() {
			switch status, _, _ := send(t, http.MethodPut, url, bytes.NewReader(make([]byte, 100_000+i))); status {
			case http.StatusOK:
				won.Add(1)
			case http.StatusConflict:
				lost.Add(1)
			}
		})
	}

	group.Wait()
	require.EqualValues(t, 1, won.Load())
	require.EqualValues(t, 7, lost.Load())
	require.Len(t, h.files(), 1)

	info, err := os.Stat(h.files()[0])
	require.NoError(t, err)
	require.Equal(t, h.read(src.ID).Bytes, info.Size())
}

// zeros is a body of any length.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) { return len(b), nil }

func TestUploadNeedsLittleMemory(t *testing.T) {
	t.Parallel()

	h := newHarbour(t)
	h.server.ProbeWait = 0
	h.server.UploadMax = 1 << 30

	var before, after runtime.MemStats

	runtime.ReadMemStats(&before)
	status, _, _ := send(t, http.MethodPut, h.book.Upload(h.source(domain.SourceStatusPending).ID, h.now().Add(time.Hour)),
		io.LimitReader(zeros{}, 256<<20))
	runtime.ReadMemStats(&after)
	require.Equal(t, http.StatusOK, status)
	t.Logf("256 MiB took %d KiB from the heap", (after.TotalAlloc-before.TotalAlloc)>>10)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<20))
}

func TestDownload(t *testing.T) {
	t.Parallel()

	h := newHarbour(t)
	key, err := blob.NewKey("exports", ".mp4")
	require.NoError(t, err)
	_, err = h.blobs.Put(t.Context(), key, strings.NewReader("0123456789"))
	require.NoError(t, err)

	var exp *ent.Export
	h.member.Do(t, h.store, func(ctx context.Context, c *ent.Client) {
		v := c.Video.Create().SetUserID(h.member.UserID).SetWorkspaceID(h.member.WorkspaceID).SetName(`Größe "1"/2`).
			SetWidth(2).SetHeight(2).SetSettings(domain.DefaultVideoSettings()).SetEditing(domain.DefaultEditing()).SaveX(ctx)
		exp = c.Export.Create().SetVideo(v).SetWorkspaceID(h.member.WorkspaceID).SetUserID(h.member.UserID).
			SetGranularity(domain.GranularityStory).SetResolution(domain.ResolutionP1080).SetFps(domain.FPS30).
			SetSpeed(domain.Speed1).SetSubtitles(false).SetRevision(0).SetPlan([]byte("{}")).SetPlanHash("").
			SetBlobKey(key).SaveX(ctx)
	})
	url := h.book.Download(exp.ID, h.now().Add(time.Hour))

	status, _, _ := send(t, http.MethodGet, url, nil)
	require.Equal(t, http.StatusNotFound, status, "not while it is being made")

	h.member.Do(t, h.store, func(ctx context.Context, c *ent.Client) {
		c.Export.UpdateOneID(exp.ID).SetStatus(domain.ExportStatusCompleted).ExecX(ctx)
	})

	status, answer, header := send(t, http.MethodGet, url, nil)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "0123456789", answer)
	require.Equal(t, "video/mp4", header.Get("Content-Type"))
	require.Equal(t, "nosniff", header.Get("X-Content-Type-Options"))
	require.Equal(t, `attachment; filename*=utf-8''Gr%C3%B6%C3%9Fe%20-1--2.mp4`, header.Get("Content-Disposition"))

	status, answer, header = send(t, http.MethodGet, url, nil, "Range", "bytes=2-4")
	require.Equal(t, http.StatusPartialContent, status)
	require.Equal(t, "234", answer)
	require.Equal(t, "bytes 2-4/10", header.Get("Content-Range"))

	status, answer, header = send(t, http.MethodHead, url, nil)
	require.Equal(t, http.StatusOK, status)
	require.Empty(t, answer)
	require.Equal(t, "10", header.Get("Content-Length"))

	status, _, _ = send(t, http.MethodGet, h.book.Download(exp.ID, h.now().Add(-time.Second)), nil)
	require.Equal(t, http.StatusForbidden, status)
	status, _, _ = send(t, http.MethodPut, url, nil)
	require.Equal(t, http.StatusMethodNotAllowed, status)

	require.NoError(t, h.blobs.Delete(t.Context(), key))
	status, _, _ = send(t, http.MethodGet, url, nil)
	require.Equal(t, http.StatusNotFound, status)
}

func TestMediaIsWhatTheProbeFound(t *testing.T) {
	t.Parallel()

	h := newHarbour(t)
	key, err := blob.NewKey("sources", "")
	require.NoError(t, err)
	_, err = h.blobs.Put(t.Context(), key, strings.NewReader("<script>alert(1)</script>"))
	require.NoError(t, err)

	src := h.source(domain.SourceStatusReady)
	url := h.book.Media(src.ID, h.now().Add(time.Hour))

	for probe, kind := range map[string]string{
		`{"format":"mov"}`:  "video/mp4",
		`{"format":"html"}`: "application/octet-stream",
	} {
		h.member.Do(t, h.store, func(ctx context.Context, c *ent.Client) {
			c.Source.UpdateOneID(src.ID).SetBlobKey(key).SetContentType("text/html").SetProbe([]byte(probe)).ExecX(ctx)
		})

		status, _, header := send(t, http.MethodGet, url, nil)
		require.Equal(t, http.StatusOK, status)
		require.Equal(t, kind, header.Get("Content-Type"))
		require.Equal(t, "nosniff", header.Get("X-Content-Type-Options"))
		require.Contains(t, header.Get("Content-Security-Policy"), "sandbox")
	}

	status, _, _ := send(t, http.MethodGet, h.book.Media(h.source(domain.SourceStatusPending).ID, h.now().Add(time.Hour)), nil)
	require.Equal(t, http.StatusNotFound, status)
}

func TestStillsAreNotServedYet(t *testing.T) {
	t.Parallel()

	h := newHarbour(t)
	url := h.book.Still("vid_1", 3, "small", "jpg", h.now().Add(time.Hour))
	status, _, _ := send(t, http.MethodGet, url, nil)
	require.Equal(t, http.StatusNotImplemented, status)
	status, _, _ = send(t, http.MethodGet, strings.Replace(url, "small", "large", 1), nil)
	require.Equal(t, http.StatusForbidden, status)
}
