package workers_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/test/testkit/footage"
)

// remote is a store without local files.
type remote struct{ blob.Store }

func (remote) Path(string) (string, bool) { return "", false }

// TestCopiesAreSwept: temporary copies are in folders that are swept after a crash.
func TestCopiesAreSwept(t *testing.T) {
	t.Parallel()

	s := newStudio(t)
	s.work()
	src := s.recorded(footage.Film{Frames: 10})
	deps := s.deps(s.store, s.topics)
	deps.Blobs = remote{s.blobs}
	deps.Engine.Dir = t.TempDir()

	path, _, release, err := deps.Arrived(s.system(), src)
	require.NoError(t, err)
	require.NoError(t, deps.Engine.Sweep())
	require.FileExists(t, path, "its process is alive")
	require.FileExists(t, filepath.Join(filepath.Dir(path), "lock"))
	release()

	left, err := os.ReadDir(deps.Engine.Dir)
	require.NoError(t, err)
	require.Empty(t, left)
}
