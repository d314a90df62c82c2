package blob_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/blob/blobtest"
)

// fullDir is the environment variable with which TestDirNoSpace starts this test binary again: it names the folder of
// the store to fill.
const fullDir = "BLOB_TEST_FULL_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(fullDir); dir != "" {
		if err := fill(dir); err != nil {
			_, _ = io.WriteString(os.Stderr, err.Error())

			os.Exit(1)
		}

		os.Exit(0)
	}

	os.Exit(m.Run())
}

func newDir(t *testing.T) *blob.Dir {
	t.Helper()
	s, err := blob.OpenDir(filepath.Join(t.TempDir(), "blobs"))
	require.NoError(t, err)

	return s
}

func newStore(t *testing.T) blob.Store {
	t.Helper()

	return newDir(t)
}

func newRemote(t *testing.T) blob.Store {
	t.Helper()

	return remote{newDir(t)}
}

func TestDir(t *testing.T) {
	t.Parallel()
	blobtest.Run(t, newStore)
}

// A missing folder counts as a volume that is not mounted: nothing is written in its place.
func TestDirAway(t *testing.T) {
	t.Parallel()

	root := filepath.Join(t.TempDir(), "blobs")
	s, err := blob.OpenDir(root)
	require.NoError(t, err)
	blobtest.Away(t, s, func() func() {
		require.NoError(t, os.Rename(root, root+".away"))

		return func() {
			_, err := s.Stat(t.Context(), blobtest.Key(t))
			require.ErrorIs(t, err, blob.ErrUnavailable)
			require.NoDirExists(t, root)
			require.NoError(t, os.Rename(root+".away", root))
		}
	})
}

// TestDirRefused checks system errors other than a full disk.
func TestDirRefused(t *testing.T) {
	t.Parallel()

	root := t.TempDir()
	s, err := blob.OpenDir(root)
	require.NoError(t, err)
	_, err = s.Put(t.Context(), "area/name", bytes.NewReader(nil))
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join(root, ".growing", "area", "folder"), 0o700))

	_, err = s.Put(t.Context(), "area/name/below", bytes.NewReader(nil))
	require.ErrorIs(t, err, blob.ErrUnavailable)
	_, err = s.Append(t.Context(), "area/folder", 0, bytes.NewReader(nil))
	require.ErrorIs(t, err, blob.ErrUnavailable)
	_, err = s.Settle(t.Context(), "area/folder")
	require.ErrorIs(t, err, blob.ErrUnavailable)
	require.ErrorIs(t, s.Delete(t.Context(), "area/folder"), blob.ErrUnavailable)
}

// remote hides a store's local files.
type remote struct{ blob.Store }

func (remote) Path(string) (string, bool) { return "", false }

func TestStoreWithoutLocalFiles(t *testing.T) {
	t.Parallel()
	blobtest.Run(t, newRemote)

	s, dir, key := remote{newDir(t)}, t.TempDir(), blobtest.Key(t)
	_, err := s.Put(t.Context(), key, bytes.NewReader([]byte("movie")))
	require.NoError(t, err)
	path, release, err := blob.Local(t.Context(), s, key, dir)
	require.NoError(t, err)
	require.Equal(t, dir, filepath.Dir(path))
	require.Equal(t, ".bin", filepath.Ext(path))
	release()
	require.NoFileExists(t, path)
}

func TestOpen(t *testing.T) {
	t.Parallel()

	dir := filepath.Join(t.TempDir(), "a folder", "blobs")
	s, err := blob.Open(t.Context(), "file://"+filepath.ToSlash(filepath.Dir(filepath.Dir(dir)))+"/a%20folder/blobs")
	require.NoError(t, err)
	key := blobtest.Key(t)
	_, err = s.Put(t.Context(), key, bytes.NewReader([]byte("x")))
	require.NoError(t, err)

	path, ok := s.Path(key)
	require.True(t, ok)
	require.Equal(t, filepath.Join(dir, filepath.FromSlash(key)), path)
	require.FileExists(t, path)

	for url, message := range map[string]string{
		"ftp://host/x":                 `the scheme "ftp" is not supported; supported: file:///folder`,
		"s3:///path":                   "must be followed by a bucket",
		"s3://bucket?endpoint=ftp://x": "endpoint must be an http or https URL",
		"./data":                       "has no scheme; supported: file:///folder",
		"":                             "has no scheme",
		"file://host/data":             "needs an absolute local folder",
		"file:data":                    "needs an absolute local folder",
		"file:///data?x=1":             "needs an absolute local folder",
		"file:///data\x00x":            "not a valid URL",
	} {
		_, err := blob.Open(t.Context(), url)
		require.ErrorContains(t, err, message, "%q", url)
	}

	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err = blob.Open(t.Context(), "file://"+file)
	require.ErrorContains(t, err, "not a directory")
}

func TestNewKey(t *testing.T) {
	t.Parallel()

	seen := map[string]bool{}

	for range 1000 {
		key, err := blob.NewKey("sources", ".mp4")
		require.NoError(t, err)
		require.Regexp(t, `^sources/[0-9a-z]{2}/[0-9a-z]{24}\.mp4$`, key)
		require.False(t, seen[key])
		seen[key] = true
	}

	_, err := blob.NewKey("../sources", "")
	require.ErrorIs(t, err, blob.ErrBadKey)
	_, err = blob.NewKey("sources", "/../../x")
	require.ErrorIs(t, err, blob.ErrBadKey)
}

