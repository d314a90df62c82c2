package upload_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/workers/housekeeping"
)

func TestUpload(t *testing.T) {
	t.Parallel()

	h := newHarbour(t)
	src := h.source(values.SourceStatusPending)
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
	h.server.Intake.Wait = 10 * time.Millisecond
	src := h.source(values.SourceStatusPending)
	status, answer, _ := send(t, http.MethodPut, h.book.Upload(src.ID, h.now().Add(time.Hour)), http.NoBody)
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, answer, `"processing"`, "an empty file is accepted; the probe refuses it")
}

func TestUploadRefuses(t *testing.T) {
	t.Parallel()

	h := newHarbour(t)
	h.server.Intake.Wait = 0
	src := h.source(values.SourceStatusPending)
	good := h.book.Upload(src.ID, h.now().Add(time.Hour))

	for name, refused := range map[string]struct {
		method, url string
		body        io.Reader
		status      int
	}{
		"no signature":        {http.MethodPut, h.book.BaseURL + "/uploads/" + src.ID, nil, 403},
		"another's":           {http.MethodPut, strings.Replace(good, src.ID, h.source(values.SourceStatusPending).ID, 1), nil, 403},
		"for another use":     {http.MethodPut, strings.Replace(h.book.Download(src.ID, h.now().Add(time.Hour)), "downloads", "uploads", 1), nil, 403},
		"a source that went":  {http.MethodPut, h.book.Upload("su_00000000000000000000000000", h.now().Add(time.Hour)), nil, 404},
		"too large":           {http.MethodPut, good, bytes.NewReader(make([]byte, uploadMax+1)), 413},
		"too large, unsaid":   {http.MethodPut, good, io.MultiReader(bytes.NewReader(make([]byte, uploadMax+1))), 413},
		"another method":      {http.MethodPost, good, nil, 405},
		"another path":        {http.MethodPut, h.book.BaseURL + "/uploads/" + src.ID + "/more", nil, 404},
		"where they are made": {http.MethodPut, h.book.BaseURL + "/uploads", nil, 405},
		"complete":            {http.MethodPut, h.book.Upload(h.source(values.SourceStatusReady).ID, h.now().Add(time.Hour)), nil, 409},
		"failed":              {http.MethodPut, h.book.Upload(h.source(values.SourceStatusFailed).ID, h.now().Add(time.Hour)), nil, 409},
	} {
		status, answer, _ := send(t, refused.method, refused.url, refused.body)
		require.Equal(t, refused.status, status, name+": "+answer)
		require.Empty(t, h.files(), name)
	}

	status, _, _ := send(t, http.MethodPut, good, strings.NewReader("x"), "Content-Range", "bytes 0-0/2")
	require.Equal(t, http.StatusBadRequest, status)
	require.Equal(t, values.SourceStatusPending, h.read(src.ID).Status)
}

func TestUploadExpiryMovesWithEachAcceptedRequest(t *testing.T) {
	t.Parallel()

	h := newHarbour(t)
	src := h.source(values.SourceStatusPending)
	first := h.book.Upload(src.ID, h.now().Add(time.Hour))

	h.late.Store(int64(50 * time.Minute))
	require.Equal(t, 413, first413(t, first), "accepted, and then too large without saying so")

	h.late.Store(int64(100 * time.Minute))
	require.Equal(t, 413, first413(t, first), "after the signed time, within an hour of the last request")

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
	h.server.Intake.Wait = 0
	src := h.source(values.SourceStatusPending)
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
	require.Equal(t, values.SourceStatusPending, h.read(src.ID).Status)

	status, _, _ := send(t, http.MethodPut, url, strings.NewReader("all of it"))
	require.Equal(t, http.StatusOK, status)
}

// The removal of a file is queued before it is stored, in case the server dies before a row refers to it.
func TestUploadWithoutReferenceIsReclaimed(t *testing.T) {
	t.Parallel()

	h := newHarbour(t)
	h.server.Intake.Wait = 0
	src := h.source(values.SourceStatusPending)
	url := h.book.Upload(src.ID, h.now().Add(time.Hour))
	status, _, _ := send(t, http.MethodPut, url, io.MultiReader(bytes.NewReader(make([]byte, uploadMax+1))))
	require.Equal(t, http.StatusRequestEntityTooLarge, status)
	status, _, _ = send(t, http.MethodPut, url, strings.NewReader("all of it"))
	require.Equal(t, http.StatusOK, status)

	wanted := asked[jobs.Reclaim](h)
	require.Len(t, wanted, 2)
	require.Equal(t, h.read(src.ID).BlobKey, wanted[1].BlobKey)

	var early int
	require.NoError(t, h.store.DB.QueryRow(
		"SELECT count(*) FROM river_job WHERE kind = 'reclaim' AND scheduled_at < now() + interval '24 hours'").Scan(&early))
	require.Zero(t, early, "an upload may still be running")

	_, err := h.blobs.Put(t.Context(), wanted[0].BlobKey, strings.NewReader("nobody's"))
	require.NoError(t, err)

	w := &housekeeping.Reclaim{Deps: h.media()}
	reclaim := func() (faults error) {
		for _, args := range wanted {
			faults = errors.Join(faults, w.Work(t.Context(), &river.Job[jobs.Reclaim]{Args: args}))
		}

		return faults
	}

	var snooze *river.JobSnoozeError

	require.ErrorAs(t, reclaim(), &snooze, "a row may refer to it soon")
	h.late.Store(int64(25 * time.Hour))
	require.NoError(t, reclaim())
	require.False(t, h.kept(wanted[0].BlobKey))
	require.True(t, h.kept(wanted[1].BlobKey))
	require.NoError(t, reclaim())
}

func TestUploadOnceOfMany(t *testing.T) {
	t.Parallel()

	h := newHarbour(t)
	h.server.Intake.Wait = 0
	src := h.source(values.SourceStatusPending)
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
	h.server.Intake.Wait = 0
	h.server.UploadMax = 1 << 30

	var before, after runtime.MemStats

	runtime.ReadMemStats(&before)

	status, _, _ := send(t, http.MethodPut, h.book.Upload(h.source(values.SourceStatusPending).ID, h.now().Add(time.Hour)),
		io.LimitReader(zeros{}, 256<<20))

	runtime.ReadMemStats(&after)
	require.Equal(t, http.StatusOK, status)
	t.Logf("256 MiB took %d KiB from the heap", (after.TotalAlloc-before.TotalAlloc)>>10)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<20))
}
