package main

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/localpg"
	"github.com/reelgraph/reelgraph/test/chaos"
)

// broken returns chaos options that run this test binary over a database of its own.
func broken(t *testing.T) chaos.Options {
	t.Helper()

	pg, err := localpg.StartTemp(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, pg.Stop()) })

	o := breakable(t)
	o.DSN = pg.DSN()

	return o
}

// breakable returns such options without a database.
func breakable(t *testing.T) chaos.Options {
	t.Helper()

	self, err := os.Executable()
	require.NoError(t, err)

	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)

	return chaos.Options{
		Command: func(_ string, settings ...string) *exec.Cmd {
			child := exec.Command(self, "-test.run", "^TestServeSurvivesKill$")

			child.Env = append(append(os.Environ(), serveEnv+"=1"), settings...)

			return child
		},
		Folder: t.TempDir(), Log: t.Output(), Seed: seed,
	}
}

// These tests do in seconds what make chaos does in minutes.
func TestKilledServersLoseNothing(t *testing.T) {
	t.Parallel()

	killed, err := chaos.Kill(t.Context(), broken(t), 4, 10*time.Second)
	require.NoError(t, err)
	require.Positive(t, killed.Calls)
	t.Logf("%+v", killed)
}

func TestStoppedServersFailNoRequest(t *testing.T) {
	t.Parallel()

	stopped, err := chaos.Stop(t.Context(), broken(t), 2)
	require.NoError(t, err)
	require.Positive(t, stopped.Calls)
	t.Logf("%+v", stopped)
}

func TestServerSurvivesDatabaseOutages(t *testing.T) {
	t.Parallel()

	withstood, err := chaos.Faults(t.Context(), breakable(t))
	require.NoError(t, err)
	require.Len(t, withstood, 6)
	t.Logf("%+v", withstood)
}
