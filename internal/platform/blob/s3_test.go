package blob_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/blob/blobtest"
)

// objectStore starts a real S3-compatible server over a folder of buckets, and returns its endpoint.
func objectStore(t *testing.T) (endpoint, folder string) {
	t.Helper()

	root := filepath.Join("..", "..", "..")
	build := exec.CommandContext(t.Context(), "go", "tool", "-modfile=tools/s3/go.mod", "-n", "versitygw")
	build.Dir = root
	out, err := build.Output()
	require.NoError(t, err)

	free, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)

	address := free.Addr().String()
	require.NoError(t, free.Close())

	data, about := t.TempDir(), t.TempDir()
	server := exec.Command(strings.TrimSpace(string(out)),
		"--access", "key", "--secret", "secret", "--port", address, "--quiet", "posix", "--sidecar", about, data)
	server.Stdout, server.Stderr = t.Output(), t.Output()
	require.NoError(t, server.Start())
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	require.Eventually(t, func() bool {
		c, err := net.DialTimeout("tcp", address, time.Second)
		if err == nil {
			_ = c.Close()
		}

		return err == nil
	}, time.Minute, 10*time.Millisecond)

	client, err := minio.New(address, &minio.Options{Creds: credentials.NewStaticV4("key", "secret", "")})
	require.NoError(t, err)
	require.NoError(t, client.MakeBucket(t.Context(), "reel", minio.MakeBucketOptions{}))

	return "http://" + address, data
}

func newS3(t *testing.T, endpoint, prefix string) *blob.S3 {
	t.Helper()

	u, err := url.Parse("s3://key:secret@reel/" + prefix + "?endpoint=" + url.QueryEscape(endpoint))
	require.NoError(t, err)
	s, err := blob.OpenS3(t.Context(), u)
	require.NoError(t, err)

	return s
}

func TestS3(t *testing.T) {
	t.Parallel()

	endpoint, _ := objectStore(t)
	blobtest.Run(t, func(t *testing.T) blob.Store {
		t.Helper()

		return newS3(t, endpoint, strings.ToLower(filepath.Base(t.Name())))
	})

	t.Run("large blobs", func(t *testing.T) {
		t.Parallel()
		largeBlobs(t, newS3(t, endpoint, "large"))
	})
	t.Run("broken answers", func(t *testing.T) {
		t.Parallel()
		brokenAnswers(t, endpoint)
	})
	t.Run("what crashes left", func(t *testing.T) {
		t.Parallel()
		whatCrashesLeft(t, endpoint)
	})
	t.Run("no bucket", func(t *testing.T) {
		t.Parallel()

		_, err := blob.Open(t.Context(), "s3://key:secret@none?endpoint="+url.QueryEscape(endpoint))
		require.ErrorContains(t, err, "bucket none does not exist")
		_, err = blob.Open(t.Context(), "s3://key:wrong@reel?endpoint="+url.QueryEscape(endpoint))
		require.ErrorContains(t, err, "reach bucket reel")
	})
}

// While the bucket is missing, no blob counts as lost.
func TestS3Away(t *testing.T) {
	t.Parallel()

	endpoint, folder := objectStore(t)
	bucket, away := filepath.Join(folder, "reel"), filepath.Join(t.TempDir(), "reel")
	blobtest.Away(t, newS3(t, endpoint, "away"), func() func() {
		require.NoError(t, os.Rename(bucket, away))

		return func() { require.NoError(t, os.Rename(away, bucket)) }
	})
}

