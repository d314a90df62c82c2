package main

import (
	"io"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/localpg"
	"github.com/reelgraph/reelgraph/test/testkit/footage"
)

func TestServe(t *testing.T) {
	t.Parallel()

	s := newHost(t)
	stdout, stop := s.start()
	welcome := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(s.base) + `/welcome#(reel_wl_[\w-]{43})$`)
	first := welcome.FindStringSubmatch(stdout.String())
	require.NotNil(t, first, stdout.String())
	require.NotContains(t, stdout.String(), "reel_pk_")
	s.newOwner()

	events := s.receiver()
	_, exportID := s.export(footage.Film{Frames: 120, Tone: 440}, `{"width":1920,"height":216}`)
	s.requireFrames(events, exportID, footage.Window{X: 768, Width: 384, Height: 216}, 120)
	s.requireLook(events)
	s.tracksAreRecorded()

	out, err := command(t, s.env, "keys", "create", "--user", "Someone@Example.com", "--workspace", "Elsewhere", "--plan", "free")
	require.NoError(t, err, "next to the server")
	require.Regexp(t, `^reel_pk_[0-9A-Za-z]{32}\n$`, out, "the key alone")

	s.key = strings.TrimSpace(out)

	var videos struct{ Videos []struct{} }
	s.call("GET", "/v1/videos", "", &videos)
	require.Empty(t, videos.Videos, "of another workspace")

	_, err = command(t, s.env, "serve")
	require.ErrorContains(t, err, "REELGRAPH_ADDR")

	require.NoError(t, stop())
	_, running, err := localpg.Attach(t.Context(), s.env["REELGRAPH_DATA"])
	require.NoError(t, err)
	require.False(t, running)

	again, stop := s.start()
	second := welcome.FindStringSubmatch(again.String())
	require.NotNil(t, second, again.String())
	require.NotEqual(t, first, second)
	s.call("GET", "/v1/videos", "", &videos)

	status, header, answer := s.say(http.MethodPost, s.base+"/graphql", `{"query":"mutation($in: CreateOwnerInput!)`+
		`{ createOwner(input: $in) { user { email } } }","variables":{"in":{"token":"`+second[1]+
		`","name":"Ada","email":"ada@example.com","password":"one two three"}}}`, "Content-Type", "application/json", "Origin", s.base)
	require.Equal(t, http.StatusOK, status, answer)
	require.Contains(t, answer, `{"createOwner":{"user":{"email":"ada@example.com"}}}`)
	require.NotEmpty(t, header.Get("Set-Cookie"))

	require.NoError(t, stop())

	last, _ := s.start()
	require.Contains(t, last.String(), "Reelgraph is running at "+s.base+"\n")
	require.NotContains(t, last.String(), "/welcome")
}

// TestServeSurvivesKill kills the whole process in the middle of an export.
func TestServeSurvivesKill(t *testing.T) {
	if os.Getenv(serveEnv) != "" {
		a := app{stdout: io.Discard, stderr: os.Stderr, getenv: os.Getenv}

		ctx, stop := signal.NotifyContext(t.Context(), syscall.SIGTERM)
		defer stop()

		require.NoError(t, a.run(ctx, []string{"reelgraph", "serve"}))

		return
	}

	t.Parallel()

	s := newHost(t)
	kill := s.spawn()
	out, err := command(t, s.env, "keys", "create", "--user", "someone@example.com")
	require.NoError(t, err)

	s.key = strings.TrimSpace(out)

	events := s.receiver()
	videoID, exportID := s.export(footage.Film{Frames: 750, Tone: 440}, `{"width":1920,"height":540}`)

	require.Eventually(t, func() bool {
		return s.exported(videoID, exportID).Export.Progress >= 40 && s.drawn() > 0
	}, 5*time.Minute, 20*time.Millisecond)

	before := s.exported(videoID, exportID).Export
	require.Equal(t, "processing", before.Status)
	kill()

	pieces := s.pieces()
	t.Logf("killed at %d %%, with %d pieces finished", before.Progress, len(pieces))

	began := time.Now()

	s.spawn()
	t.Logf("ready again after %s", time.Since(began).Round(time.Millisecond))
	require.Eventually(t, func() bool { return s.exported(videoID, exportID).Export.Status == "completed" }, 5*time.Minute, 50*time.Millisecond)

	for name, was := range pieces {
		now, err := os.Stat(filepath.Join(s.env["REELGRAPH_DATA"], "cache", name))
		require.NoError(t, err)
		require.True(t, os.SameFile(was, now), "%s was made again", name)
	}

	s.requireFrames(events, exportID, footage.Window{X: 480, Width: 960, Height: 540}, 750)
}

