// Package blobtest is the suite that every blob.Store must pass.
package blobtest

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/blob"
)

// Run runs the suite. Each test gets an empty store.
func Run(t *testing.T, newStore func(t *testing.T) blob.Store) {
	t.Helper()

	for name, test := range map[string]func(*testing.T, blob.Store){
		"put and read":           putAndRead,
		"put a file":             putFile,
		"replace":                replace,
		"absent":                 absent,
		"delete":                 remove,
		"bad keys":               badKeys,
		"failed put":             failedPut,
		"done context":           doneContext,
		"serves ranges":          servesRanges,
		"local file":             localFile,
		"readers and one writer": readersAndWriter,
		"many writers":           manyWriters,
		"grows":                  grows,
		"grows at its end":       growsAtItsEnd,
		"grows from nothing":     growsFromNothing,
		"broken append":          brokenAppend,
		"many append":            manyAppend,
		"settled underneath":     settledUnderneath,
		"grows again":            growsAgain,
		"join":                   join,
		"sweep":                  sweep,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, newStore(t))
		})
	}
}

// Key returns a new key for a test.
func Key(t *testing.T) string {
	t.Helper()

	key, err := blob.NewKey("test", ".bin")
	require.NoError(t, err)

	return key
}

// Get reads a whole blob.
func Get(t *testing.T, s blob.Store, key string) []byte {
	t.Helper()
	o, err := s.Open(t.Context(), key)
	require.NoError(t, err)
	body, err := io.ReadAll(o.Content)
	require.NoError(t, err)
	require.NoError(t, o.Content.Close())
	require.EqualValues(t, len(body), o.Size)

	return body
}

func random(t *testing.T, n int) []byte {
	t.Helper()

	b := make([]byte, n)
	_, err := rand.Read(b)
	require.NoError(t, err)

	return b
}

func putAndRead(t *testing.T, s blob.Store) {
	t.Helper()

	for _, size := range []int{0, 1, 4096, 1<<20 + 7} {
		key, want, before := Key(t), random(t, size), time.Now()
		st, err := s.Put(t.Context(), key, iotest.HalfReader(bytes.NewReader(want)))
		require.NoError(t, err)
		require.EqualValues(t, size, st.Size)
		require.WithinRange(t, st.ModTime, before.Add(-2*time.Second), time.Now().Add(2*time.Second))
		require.Equal(t, want, Get(t, s, key))

		again, err := s.Stat(t.Context(), key)
		require.NoError(t, err)
		require.Equal(t, st.Size, again.Size)
		require.True(t, st.ModTime.Equal(again.ModTime))
		there, err := blob.Exists(t.Context(), s, key)
		require.NoError(t, err)
		require.True(t, there)
	}

	key, want := Key(t), random(t, 1000)
	_, err := s.Put(t.Context(), key, bytes.NewReader(want))
	require.NoError(t, err)
	o, err := s.Open(t.Context(), key)
	require.NoError(t, err)

	defer func() { _ = o.Content.Close() }()

	for _, at := range []int64{900, 0, 500} {
		_, err = o.Content.Seek(at, io.SeekStart)
		require.NoError(t, err)
		rest, err := io.ReadAll(o.Content)
		require.NoError(t, err)
		require.Equal(t, want[at:], rest)
	}

	end, err := o.Content.Seek(-10, io.SeekEnd)
	require.NoError(t, err)
	require.EqualValues(t, 990, end)
}

func putFile(t *testing.T, s blob.Store) {
	t.Helper()

	want := random(t, 100_000)
	path := filepath.Join(t.TempDir(), "upload")
	require.NoError(t, os.WriteFile(path, want, 0o600))

	old := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(path, old, old))

	key := Key(t)
	st, err := s.PutFile(t.Context(), key, path)
	require.NoError(t, err)
	require.EqualValues(t, len(want), st.Size)
	require.WithinDuration(t, time.Now(), st.ModTime, time.Minute, "it is as old as its place in the store")
	require.Equal(t, want, Get(t, s, key))
	require.NoFileExists(t, path, "the store took it over")

	_, err = s.PutFile(t.Context(), Key(t), path)
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = s.PutFile(t.Context(), Key(t), t.TempDir())
	require.ErrorContains(t, err, "not a regular file")
}

