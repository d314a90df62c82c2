package main

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/cmd/reelgraph/datafolder"
	"github.com/reelgraph/reelgraph/cmd/reelgraph/doctor"
	"github.com/reelgraph/reelgraph/cmd/reelgraph/settings"
	"github.com/reelgraph/reelgraph/internal/platform/localpg"
)

// command runs one command line with its own environment.
func command(t *testing.T, env map[string]string, args ...string) (stdout string, err error) {
	t.Helper()

	var out bytes.Buffer

	a := app{stdout: &out, stderr: t.Output(), getenv: func(name string) string { return env[name] }}
	err = a.run(t.Context(), append([]string{"reelgraph"}, args...))

	return out.String(), err
}

func TestHelpNamesEveryCommandAndSetting(t *testing.T) {
	t.Parallel()
	out, err := command(t, nil, "help")
	require.NoError(t, err)

	for _, c := range commands(app{}) {
		require.Contains(t, out, c.Name)
		require.NotEmpty(t, c.Usage, c.Name)
	}

	for _, s := range settings.All(&settings.Config{}) {
		require.Contains(t, out, s.Name)
		require.NotEmpty(t, s.Purpose, s.Name)
		require.NotEmpty(t, s.Wants, s.Name)
	}
}

func TestDoctor(t *testing.T) {
	t.Parallel()

	t.Run("AllIsWell", func(t *testing.T) {
		t.Parallel()
		dir := filepath.Join(t.TempDir(), "data")
		out, err := command(t, map[string]string{"REELGRAPH_DATA": dir, "REELGRAPH_ADDR": "127.0.0.1:0"}, "doctor")
		require.NoError(t, err, out)
		require.NotContains(t, out, "MISSING")
		require.NoDirExists(t, dir, "the doctor changes nothing")
	})

	t.Run("SaysWhatIsMissing", func(t *testing.T) {
		t.Parallel()
		foreign := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(foreign, "letter.txt"), nil, 0o600))

		busy, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)

		defer busy.Close()

		out, err := command(t, map[string]string{
			"REELGRAPH_DATA": foreign, "REELGRAPH_ADDR": busy.Addr().String(), "REELGRAPH_POSTGRES_BIN": foreign,
		}, "doctor")
		require.ErrorIs(t, err, doctor.ErrUnwell)
		require.Regexp(t, `MISSING +data folder +.*not empty`, out)
		require.Regexp(t, `MISSING +port +.*in use`, out)
		require.Regexp(t, `MISSING +postgres +.*initdb is missing`, out)
		require.Contains(t, out, "-> stop the program that uses it, or choose another address with REELGRAPH_ADDR")
	})

	t.Run("ADatabaseThatDoesNotAnswer", func(t *testing.T) {
		t.Parallel()
		out, err := command(t, map[string]string{
			"REELGRAPH_DATA": t.TempDir(), "REELGRAPH_ADDR": "127.0.0.1:0",
			"DATABASE_URL": "postgres://someone:hush@127.0.0.1:1/db?sslmode=disable",
		}, "doctor")
		require.ErrorIs(t, err, doctor.ErrUnwell)
		require.Regexp(t, `MISSING +postgres +the database at DATABASE_URL`, out)
		require.NotContains(t, out, "hush")
	})
}

func TestPostgres(t *testing.T) {
	t.Parallel()
	c := settings.Config{Data: filepath.Join(t.TempDir(), "data")}

	server, err := startPostgres(t.Context(), c, nil)
	require.NoError(t, err)

	defer server.Stop()

	guest, err := joinPostgres(t.Context(), c, nil)
	require.NoError(t, err)
	require.Equal(t, server.DSN, guest.DSN)
	require.NoError(t, guest.Stop())
	_, err = startPostgres(t.Context(), c, nil)
	require.ErrorIs(t, err, localpg.ErrInUse)

	out, err := command(t, map[string]string{"REELGRAPH_DATA": c.Data, "REELGRAPH_ADDR": "127.0.0.1:0"}, "doctor")
	require.NoError(t, err, out)
	require.Contains(t, out, "in use by a running server")
	require.NoError(t, server.Stop())
	<-server.Lost

	elsewhere := map[string]string{"REELGRAPH_DATA": filepath.Join(t.TempDir(), "data")}
	for _, args := range [][]string{{"backup", filepath.Join(t.TempDir(), "kept")}, {"worker"}} {
		_, err = command(t, elsewhere, args...)
		require.ErrorIs(t, err, errNoData, args)
	}

	require.NoDirExists(t, elsewhere["REELGRAPH_DATA"], "no data folder is created by mistake")

	foreign := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(foreign, "letter.txt"), nil, 0o600))
	_, err = startPostgres(t.Context(), settings.Config{Data: foreign}, nil)
	require.ErrorIs(t, err, datafolder.ErrForeign)
	require.NoDirExists(t, filepath.Join(foreign, "postgres"))

	given, err := joinPostgres(t.Context(), settings.Config{Data: foreign, DatabaseURL: "postgres://elsewhere/"}, nil)
	require.NoError(t, err)
	require.Equal(t, "postgres://elsewhere/", given.DSN)
	require.NoError(t, given.Stop())
}

func TestClaimDataFolder(t *testing.T) {
	t.Parallel()
	fresh := filepath.Join(t.TempDir(), "a", "b")
	require.NoError(t, datafolder.Claim(fresh))
	require.NoError(t, datafolder.Claim(fresh), "again")
	require.FileExists(t, filepath.Join(fresh, datafolder.Mark))

	disk := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(disk, "lost+found"), 0o700))
	require.NoError(t, datafolder.Claim(disk), "a new disk")

	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.ErrorContains(t, datafolder.Claim(file), "REELGRAPH_DATA")
}