// TestDirStaysInside writes under arbitrary accepted keys and finds each blob inside the folder.
func TestDirStaysInside(t *testing.T) {
	t.Parallel()

	root := t.TempDir()
	s, err := blob.OpenDir(root)
	require.NoError(t, err)
	rapid.Check(t, func(rt *rapid.T) {
		key := rapid.StringMatching(`[a-z0-9./_-]{0,30}`).Draw(rt, "key")

		path, ok := s.Path(key)
		if (blob.CheckKey(key) == nil) != ok {
			rt.Fatalf("%q: Path and CheckKey differ", key)
		}

		if ok {
			rel, err := filepath.Rel(root, path)
			if err != nil || !filepath.IsLocal(rel) || rel != filepath.FromSlash(key) {
				rt.Fatalf("%q leads to %q", key, path)
			}
		}
	})
}

// files lists every file of a store, complete or not.
func files(t *testing.T, root string) []string {
	t.Helper()

	var all []string

	require.NoError(t, filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			all = append(all, path)
		}

		return err
	}))

	return all
}

// TestDirNoSpace limits the files of a child process to 64 KiB. The system's error is then handled like that of a
// full disk.
func TestDirNoSpace(t *testing.T) {
	t.Parallel()

	dir := t.TempDir()
	self, err := os.Executable()
	require.NoError(t, err)
	child := exec.CommandContext(t.Context(), self)

	child.Env = append(os.Environ(), fullDir+"="+dir)
	out, err := child.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Len(t, files(t, filepath.Join(dir, "blobs")), 1, "nothing of the failed blobs is left")
}

func fill(dir string) error {
	signal.Ignore(syscall.SIGXFSZ)

	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 64 << 10, Max: 64 << 10}); err != nil {
		return err
	}

	s, err := blob.OpenDir(filepath.Join(dir, "blobs"))
	if err != nil {
		return err
	}

	ctx := context.Background()
	if _, err := s.Put(ctx, "test/small", bytes.NewReader(make([]byte, 60<<10))); err != nil {
		return err
	}

	for _, key := range []string{"test/large", "test/small"} {
		if _, err := s.Put(ctx, key, bytes.NewReader(make([]byte, 100<<10))); !errors.Is(err, blob.ErrNoSpace) {
			return errors.New("a full disk was reported as: " + errors.Join(err, errors.New("")).Error())
		}
	}

	if st, err := s.Stat(ctx, "test/small"); err != nil || st.Size != 60<<10 {
		return errors.New("what was there before is damaged")
	}

	return nil
}

func TestDirSweepRemovesLeftovers(t *testing.T) {
	t.Parallel()

	root := t.TempDir()
	s, err := blob.OpenDir(root)
	require.NoError(t, err)

	old, young := filepath.Join(root, ".incoming", "old"), filepath.Join(root, ".incoming", "young")
	for _, path := range []string{old, young} {
		require.NoError(t, os.WriteFile(path, []byte("half"), 0o600))
	}

	long := time.Now().Add(-25 * time.Hour)
	require.NoError(t, os.Chtimes(old, long, long))

	require.NoError(t, s.Sweep(t.Context(), time.Now().Add(-24*time.Hour)))
	require.NoFileExists(t, old)
	require.FileExists(t, young, "another process may be writing it")
}

// TestDirPutFileOfAnotherFileSystem: a file on another file system is copied, because it cannot be moved.
func TestDirPutFileOfAnotherFileSystem(t *testing.T) {
	t.Parallel()

	shm, err := os.MkdirTemp("/dev/shm", "blob-test-*") //nolint:usetesting // it must be on another file system
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(shm) })

	path := filepath.Join(shm, "upload")
	require.NoError(t, os.WriteFile(path, []byte("from afar"), 0o600))

	s, key := newDir(t), blobtest.Key(t)
	_, err = s.PutFile(t.Context(), key, path)
	require.NoError(t, err)
	require.Equal(t, []byte("from afar"), blobtest.Get(t, s, key))
	require.NoFileExists(t, path)
}

func TestDirKeepsFilesPrivate(t *testing.T) {
	t.Parallel()

	s, key := newDir(t), blobtest.Key(t)
	upload := filepath.Join(t.TempDir(), "upload")
	require.NoError(t, os.WriteFile(upload, nil, 0o644))
	_, err := s.PutFile(t.Context(), key, upload)
	require.NoError(t, err)

	path, _ := s.Path(key)
	st, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), st.Mode())
	st, err = os.Stat(filepath.Dir(path))
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o700), st.Mode().Perm())
}

// TestErrorsHideKeys: error messages never contain a whole key, because clients may see them.
func TestErrorsHideKeys(t *testing.T) {
	t.Parallel()

	s, key := newDir(t), blobtest.Key(t)
	_, err := s.Put(t.Context(), key, readerThatFails{})
	require.Error(t, err)
	require.NotContains(t, err.Error(), key)
}

type readerThatFails struct{}

func (readerThatFails) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