func replace(t *testing.T, s blob.Store) {
	t.Helper()

	key := Key(t)
	_, err := s.Put(t.Context(), key, bytes.NewReader(random(t, 5000)))
	require.NoError(t, err)
	_, err = s.Put(t.Context(), key, bytes.NewReader([]byte("short")))
	require.NoError(t, err)
	require.Equal(t, []byte("short"), Get(t, s, key))
}

func absent(t *testing.T, s blob.Store) {
	t.Helper()

	key := Key(t)
	_, err := s.Open(t.Context(), key)
	require.ErrorIs(t, err, blob.ErrNotFound)
	_, err = s.Stat(t.Context(), key)
	require.ErrorIs(t, err, blob.ErrNotFound)
	_, _, err = blob.Local(t.Context(), s, key, t.TempDir())
	require.ErrorIs(t, err, blob.ErrNotFound)
	there, err := blob.Exists(t.Context(), s, key)
	require.NoError(t, err)
	require.False(t, there)

	// A folder that holds blobs is not a blob.
	_, err = s.Put(t.Context(), "area/part/name.bin", bytes.NewReader(nil))
	require.NoError(t, err)

	for _, folder := range []string{"area", "area/part"} {
		_, err = s.Open(t.Context(), folder)
		require.ErrorIs(t, err, blob.ErrNotFound)
		_, err = s.Stat(t.Context(), folder)
		require.ErrorIs(t, err, blob.ErrNotFound)
		require.NoError(t, s.Delete(t.Context(), folder))
	}

	_, err = s.Stat(t.Context(), "area/part/name.bin")
	require.NoError(t, err)
}

func remove(t *testing.T, s blob.Store) {
	t.Helper()

	key, other := Key(t), Key(t)
	require.NoError(t, s.Delete(t.Context(), key), "deleting a missing blob is no error")

	for _, k := range []string{key, other} {
		_, err := s.Put(t.Context(), k, bytes.NewReader([]byte(k)))
		require.NoError(t, err)
	}

	require.NoError(t, s.Delete(t.Context(), key))
	require.NoError(t, s.Delete(t.Context(), key))
	_, err := s.Open(t.Context(), key)
	require.ErrorIs(t, err, blob.ErrNotFound)
	require.Equal(t, []byte(other), Get(t, s, other))
}

// pair holds the keys of a whole blob and of an unfinished growing one.
func pair(t *testing.T, s blob.Store) (key, growing string) {
	t.Helper()

	key, growing = Key(t), Key(t)
	_, err := s.Put(t.Context(), key, bytes.NewReader([]byte("whole")))
	require.NoError(t, err)
	_, err = s.Append(t.Context(), growing, 0, bytes.NewReader([]byte("half")))
	require.NoError(t, err)

	return key, growing
}

// sweep checks that no blob is removed, growing or not, however old.
func sweep(t *testing.T, s blob.Store) {
	t.Helper()

	key, growing := pair(t, s)

	require.NoError(t, s.Sweep(t.Context(), time.Now().Add(time.Hour)))
	require.Equal(t, []byte("whole"), Get(t, s, key))
	requireGrown(t, s, growing, []byte("half"))
}

