package main

import (
	"bytes"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/cmd/reelgraph/settings"
	"github.com/reelgraph/reelgraph/internal/platform/localpg"
	"github.com/reelgraph/reelgraph/test/testkit/footage"
)

// A backup of a running server is restored into a new one. It has the same videos, the export downloads byte for byte, the
// webhook is not sent again, and the server continues to work.
func TestRestoreDrill(t *testing.T) {
	t.Parallel()

	const small = `{"width":1920,"height":216}`

	window := footage.Window{X: 768, Width: 384, Height: 216}

	first := newHost(t)
	_, stop := first.start()
	first.newOwner()
	events := first.receiver()
	videoID, exportID := first.export(footage.Film{Frames: 120}, small)
	first.requireFrames(events, exportID, window, 120)

	folder := filepath.Join(t.TempDir(), "backup")
	began := time.Now()
	out, err := command(t, first.env, "backup", folder)
	require.NoError(t, err)
	t.Logf("copied in %s: %s", time.Since(began).Round(time.Millisecond), out)

	_, _, film := first.say(http.MethodGet, first.exported(videoID, exportID).Export.DownloadURL, "")
	_, _, videos := first.say(http.MethodGet, first.base+"/v1/videos", "", "Authorization", "Bearer "+first.key)

	out, err = command(t, first.env, "backup", folder)
	require.NoError(t, err, "again, into the same folder")
	require.Contains(t, out, "and 0 new media files")

	_, err = command(t, first.env, "restore", folder)
	require.Error(t, err, "a server runs there")
	require.NoError(t, stop())
	_, err = command(t, first.env, "restore", folder)
	require.ErrorIs(t, err, errNotEmpty)

	second := newHost(t)
	second.key = first.key
	began = time.Now()
	_, err = command(t, second.env, "restore", folder)
	require.NoError(t, err)

	_, _ = second.start()

	t.Logf("restored and ready in %s", time.Since(began).Round(time.Millisecond))

	_, _, again := second.say(http.MethodGet, second.base+"/v1/videos", "", "Authorization", "Bearer "+second.key)
	require.JSONEq(t, withoutHosts(videos), withoutHosts(again))

	e := second.exported(videoID, exportID)
	require.Equal(t, "completed", e.Export.Status)

	status, _, back := second.say(http.MethodGet, e.Export.DownloadURL, "")
	require.Equal(t, http.StatusOK, status)
	require.True(t, bytes.Equal([]byte(film), []byte(back)))

	// The next event is that of the next export: delivered events are not sent again.
	var next exported
	second.call("POST", "/v1/videos/"+videoID+"/exports", `{"fps":"60"}`, &next)

	select {
	case got := <-events:
		require.Equal(t, next.Export.ExportID, got.exportID)
	case <-time.After(time.Minute):
		require.FailNow(t, "no webhook arrived")
	}

	require.Empty(t, events)
}

// withoutHosts removes the server's host, and the signatures and expiry times of addresses.
func withoutHosts(body string) string {
	return regexp.MustCompile(`http://127\.0\.0\.1:\d+|[?]token=[\w.-]+`).ReplaceAllString(body, "")
}

func TestBackupRefuses(t *testing.T) {
	t.Parallel()

	env := map[string]string{"REELGRAPH_DATA": filepath.Join(t.TempDir(), "data"), "REELGRAPH_POSTGRES_BIN": ""}

	for _, name := range []string{"backup", "restore"} {
		_, err := command(t, env, name)
		require.ErrorIs(t, err, errWhichFolder)
	}

	taken := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(taken, "letter.txt"), nil, 0o600))

	_, err := command(t, env, "backup", taken)
	require.ErrorIs(t, err, errOtherFiles)

	_, err = command(t, env, "restore", t.TempDir())
	require.ErrorContains(t, err, "is not a backup: ")
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.NoDirExists(t, env["REELGRAPH_DATA"], "nothing was created")
}

// A dump is made by the program of the server's own version if there is one: output of other versions may not restore.
func TestClientProgramMatchesServerVersion(t *testing.T) {
	own, err := localpg.Find(t.Context(), "", 0)
	require.NoError(t, err)

	dirs := map[string]string{}

	for _, version := range []string{"97.18", "98.6"} {
		dirs[version] = t.TempDir()
		for _, name := range []string{"initdb", "postgres", "pg_dump"} {
			script := "#!/bin/sh\necho 'postgres (PostgreSQL) " + version + "'\n"
			require.NoError(t, os.WriteFile(filepath.Join(dirs[version], name), []byte(script), 0o700))
		}
	}

	t.Setenv("PATH", dirs["98.6"]+":/usr/bin:/bin") // the first on the path

	program, of := clientProgram(t.Context(), settings.Config{PostgresBin: dirs["97.18"]}, "pg_dump", 98)
	require.Equal(t, filepath.Join(dirs["97.18"], "pg_dump"), program, "the named folder wins")
	require.Equal(t, 97, of)

	program, of = clientProgram(t.Context(), settings.Config{}, "pg_dump", 98)
	require.Equal(t, filepath.Join(dirs["98.6"], "pg_dump"), program)
	require.Equal(t, 98, of)

	program, of = clientProgram(t.Context(), settings.Config{}, "pg_dump", own.Major)
	require.NotEqual(t, filepath.Join(dirs["98.6"], "pg_dump"), program)
	require.Equal(t, own.Major, of, "of the machine's own")

	program, of = clientProgram(t.Context(), settings.Config{}, "pg_dump", 99)
	require.Equal(t, filepath.Join(dirs["98.6"], "pg_dump"), program, "the newest, without a better match")
	require.Equal(t, 98, of)

	program, of = clientProgram(t.Context(), settings.Config{PostgresBin: t.TempDir()}, "pg_dump", 98)
	require.Equal(t, "pg_dump", program)
	require.Zero(t, of)
}
