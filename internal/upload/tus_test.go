package upload_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/workers/housekeeping"
)

// patch sends the next bytes of an upload.
func patch(t *testing.T, url string, offset int64, body io.Reader, header ...string) (status int, answer string, h http.Header) {
	t.Helper()

	return send(t, http.MethodPatch, url, body, append([]string{
		"Tus-Resumable", "1.0.0", "Content-Type", "application/offset+octet-stream", "Upload-Offset", strconv.FormatInt(offset, 10),
	}, header...)...)
}

// offset requests the offset of an upload.
func offset(t *testing.T, url string) (int64, http.Header) {
	t.Helper()

	status, _, h := send(t, http.MethodHead, url, nil, "Tus-Resumable", "1.0.0")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "1.0.0", h.Get("Tus-Resumable"))
	require.Equal(t, "no-store", h.Get("Cache-Control"))

	n, err := strconv.ParseInt(h.Get("Upload-Offset"), 10, 64)
	require.NoError(t, err)

	return n, h
}

// grown returns what has arrived of an incomplete source.
func (h *harbour) grown(src *ent.Source) []byte {
	h.Helper()

	if h.read(src.ID).BlobKey == "" {
		return nil
	}

	o, err := h.blobs.OpenGrowing(h.Context(), h.read(src.ID).BlobKey)
	if errors.Is(err, blob.ErrNotFound) {
		return nil
	}

	require.NoError(h, err)

	defer o.Content.Close()

	content, err := io.ReadAll(o.Content)
	require.NoError(h, err)

	return content
}

func TestTusPieceByPiece(t *testing.T) {
	t.Parallel()

	h := newHarbour(t)
	src := h.source(values.SourceStatusPending)
	url := h.book.Upload(src.ID, h.now().Add(time.Hour))

	at, header := offset(t, url)
	require.Zero(t, at)
	require.Equal(t, "1", header.Get("Upload-Defer-Length"))

	status, answer, header := patch(t, url, 0, strings.NewReader("first, "))
	require.Equal(t, http.StatusNoContent, status, answer)
	require.Equal(t, "7", header.Get("Upload-Offset"))
	until, err := http.ParseTime(header.Get("Upload-Expires"))
	require.NoError(t, err)
	require.WithinDuration(t, h.now().Add(time.Hour), until, time.Minute)
	require.Equal(t, values.SourceStatusUploading, h.read(src.ID).Status)
	require.Equal(t, "first, ", string(h.grown(src)), "readable while it arrives")

	status, answer, _ = patch(t, url, 7, strings.NewReader("second"), "Upload-Length", "18")
	require.Equal(t, http.StatusNoContent, status, answer)
	at, header = offset(t, url)
	require.EqualValues(t, 13, at)
	require.Equal(t, "18", header.Get("Upload-Length"))
	require.Empty(t, header.Get("Upload-Defer-Length"))

	go h.probe(src.ID)

	status, answer, header = send(t, http.MethodPost, url, strings.NewReader(", end"), "X-HTTP-Method-Override", "PATCH",
		"Tus-Resumable", "1.0.0", "Content-Type", "application/offset+octet-stream", "Upload-Offset", "13")
	require.Equal(t, http.StatusNoContent, status, answer)
	require.Equal(t, "18", header.Get("Upload-Offset"))
	require.Equal(t, values.SourceStatusReady, h.read(src.ID).Status, "answered after the probe")
	require.EqualValues(t, 18, h.read(src.ID).Bytes)

	at, header = offset(t, url)
	require.EqualValues(t, 18, at, "a client that missed the last response learns the offset")
	require.Equal(t, "18", header.Get("Upload-Length"))
	status, _, _ = patch(t, url, 18, strings.NewReader("x"))
	require.Equal(t, http.StatusConflict, status)
}

