package blob_test

import (
	"bytes"
	"crypto/rand"
	"io"
	"net"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/blob"
	"github.com/reelgraph/reelgraph/internal/blob/blobtest"
)

// objectStore starts a real S3-compatible server over a folder, and returns its endpoint.
func objectStore(t *testing.T) string {
	t.Helper()

	root := filepath.Join("..", "..")
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
	return "http://" + address
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

	endpoint := objectStore(t)
	blobtest.Run(t, func(t *testing.T) blob.Store {
		t.Helper()
		return newS3(t, endpoint, strings.ToLower(filepath.Base(t.Name())))
	})

	t.Run("large blobs", func(t *testing.T) {
		t.Parallel()
		largeBlobs(t, newS3(t, endpoint, "large"))
	})
	t.Run("no bucket", func(t *testing.T) {
		t.Parallel()

		_, err := blob.Open(t.Context(), "s3://key:secret@none?endpoint="+url.QueryEscape(endpoint))
		require.ErrorContains(t, err, "there is no bucket none")
		_, err = blob.Open(t.Context(), "s3://key:wrong@reel?endpoint="+url.QueryEscape(endpoint))
		require.ErrorContains(t, err, "reach bucket reel")
	})
}

// largeBlobs are those that go in pieces and come in windows.
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
