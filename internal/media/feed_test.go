package media

import (
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A decoder goes on from chunk to chunk and may take as long as all of them together: whoever reads its pictures
// watches it, not the clock of a single run.
func TestDecodersOutliveTheWall(t *testing.T) {
	t.Parallel()

	slow := filepath.Join(t.TempDir(), "ffmpeg")
	require.NoError(t, os.WriteFile(slow, []byte("#!/bin/sh\nprintf one; sleep 1; printf two\n"), 0o700))

	from, to, err := os.Pipe()
	require.NoError(t, err)

	engine := &Engine{Tools: Tools{FFmpeg: slow}, Limits: Limits{Wall: 300 * time.Millisecond}}
	require.NoError(t, engine.run(t.Context(), [][]string{nil}, to))
	require.NoError(t, to.Close())

	got, err := io.ReadAll(from)
	require.NoError(t, err)
	require.Equal(t, "onetwo", string(got))
	require.NoError(t, from.Close())
}