// Away tests a store whose folder or bucket is missing. take removes the folder or bucket and returns a function that
// restores it. While it is missing, the store must return ErrUnavailable, not ErrNotFound, and must not store
// anything elsewhere.
func Away(t *testing.T, s blob.Store, take func() (giveBack func())) {
	t.Helper()

	key, growing := pair(t, s)
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, []byte("file"), 0o600))

	giveBack := take()

	for name, ask := range map[string]func() error{
		"put": func() error {
			_, err := s.Put(t.Context(), Key(t), bytes.NewReader([]byte("new")))

			return err
		},
		"put file": func() error {
			_, err := s.PutFile(t.Context(), Key(t), path)

			return err
		},
		"open": func() error {
			_, err := s.Open(t.Context(), key)

			return err
		},
		"begin": func() error {
			_, err := s.Append(t.Context(), Key(t), 0, bytes.NewReader([]byte("new")))

			return err
		},
		"append": func() error {
			_, err := s.Append(t.Context(), growing, 4, bytes.NewReader([]byte("more")))

			return err
		},
		"measure": func() error {
			_, err := s.Grown(t.Context(), growing)

			return err
		},
		"open growing": func() error {
			_, err := s.OpenGrowing(t.Context(), growing)

			return err
		},
		"settle": func() error {
			_, err := s.Settle(t.Context(), growing)

			return err
		},
		"delete": func() error { return s.Delete(t.Context(), key) },
		"sweep":  func() error { return s.Sweep(t.Context(), time.Now()) },
	} {
		err := ask()
		require.ErrorIs(t, err, blob.ErrUnavailable, name)
		require.NotErrorIs(t, err, blob.ErrNotFound, name)
	}

	require.FileExists(t, path, "it was not taken over")

	giveBack()
	require.Equal(t, []byte("whole"), Get(t, s, key))
	requireGrown(t, s, growing, []byte("half"))
}

func badKeys(t *testing.T, s blob.Store) {
	t.Helper()

	for _, key := range []string{
		"", ".", "..", "/", "/etc/passwd", "../x", "a/../b", "a//b", "a/", "./a", ".hidden", ".incoming/x",
		"a b", "Ä", "A", "a\x00b", "a\nb", "a.b.c", "a./b", "-a", "a\\b", string(bytes.Repeat([]byte("a"), 201)),
	} {
		_, err := s.Put(t.Context(), key, bytes.NewReader(nil))
		require.ErrorIs(t, err, blob.ErrBadKey, "%q", key)
		_, err = s.PutFile(t.Context(), key, "/nonexistent")
		require.ErrorIs(t, err, blob.ErrBadKey, "%q", key)
		_, err = s.Open(t.Context(), key)
		require.ErrorIs(t, err, blob.ErrBadKey, "%q", key)
		_, err = s.Stat(t.Context(), key)
		require.ErrorIs(t, err, blob.ErrBadKey, "%q", key)
		require.ErrorIs(t, s.Delete(t.Context(), key), blob.ErrBadKey, "%q", key)
		_, ok := s.Path(key)
		require.False(t, ok, "%q", key)
	}
}

func failedPut(t *testing.T, s blob.Store) {
	t.Helper()

	// io.ErrUnexpectedEOF is how a broken connection ends; the store must not take it for the end of the
	// body.
	for _, broken := range []error{errors.New("the client went away"), io.ErrUnexpectedEOF} {
		key := Key(t)
		half := func() io.Reader {
			return io.MultiReader(bytes.NewReader(random(t, 100_000)), iotest.ErrReader(broken))
		}
		_, err := s.Put(t.Context(), key, half())
		require.ErrorIs(t, err, broken)
		require.NotErrorIs(t, err, blob.ErrUnavailable, "the store is not to blame")
		_, err = s.Stat(t.Context(), key)
		require.ErrorIs(t, err, blob.ErrNotFound, "an incomplete blob is not visible")

		_, err = s.Put(t.Context(), key, bytes.NewReader([]byte("whole")))
		require.NoError(t, err)
		_, err = s.Put(t.Context(), key, half())
		require.ErrorIs(t, err, broken)
		require.Equal(t, []byte("whole"), Get(t, s, key), "the earlier blob stays")
	}
}