// brokenAnswers checks failures of the store, which a proxy in front of a real one simulates.
func brokenAnswers(t *testing.T, endpoint string) {
	t.Helper()

	var status atomic.Int64

	meanwhile := func() {} // called while a request hangs
	target, err := url.Parse(endpoint)
	require.NoError(t, err)

	through := &httputil.ReverseProxy{
		ErrorLog: log.New(io.Discard, "", 0), FlushInterval: -1,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = r.In.Host // part of the signature
		},
		ModifyResponse: func(r *http.Response) error {
			if status.Load() == http.StatusPartialContent && r.Request.Method == http.MethodGet {
				r.Body = struct {
					io.Reader
					io.Closer
				}{io.MultiReader(io.LimitReader(r.Body, 10), readerThatFails{}), r.Body}
			}

			return nil
		},
	}
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch code := int(status.Load()); {
		case code >= http.StatusBadRequest:
			w.WriteHeader(code)
		case code == http.StatusContinue:
			meanwhile()
			<-r.Context().Done()
		default:
			through.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(proxy.Close)

	s, key := newS3(t, proxy.URL, "broken"), blobtest.Key(t)
	_, err = s.Put(t.Context(), key, bytes.NewReader(make([]byte, 1000)))
	require.NoError(t, err)

	for code, want := range map[int]error{ // status codes that the client does not retry
		http.StatusForbidden: blob.ErrUnavailable, http.StatusNotImplemented: blob.ErrUnavailable,
		http.StatusInsufficientStorage: blob.ErrNoSpace,
	} {
		status.Store(int64(code))

		_, err = s.Stat(t.Context(), key)
		require.ErrorIs(t, err, want, code)
		_, err = s.Put(t.Context(), key, bytes.NewReader(nil))
		require.ErrorIs(t, err, want, code)
		_, err = s.Append(t.Context(), blobtest.Key(t), 0, bytes.NewReader(nil))
		require.ErrorIs(t, err, want, code)
		_, err = s.Settle(t.Context(), key)
		require.ErrorIs(t, err, want, code)
	}

	status.Store(http.StatusPartialContent)

	_, _, err = blob.Local(t.Context(), s, key, t.TempDir())
	require.ErrorIs(t, err, blob.ErrUnavailable, "the response breaks off")

	gone := errors.New("the request is over")
	ctx, cancel := context.WithCancelCause(t.Context())
	meanwhile = func() { cancel(gone) }

	status.Store(http.StatusContinue)

	_, err = s.Stat(ctx, key)
	require.ErrorIs(t, err, gone)
	require.NotErrorIs(t, err, blob.ErrUnavailable, "not a failure of the store")
}

// whatCrashesLeft checks that Sweep and Settle remove what crashes leave: incomplete multipart uploads, and pieces of
// a settled blob.
func whatCrashesLeft(t *testing.T, endpoint string) {
	t.Helper()

	core, err := minio.NewCore(strings.TrimPrefix(endpoint, "http://"), &minio.Options{Creds: credentials.NewStaticV4("key", "secret", "")})
	require.NoError(t, err)
	s, key := newS3(t, endpoint, "left"), blobtest.Key(t)

	for _, name := range []string{"left/" + key, "left/backups/db.tar", "others/" + key} {
		_, err = core.NewMultipartUpload(t.Context(), "reel", name, minio.PutObjectOptions{})
		require.NoError(t, err)
	}

	begun := func() (names []string) {
		for _, prefix := range []string{"left/", "others/"} {
			for u := range core.ListIncompleteUploads(t.Context(), "reel", prefix, true) {
				require.NoError(t, u.Err)
				names = append(names, u.Key)
			}
		}

		return names
	}

	require.NoError(t, s.Sweep(t.Context(), time.Now().Add(time.Hour)))
	require.Len(t, begun(), 3, "another process may be uploading it, for days")
	require.NoError(t, s.Sweep(t.Context(), time.Now().Add(7*24*time.Hour)))
	require.Equal(t, []string{"left/backups/db.tar", "others/" + key}, begun())

	_, err = s.Append(t.Context(), key, 0, bytes.NewReader([]byte("all")))
	require.NoError(t, err)
	_, err = s.Settle(t.Context(), key)
	require.NoError(t, err)

	piece := "left/.growing/" + key + "/00000000000000000003" // the server died after it had removed the first piece
	_, err = core.Client.PutObject(t.Context(), "reel", piece, strings.NewReader("x"), 1, minio.PutObjectOptions{})
	require.NoError(t, err)
	_, err = s.Settle(t.Context(), key)
	require.NoError(t, err)
	_, err = core.StatObject(t.Context(), "reel", piece, minio.StatObjectOptions{})
	require.Equal(t, http.StatusNotFound, minio.ToErrorResponse(err).StatusCode)
}

// largeBlobs checks blobs that are uploaded in parts and read in windows.
func largeBlobs(t *testing.T, s *blob.S3) {
	t.Helper()

	all := make([]byte, 17<<20)
	_, _ = rand.Read(all)

	key := blobtest.Key(t)
	_, err := s.Put(t.Context(), key, bytes.NewReader(all))
	require.NoError(t, err)
	require.True(t, bytes.Equal(all, blobtest.Get(t, s, key)))

	grown := blobtest.Key(t)
	n, err := s.Append(t.Context(), grown, 0, bytes.NewReader(all[:9<<20]))
	require.NoError(t, err)
	_, err = s.Append(t.Context(), grown, n, bytes.NewReader(all[n:]))
	require.NoError(t, err)
	_, err = s.Settle(t.Context(), grown)
	require.NoError(t, err)
	require.True(t, bytes.Equal(all, blobtest.Get(t, s, grown)))

	lost := blobtest.Key(t)
	_, err = s.Put(t.Context(), lost, io.MultiReader(bytes.NewReader(all), readerThatFails{}))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	_, err = s.Stat(t.Context(), lost)
	require.ErrorIs(t, err, blob.ErrNotFound)
}
