package main

import (
	"encoding/json"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// The system page shows this machine: its version, its disk, and what the doctor finds, without secrets.
func TestSystemOfAServer(t *testing.T) {
	t.Parallel()

	nobody, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)

	gone := nobody.Addr().String()
	require.NoError(t, nobody.Close())

	s := newHost(t)
	s.env["REELGRAPH_SMTP_URL"] = "smtp://me:sesame-street@" + gone
	s.env["REELGRAPH_SPEECH"] = "openai+http://sesame-key@" + gone + "/v1?model=m"
	s.env["REELGRAPH_SECRET"] = strings.Repeat("sesame", 8)
	s.env["REELGRAPH_DISK_RESERVE"] = "2MiB"
	s.start()
	s.newOwner()

	cookie := s.signIn("owner@localhost")
	query, err := json.Marshal(map[string]string{
		"query": `{ system { version disk { totalBytes reserveBytes } findings { name state message remedies } } }`,
	})
	require.NoError(t, err)

	status, _, body := s.say(http.MethodPost, s.base+"/graphql", string(query), "Content-Type", "application/json",
		"Cookie", cookie, "Sec-Fetch-Site", "same-origin")
	require.Equal(t, http.StatusOK, status, body)
	require.NotContains(t, body, "sesame")

	var shown struct {
		Data struct {
			System struct {
				Version  string
				Disk     struct{ TotalBytes, ReserveBytes int64 }
				Findings []struct {
					Name, State, Message string
					Remedies             []string
				}
			}
		}
	}

	require.NoError(t, json.Unmarshal([]byte(body), &shown))
	require.Equal(t, release, shown.Data.System.Version)

	var disk syscall.Statfs_t

	require.NoError(t, syscall.Statfs(s.env["REELGRAPH_DATA"], &disk))
	require.EqualValues(t, disk.Blocks*uint64(disk.Bsize), shown.Data.System.Disk.TotalBytes)
	require.EqualValues(t, 2<<20, shown.Data.System.Disk.ReserveBytes)

	states := map[string]string{}
	for _, f := range shown.Data.System.Findings {
		states[f.Name] = f.State

		require.NotEmpty(t, f.Message, f.Name)
		require.Equal(t, f.State == "OK", len(f.Remedies) == 0, f.Name)
	}

	for name, state := range map[string]string{
		"ffmpeg": "OK", "ffprobe": "OK", "ffmpeg parts": "OK", "postgres": "OK", "data folder": "OK", "mail server": "FAILS", "speech": "FAILS",
	} {
		require.Equal(t, state, states[name], "%s: %s", name, body)
	}

	require.NotContains(t, states, "port")

	// The command reports the same.
	out, err := command(t, s.env, "doctor")
	require.Error(t, err)

	marks := map[string]string{"OK": "ok", "WARNING": "warning", "MISSING": "MISSING", "FAILS": "FAILS"}
	for name, state := range states {
		require.Regexp(t, `(?m)^`+marks[state]+` +`+name+` `, out)
	}

	require.Contains(t, out, filepath.Base(s.env["REELGRAPH_DATA"])+", in use by a running server")
	require.NotContains(t, out, "sesame")
}