func TestTusRefuses(t *testing.T) {
	t.Parallel()

	h := newHarbour(t)
	h.server.Intake.Wait = 0
	src := h.source(values.SourceStatusPending)
	url := h.book.Upload(src.ID, h.now().Add(time.Hour))
	status, _, _ := patch(t, url, 0, strings.NewReader("12345"), "Upload-Length", "10")
	require.Equal(t, http.StatusNoContent, status)

	for name, refused := range map[string]struct {
		url    string
		offset int64
		body   io.Reader
		header []string
		status int
	}{
		"behind":              {url, 4, strings.NewReader("x"), nil, 409},
		"ahead":               {url, 6, strings.NewReader("x"), nil, 409},
		"more than announced": {url, 5, strings.NewReader("123456"), nil, 413},
		"another length":      {url, 5, strings.NewReader("x"), []string{"Upload-Length", "11"}, 400},
		"no number":           {url, 5, strings.NewReader("x"), []string{"Upload-Offset", "five"}, 400},
		"below zero":          {url, 5, strings.NewReader("x"), []string{"Upload-Offset", "-5"}, 400},
		"no offset":           {url, 5, strings.NewReader("x"), []string{"Upload-Offset", ""}, 400},
		"another type":        {url, 5, strings.NewReader("x"), []string{"Content-Type", "video/mp4"}, 415},
		"another version":     {url, 5, strings.NewReader("x"), []string{"Tus-Resumable", "0.2.2"}, 412},
		"no signature":        {h.book.BaseURL + "/uploads/" + src.ID, 5, strings.NewReader("x"), nil, 403},
		"complete":            {h.book.Upload(h.source(values.SourceStatusReady).ID, h.now().Add(time.Hour)), 0, strings.NewReader("x"), nil, 409},
		"too large": {
			h.book.Upload(h.source(values.SourceStatusPending).ID, h.now().Add(time.Hour)), 0, strings.NewReader("x"),
			[]string{"Upload-Length", strconv.Itoa(uploadMax + 1)},
			413,
		},
	} {
		status, answer, header := patch(t, refused.url, refused.offset, refused.body, refused.header...)
		require.Equal(t, refused.status, status, name+": "+answer)
		require.Equal(t, "1.0.0", header.Get("Tus-Resumable"), name)
		require.Equal(t, "12345", string(h.grown(src)), name)
	}

	// An upload of unknown length may be as long as the limit; what fitted stays.
	status, _, _ = patch(t, url, 5, io.MultiReader(strings.NewReader("678901")))
	require.Equal(t, http.StatusRequestEntityTooLarge, status)

	status, answer, header := send(t, http.MethodOptions, url, nil)
	require.Equal(t, http.StatusNoContent, status, answer)
	require.Equal(t, "1.0.0", header.Get("Tus-Version"))
	require.Equal(t, strconv.Itoa(uploadMax), header.Get("Tus-Max-Size"))
	require.Contains(t, header.Get("Tus-Extension"), "creation-defer-length")

	h.late.Store(int64(2 * time.Hour))

	status, _, _ = send(t, http.MethodHead, url, nil, "Tus-Resumable", "1.0.0")
	require.Equal(t, http.StatusForbidden, status)
}

// The announced length is stored only with an accepted piece.
func TestTusLengthOfARefusedPiece(t *testing.T) {
	t.Parallel()

	h := newHarbour(t)
	h.server.Intake.Wait = 0
	src := h.source(values.SourceStatusPending)
	url := h.book.Upload(src.ID, h.now().Add(time.Hour))
	status, _, _ := patch(t, url, 0, strings.NewReader("12345"))
	require.Equal(t, http.StatusNoContent, status)

	status, _, _ = patch(t, url, 4, strings.NewReader("x"), "Upload-Length", "9")
	require.Equal(t, http.StatusConflict, status)
	status, answer, _ := patch(t, url, 5, nil, "Upload-Length", "3")
	require.Equal(t, http.StatusBadRequest, status, answer)
	_, header := offset(t, url)
	require.Equal(t, "1", header.Get("Upload-Defer-Length"))

	status, answer, _ = patch(t, url, 5, strings.NewReader("67"), "Upload-Length", "7")
	require.Equal(t, http.StatusNoContent, status, answer)
	require.Equal(t, values.SourceStatusProcessing, h.read(src.ID).Status)
}