func doneContext(t *testing.T, s blob.Store) {
	t.Helper()

	gone := errors.New("the request is over")
	ctx, cancel := context.WithCancelCause(t.Context())
	key := Key(t)

	// The reader itself cancels in the middle of a put.
	_, err := s.Put(ctx, key, io.MultiReader(bytes.NewReader(random(t, 100_000)), readerFunc(func(b []byte) (int, error) {
		cancel(gone)

		return copy(b, "more"), nil
	})))
	require.ErrorIs(t, err, gone)
	require.NotErrorIs(t, err, blob.ErrUnavailable)
	_, err = s.Stat(t.Context(), key)
	require.ErrorIs(t, err, blob.ErrNotFound)

	path := filepath.Join(t.TempDir(), "upload")
	require.NoError(t, os.WriteFile(path, []byte("x"), 0o600))
	_, err = s.PutFile(ctx, key, path)
	require.ErrorIs(t, err, gone)
	require.FileExists(t, path)

	_, err = s.Open(ctx, key)
	require.ErrorIs(t, err, gone)
	_, err = s.Stat(ctx, key)
	require.ErrorIs(t, err, gone)
	require.ErrorIs(t, s.Delete(ctx, key), gone)
	require.NotErrorIs(t, s.Delete(ctx, key), blob.ErrUnavailable)
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

func servesRanges(t *testing.T, s blob.Store) {
	t.Helper()

	key, want := Key(t), random(t, 10_000)
	_, err := s.Put(t.Context(), key, bytes.NewReader(want))
	require.NoError(t, err)

	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		o, err := s.Open(r.Context(), key)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)

			return
		}
		defer func() { _ = o.Content.Close() }()

		http.ServeContent(w, r, "video.mp4", o.ModTime, o.Content)
	})

	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	r.Header.Set("Range", "bytes=9000-9099")

	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	require.Equal(t, http.StatusPartialContent, w.Code)
	require.Equal(t, "bytes 9000-9099/10000", w.Header().Get("Content-Range"))
	require.Equal(t, want[9000:9100], w.Body.Bytes())

	r = httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	r.Header.Set("If-Modified-Since", w.Header().Get("Last-Modified"))
	w = httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	require.Equal(t, http.StatusNotModified, w.Code)
}

func localFile(t *testing.T, s blob.Store) {
	t.Helper()

	key, want := Key(t), random(t, 10_000)
	_, err := s.Put(t.Context(), key, bytes.NewReader(want))
	require.NoError(t, err)
	path, release, err := blob.Local(t.Context(), s, key, t.TempDir())
	require.NoError(t, err)
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, want, got)
	release()
	require.Equal(t, want, Get(t, s, key), "releasing the file keeps the blob")
}

// readersAndWriter checks that a reader never sees a mixture of two blobs, or nothing.
func readersAndWriter(t *testing.T, s blob.Store) {
	t.Helper()

	key := Key(t)
	version := func(i int) []byte { return bytes.Repeat([]byte{byte(i)}, 20_000+i) }
	_, err := s.Put(t.Context(), key, bytes.NewReader(version(0)))
	require.NoError(t, err)

	var readers sync.WaitGroup

	done := make(chan struct{})

	for range 4 {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}

				o, err := s.Open(t.Context(), key)
				if err != nil {
					t.Errorf("open: %v", err)

					return
				}

				body, err := io.ReadAll(o.Content)
				_ = o.Content.Close()

				if err != nil || len(body) < 20_000 || !bytes.Equal(body, version(len(body)-20_000)) {
					t.Errorf("read a mixture of %d bytes: %v", len(body), err)

					return
				}
			}
		})
	}

	for i := range 20 {
		_, err := s.Put(t.Context(), key, bytes.NewReader(version(i)))
		require.NoError(t, err)
	}

	close(done)
	readers.Wait()
}

func manyWriters(t *testing.T, s blob.Store) {
	t.Helper()

	key := Key(t)

	var writers sync.WaitGroup
	for i := range 8 {
		writers.Go(func() {
			if _, err := s.Put(t.Context(), key, bytes.NewReader(bytes.Repeat([]byte{byte(i)}, 50_000))); err != nil {
				t.Errorf("put: %v", err)
			}
		})
	}

	writers.Wait()

	body := Get(t, s, key)
	require.Len(t, body, 50_000)
	require.Equal(t, bytes.Repeat(body[:1], 50_000), body, "one of them won, whole")
}
