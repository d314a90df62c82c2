package blob_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/blob/blobtest"
)

// A folder accepts no more bytes when the disk's reserve is reached, by any method. What was stored stays.
func TestReserve(t *testing.T) {
	t.Parallel()

	const disk, reserve = 10 << 20, 4 << 20

	root := t.TempDir()
	d, err := blob.OpenDir(root)
	require.NoError(t, err)
	d.Keep(blob.Limit{Reserve: reserve, Free: func(string) (int64, error) { return disk - used(t, root), nil }})

	key := blobtest.Key(t)
	at, err := d.Append(t.Context(), key, 0, bytes.NewReader(make([]byte, 5<<20)))
	require.NoError(t, err)

	at, err = d.Append(t.Context(), key, at, bytes.NewReader(make([]byte, 5<<20)))

	full, isFull := errors.AsType[*blob.FullError](err)
	require.True(t, isFull, "%v", err)
	require.ErrorIs(t, err, blob.ErrNoSpace)
	require.EqualValues(t, reserve, full.Reserve)
	require.InDelta(t, disk-reserve, at, 256<<10, "fills the room to within one write")
	require.GreaterOrEqual(t, disk-used(t, root), int64(reserve))

	n, err := d.Grown(t.Context(), key)
	require.NoError(t, err)
	require.Equal(t, at, n)

	_, err = d.Put(t.Context(), blobtest.Key(t), bytes.NewReader(make([]byte, 1<<20)))
	require.ErrorIs(t, err, blob.ErrNoSpace)
	require.Equal(t, at, used(t, root), "a file without room leaves nothing")

	require.ErrorIs(t, d.Room(1<<20), blob.ErrNoSpace)
	require.NoError(t, d.Delete(t.Context(), key))
	require.NoError(t, d.Room(1<<20))

	d.Keep(blob.Limit{Reserve: reserve, Free: func(string) (int64, error) { return 0, os.ErrPermission }})
	require.ErrorIs(t, d.Room(1), blob.ErrUnavailable)
}

// used returns the number of bytes in the files of a folder.
func used(t *testing.T, root string) (bytes int64) {
	t.Helper()

	require.NoError(t, filepath.WalkDir(root, func(_ string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}

		info, err := entry.Info()
		bytes += info.Size()

		return err
	}))

	return bytes
}