// A piece that the storage could not store is not recorded, whatever length it announced.
func TestTusStorageFails(t *testing.T) {
	t.Parallel()

	h := newHarbour(t)
	h.server.Intake.Wait = 0
	src := h.source(values.SourceStatusPending)
	url := h.book.Upload(src.ID, h.now().Add(time.Hour))
	require.NoError(t, os.WriteFile(filepath.Join(h.Root, ".growing"), nil, 0o600))

	status, _, _ := patch(t, url, 0, nil, "Upload-Length", "0")
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Equal(t, values.SourceStatusUploading, h.read(src.ID).Status)

	require.NoError(t, os.Remove(filepath.Join(h.Root, ".growing")))
	status, answer, _ := patch(t, url, 0, nil, "Upload-Length", "0")
	require.Equal(t, http.StatusNoContent, status, answer)
	require.Equal(t, values.SourceStatusProcessing, h.read(src.ID).Status)
}

// A PUT replaces the whole file: pieces that came before or during it are dropped.
func TestPutInPlaceOfPieces(t *testing.T) {
	t.Parallel()

	h := newHarbour(t)
	h.server.Intake.Wait = 0
	src := h.source(values.SourceStatusPending)
	url := h.book.Upload(src.ID, h.now().Add(time.Hour))
	status, _, _ := patch(t, url, 0, strings.NewReader("half"))
	require.Equal(t, http.StatusNoContent, status)

	meanwhile := &interruption{then: func() {
		require.Eventually(t, func() bool {
			n, err := h.blobs.Grown(t.Context(), h.read(src.ID).BlobKey)

			return err == nil && n > 4
		}, 10*time.Second, time.Millisecond, "the piece was accepted, and comes")

		status, answer, _ := send(t, http.MethodPut, url, strings.NewReader("all of it"))
		require.Equal(t, http.StatusOK, status, answer)
	}}
	status, answer, _ := patch(t, url, 4, meanwhile)
	require.Equal(t, http.StatusConflict, status, answer)
	require.Len(t, h.files(), 1)
	content, err := os.ReadFile(h.files()[0])
	require.NoError(t, err)
	require.Equal(t, "all of it", string(content))

	src = h.source(values.SourceStatusPending)
	url = h.book.Upload(src.ID, h.now().Add(time.Hour))
	status, answer, _ = send(t, http.MethodPut, url, &interruption{then: func() {
		status, _, _ := patch(t, url, 0, strings.NewReader("half"))
		require.Equal(t, http.StatusNoContent, status)
	}})
	require.Equal(t, http.StatusOK, status, answer)
	require.Len(t, h.files(), 3)

	discard := &housekeeping.Discard{Deps: h.media()}
	for _, args := range asked[jobs.Discard](h) {
		require.NoError(t, discard.Work(t.Context(), &river.Job[jobs.Discard]{Args: args}))
	}

	require.Len(t, h.files(), 2, "the pieces that came during the PUT are gone")
	require.True(t, h.kept(h.read(src.ID).BlobKey))
}

// kept reports whether a key has a blob.
func (h *harbour) kept(key string) bool {
	h.Helper()

	kept, err := blob.Exists(h.Context(), h.blobs, key)
	require.NoError(h, err)

	return kept
}

// interruption is a body that calls a function in its middle.
type interruption struct {
	then func()
	read int
}

func (i *interruption) Read(b []byte) (int, error) {
	i.read++
	if i.read > 2 {
		return 0, io.EOF
	}

	if i.read == 2 {
		i.then()
	}

	return copy(b, "more"), nil
}

// A broken connection loses nothing that had arrived.
func TestTusResumesAfterLostConnection(t *testing.T) {
	t.Parallel()

	h := newHarbour(t)
	h.server.Intake.Wait = 0
	src := h.source(values.SourceStatusPending)
	url := h.book.Upload(src.ID, h.now().Add(time.Hour))
	all := random(300_000)

	for at, most := int64(0), int64(0); at < 250_000; {
		body, out := io.Pipe()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPatch, url, body)
		require.NoError(t, err)
		r.Header.Set("Tus-Resumable", "1.0.0")
		r.Header.Set("Content-Type", "application/offset+octet-stream")
		r.Header.Set("Upload-Offset", strconv.FormatInt(at, 10))
		r.ContentLength = int64(len(all)) - at

		ended := make(chan struct{})
		go func() {
			defer close(ended)

			if resp, err := http.DefaultClient.Do(r); err == nil {
				_ = resp.Body.Close()
			}
		}()

		sent := min(at+rand.Int64N(100_000)+1, 299_999)
		most = max(most, sent)
		_, err = out.Write(all[at:sent])
		require.NoError(t, err)
		require.NoError(t, out.CloseWithError(errors.New("the line is cut")))
		<-ended

		now, _ := offset(t, url) // bytes of the broken request may still arrive meanwhile
		require.LessOrEqual(t, now, most)
		require.GreaterOrEqual(t, now, at)
		at = now
	}

	for at, _ := offset(t, url); at < int64(len(all)); at, _ = offset(t, url) {
		_, _, _ = patch(t, url, at, bytes.NewReader(all[at:]), "Upload-Length", strconv.Itoa(len(all)))
	}

	require.Equal(t, values.SourceStatusProcessing, h.read(src.ID).Status)
	_, err := h.blobs.Settle(t.Context(), h.read(src.ID).BlobKey)
	require.NoError(t, err)
	kept, err := os.ReadFile(h.files()[0])
	require.NoError(t, err)
	require.Equal(t, sha256.Sum256(all), sha256.Sum256(kept))
}