// drawn returns how many chunks of exports are finished, not counting sound.
func (s *host) drawn() int {
	s.Helper()

	chunks, err := filepath.Glob(filepath.Join(s.env["REELGRAPH_DATA"], "cache", "*.mp4"))
	require.NoError(s, err)

	return len(chunks)
}

// pieces returns the finished pieces of exports.
func (s *host) pieces() map[string]os.FileInfo {
	s.Helper()

	entries, err := os.ReadDir(filepath.Join(s.env["REELGRAPH_DATA"], "cache"))
	require.NoError(s, err)

	all := map[string]os.FileInfo{}

	for _, e := range entries {
		info, err := e.Info()
		require.NoError(s, err)

		all[e.Name()] = info
	}

	return all
}

func TestServeRefusesAtOnce(t *testing.T) {
	t.Parallel()

	foreign := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(foreign, "letter.txt"), nil, 0o600))

	for says, env := range map[string]map[string]string{
		"is not a Reelgraph data folder": {"REELGRAPH_DATA": foreign},
		`unknown queue "nap"`:            {"REELGRAPH_WORKERS": "nap=1"},
		"connection refused":             {"DATABASE_URL": "postgres://a:b@127.0.0.1:1/db?sslmode=disable"},
	} {
		env["REELGRAPH_ADDR"] = "127.0.0.1:0"
		if env["REELGRAPH_DATA"] == "" {
			env["REELGRAPH_DATA"] = filepath.Join(t.TempDir(), "data")
		}

		_, err := command(t, env, "serve")
		require.ErrorContains(t, err, says)
	}

	_, err := command(t, map[string]string{"REELGRAPH_DATA": foreign, "REELGRAPH_WORKERS": "0"}, "worker")
	require.ErrorContains(t, err, "REELGRAPH_WORKERS")
}

// A private Postgres that dies is restarted, also when it dies again at once. While it is stopped, the
// server reports within two seconds that it is not ready.
func TestServeRestartsItsPostgres(t *testing.T) {
	t.Parallel()

	s := newHost(t)
	_, stop := s.start()
	s.newOwner()

	var made struct{ Tag struct{ ID string } }
	s.call("POST", "/v1/tags", `{"name":"before"}`, &made)

	// postmaster returns the process id of the private Postgres, or 0 while there is none.
	postmaster := func() int {
		files, err := filepath.Glob(filepath.Join(s.env["REELGRAPH_DATA"], "postgres", "*", "postmaster.pid"))
		require.NoError(t, err)

		if len(files) != 1 {
			return 0
		}

		text, err := os.ReadFile(files[0])
		if err != nil {
			return 0
		}

		first, _, _ := strings.Cut(string(text), "\n")
		id, _ := strconv.Atoi(first)

		return id
	}
	status := func() int {
		answer, _, _ := s.say(http.MethodGet, s.base+"/readyz", "")

		return answer
	}
	await := func(want int) {
		require.Eventually(t, func() bool { return status() == want }, time.Minute, 10*time.Millisecond)
	}

	for range 3 {
		killed, at := postmaster(), time.Now()
		require.NoError(t, syscall.Kill(killed, syscall.SIGKILL))
		require.Eventually(t, func() bool { return postmaster() != 0 && postmaster() != killed }, time.Minute, 10*time.Millisecond)
		await(http.StatusOK)
		t.Logf("back after %s", time.Since(at))
	}

	stopped := postmaster()
	require.NoError(t, syscall.Kill(stopped, syscall.SIGSTOP))
	await(http.StatusServiceUnavailable)

	asked := time.Now()

	require.Equal(t, http.StatusServiceUnavailable, status())
	require.Less(t, time.Since(asked), 2*time.Second)
	require.NoError(t, syscall.Kill(stopped, syscall.SIGCONT))
	await(http.StatusOK)

	require.Eventually(t, func() bool { return s.answer(s.key, "/v1/tags").Status == http.StatusOK }, time.Minute, 10*time.Millisecond)

	var tags struct{ Tags []struct{ Name string } }
	s.call("GET", "/v1/tags", "", &tags)
	require.Len(t, tags.Tags, 1)
	require.NoError(t, stop())
}
