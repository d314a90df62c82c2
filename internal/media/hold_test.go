package media_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/reelgraph/reelgraph/internal/media"
)

// Files go only from a cache that one alone holds, and nobody comes while they do.
func TestHold(t *testing.T) {
	t.Parallel()

	cache := media.DirCache{Dir: filepath.Join(t.TempDir(), "not made yet", "cache")}
	hold := func() *media.Hold {
		h, err := cache.Hold()
		require.NoError(t, err)

		return h
	}

	one, two := hold(), hold()

	removed := 0
	remove := func() error {
		removed++

		lock, err := unix.Open(cache.Dir+".lock", unix.O_RDWR, 0)
		require.NoError(t, err)
		require.ErrorIs(t, unix.Flock(lock, unix.LOCK_SH|unix.LOCK_NB), unix.EWOULDBLOCK, "a hold would have to wait")

		return unix.Close(lock)
	}

	require.NoError(t, one.Alone(remove))
	require.NoError(t, two.Alone(remove))
	require.Zero(t, removed, "both hold it still, whoever asked first")

	require.NoError(t, one.Release())
	require.NoError(t, two.Alone(remove))
	require.Equal(t, 1, removed)

	three := hold() // does not wait any more
	require.NoError(t, two.Alone(remove))
	require.Equal(t, 1, removed)
	require.NoError(t, two.Release())

	fault := errors.New("no such luck")
	require.ErrorIs(t, three.Alone(func() error { return fault }), fault)
	require.NoError(t, three.Release())
}