func random(n int) []byte {
	b := make([]byte, n)
	source := rand.NewChaCha8([32]byte{1})
	_, _ = source.Read(b)

	return b
}

// harbourEnv tells the re-executed test binary where to serve until it is killed.
const harbourEnv = "TRANSFER_TEST_UNTIL_KILLED"

// TestTusSurvivesKill kills the server of an upload while bytes arrive.
func TestTusSurvivesKill(t *testing.T) {
	if orders := os.Getenv(harbourEnv); orders != "" {
		serveUntilKilled(t, orders)
	}

	t.Parallel()

	h := newHarbour(t)
	h.server.Intake.Wait = 0
	src := h.source(values.SourceStatusPending)
	own := h.book.Upload(src.ID, h.now().Add(time.Hour))
	all := random(uploadMax)
	at := int64(0)

	for range 2 {
		base, kill := h.victim()
		body := io.MultiReader(bytes.NewReader(all[at:at+300_000+rand.Int64N(100_000)]), readerFunc(func([]byte) (int, error) {
			require.Eventually(t, func() bool { return len(h.grown(src)) > int(at) }, time.Minute, time.Millisecond)
			kill()

			return 0, errors.New("the server is gone")
		}))
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPatch, strings.Replace(own, h.book.BaseURL, base, 1), body)
		require.NoError(t, err)
		r.Header.Set("Tus-Resumable", "1.0.0")
		r.Header.Set("Content-Type", "application/offset+octet-stream")
		r.Header.Set("Upload-Offset", strconv.FormatInt(at, 10))
		_, err = http.DefaultClient.Do(r) //nolint:bodyclose // the request fails
		require.Error(t, err)

		now, _ := offset(t, own) // another server continues
		require.Greater(t, now, at)
		require.Equal(t, sha256.Sum256(all[:now]), sha256.Sum256(h.grown(src)))
		at = now
	}

	status, answer, _ := patch(t, own, at, bytes.NewReader(all[at:]), "Upload-Length", strconv.Itoa(len(all)))
	require.Equal(t, http.StatusNoContent, status, answer)
	require.Equal(t, sha256.Sum256(all), sha256.Sum256(h.grown(src)))
	require.Equal(t, values.SourceStatusProcessing, h.read(src.ID).Status)
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

// victim serves the harbour's addresses at base in a separate process until it is killed.
func (h *harbour) victim() (base string, kill func()) {
	h.Helper()

	orders, err := json.Marshal(h.place)
	require.NoError(h, err)
	self, err := os.Executable()
	require.NoError(h, err)

	child := exec.Command(self, "-test.run", "^TestTusSurvivesKill$")

	child.Env = append(os.Environ(), harbourEnv+"="+string(orders))
	out, err := child.StdoutPipe()
	require.NoError(h, err)
	require.NoError(h, child.Start())

	kill = func() {
		_ = child.Process.Kill()
		_ = child.Wait()
	}
	h.Cleanup(kill)

	base, err = bufio.NewReader(out).ReadString('\n')
	require.NoError(h, err)

	return strings.TrimSpace(base), kill
}

func serveUntilKilled(t *testing.T, orders string) {
	t.Helper()

	var at place
	require.NoError(t, json.Unmarshal([]byte(orders), &at))
	_, err := os.Stdout.WriteString(openHarbour(t, at).book.BaseURL + "\n")
	require.NoError(t, err)
	<-t.Context().Done()
}
