package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/test/testkit/api"
	"github.com/reelgraph/reelgraph/test/testkit/footage"
)

// serveEnv makes the re-executed test binary the server of a data folder.
const serveEnv = "REELGRAPH_TEST_SERVES"

// host is a running server, in this process or in one of its own.
type host struct {
	*testing.T

	env  map[string]string
	base string
	key  string
}

func newHost(t *testing.T) *host {
	t.Helper()

	socket, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)

	addr := socket.Addr().String()
	require.NoError(t, socket.Close())

	return &host{T: t, base: "http://" + addr, env: map[string]string{
		"REELGRAPH_ADDR": addr, "REELGRAPH_DATA": filepath.Join(t.TempDir(), "data"), "REELGRAPH_WEBHOOK_ALLOW": "127.0.0.0/8",
		"REELGRAPH_RATE_LIMIT": "1000000",
		"REELGRAPH_WORKERS":    "media=2,render=1,speech=1,webhook=16", // without making the catalogue each time
	}}
}

// newOwner creates the first workspace and keeps the key of its owner.
func (s *host) newOwner() {
	s.Helper()

	out, err := command(s.T, s.env, "keys", "create", "--user", "owner@localhost")
	require.NoError(s, err)

	s.key = strings.TrimSpace(out)
}

// start runs the server in this process.
func (s *host) start() (stdout *safeBuffer, stop func() error) {
	s.Helper()

	return s.startLogged(s.Output())
}

// startLogged is start with a readable log.
func (s *host) startLogged(log io.Writer) (stdout *safeBuffer, stop func() error) {
	s.Helper()

	stdout = &safeBuffer{}
	a := app{stdout: stdout, stderr: log, getenv: func(name string) string { return s.env[name] }, environ: func() (all []string) {
		for name, value := range s.env {
			all = append(all, name+"="+value)
		}

		return all
	}}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)

	go func() { ended <- a.run(ctx, []string{"reelgraph", "serve"}) }()

	stop = sync.OnceValue(func() error {
		cancel()

		return <-ended
	})

	s.Cleanup(func() { _ = stop() })
	s.ready()

	return stdout, stop
}

// spawn runs the server in a process of its own and returns a function that kills it.
func (s *host) spawn() (kill func()) {
	s.Helper()

	self, err := os.Executable()
	require.NoError(s, err)

	child := exec.Command(self, "-test.run", "^TestServeSurvivesKill$")

	child.Env = append(os.Environ(), serveEnv+"=1")
	for name, value := range s.env {
		child.Env = append(child.Env, name+"="+value)
	}

	child.Stdout, child.Stderr = s.Output(), s.Output()
	require.NoError(s, child.Start())

	end := func(by syscall.Signal) {
		late := time.AfterFunc(time.Minute, func() { _ = child.Process.Kill() })
		defer late.Stop()

		_ = child.Process.Signal(by)
		_ = child.Wait()
	}

	// When killed, it leaves a Postgres that is still shutting down in a folder that the test is about to remove.
	s.Cleanup(func() { end(syscall.SIGTERM) })
	s.ready()

	return func() { end(syscall.SIGKILL) }
}

func (s *host) ready() {
	s.Helper()

	require.Eventually(s, func() bool {
		answer, err := http.Get(s.base + "/readyz")
		if err != nil {
			return false
		}
		defer answer.Body.Close()

		return answer.StatusCode == http.StatusOK
	}, time.Minute, 20*time.Millisecond)
}

// safeBuffer is a buffer that one goroutine writes and another reads.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()

	return s.b.Write(b)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()

	return s.b.String()
}

// call sends an API request and decodes the response.
func (s *host) call(method, path, body string, to any) {
	s.Helper()

	answer := s.ask(method, path, body)
	require.Equal(s, http.StatusOK, answer.Status, answer.Body)
	require.NoError(s, json.Unmarshal([]byte(answer.Body), to))
}

// computed requests something computed from recordings, and retries while the server answers Retry-After.
func (s *host) computed(method, path string) {
	s.Helper()

	var answer api.Answer

	for range 10 {
		if answer = s.ask(method, path, ""); answer.Status != http.StatusServiceUnavailable || answer.Header.Get("Retry-After") == "" {
			break
		}
	}

	require.Equal(s, http.StatusOK, answer.Status, answer.Body)
	require.NoError(s, json.Unmarshal([]byte(answer.Body), new(map[string]any)))
}

func (s *host) ask(method, path, body string) api.Answer {
	s.Helper()

	r, err := http.NewRequestWithContext(s.Context(), method, s.base+path, strings.NewReader(body))
	require.NoError(s, err)
	r.Header.Set("Authorization", "Bearer "+s.key)
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	require.NoError(s, err)

	defer answer.Body.Close()

	content, err := io.ReadAll(answer.Body)
	require.NoError(s, err)

	got := api.Answer{Status: answer.StatusCode, Header: answer.Header, Body: string(content)}
	api.Measure(s, r, body, got)

	return got
}

// upload creates a source from a counter film.
func (s *host) upload(f footage.Film) (sourceID string) {
	s.Helper()

	path := filepath.Join(s.TempDir(), "film.mp4")
	require.NoError(s, footage.Counter(s.Context(), path, f))
	film, err := os.ReadFile(path)
	require.NoError(s, err)

	return s.sendFile("film.mp4", "video", film)
}

// sendFile creates a source from a file.
func (s *host) sendFile(name, kind string, content []byte) (sourceID string) {
	s.Helper()

	var made struct{ SourceID, UploadURL string }
	s.call("POST", "/v1/sources", fmt.Sprintf(`{"name":%q,"kind":%q}`, name, kind), &made)

	r, err := http.NewRequestWithContext(s.Context(), http.MethodPut, made.UploadURL, bytes.NewReader(content))
	require.NoError(s, err)
	answer, err := http.DefaultClient.Do(r)
	require.NoError(s, err)

	defer answer.Body.Close()

	uploaded, err := io.ReadAll(answer.Body)
	require.NoError(s, err)

	var described struct{ Source json.RawMessage }
	s.call("GET", "/v1/sources/"+made.SourceID, "", &described)
	require.JSONEq(s, fmt.Sprintf(`{"source":%s}`, described.Source), string(uploaded), "both responses show the same source")
	require.Contains(s, string(uploaded), `"status":"ready"`)

	return made.SourceID
}

// export takes a counter film from upload to a requested export.
func (s *host) export(f footage.Film, dimensions string) (videoID, exportID string) {
	s.Helper()

	sourceID := s.upload(f)

	var video struct{ Video struct{ ID string } }
	s.call("POST", "/v1/videos", fmt.Sprintf(`{"sourceId":%q,"dimensions":%s}`, sourceID, dimensions), &video)

	var list struct{ Clips []struct{ ID string } }
	s.call("GET", "/v1/videos/"+video.Video.ID+"/clips", "", &list)
	s.call("POST", "/v1/videos/"+video.Video.ID+"/clips/"+list.Clips[0].ID+"/cut", `{"cuts":[{"fromMs":1000,"toMs":2000}]}`, &struct{}{})

	var export exported
	s.call("POST", "/v1/videos/"+video.Video.ID+"/exports", `{}`, &export)

	return video.Video.ID, export.Export.ExportID
}

type exported struct {
	Export struct {
		ExportID, Status, DownloadURL string

		Progress int
	}
}

func (s *host) exported(videoID, exportID string) exported {
	s.Helper()

	var e exported
	s.call("GET", "/v1/videos/"+videoID+"/exports/"+exportID, "", &e)

	return e
}

// delivered is a webhook that a receiver verified, with the file that it fetched before answering.
type delivered struct {
	exportID string
	path     string
}

func (s *host) receiver() <-chan delivered {
	s.Helper()

	var (
		secret string
		mu     sync.Mutex
		all    = make(chan delivered, 10)
		dir    = s.TempDir()
	)

	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()

		got, err := receive(secret, dir, r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)

			return
		}

		all <- got
	}))
	s.Cleanup(server.Close)

	var endpoint struct{ Secret string }

	mu.Lock()
	defer mu.Unlock()

	s.call("POST", "/v1/webhooks/endpoints", fmt.Sprintf(`{"url":%q,"filterTypes":["export.ready"]}`, server.URL), &endpoint)
	secret = endpoint.Secret

	return all
}

func receive(secret, dir string, r *http.Request) (delivered, error) {
	var event struct {
		Data struct{ ExportID, DownloadURL string }
	}

	body, err := io.ReadAll(r.Body)
	if err != nil {
		return delivered{}, err
	}

	verifier, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		return delivered{}, err
	}

	if err := verifier.Verify(body, r.Header); err != nil {
		return delivered{}, err
	}

	if err := json.Unmarshal(body, &event); err != nil {
		return delivered{}, err
	}

	answer, err := http.Get(event.Data.DownloadURL)
	if err != nil {
		return delivered{}, err
	}
	defer answer.Body.Close()

	if answer.StatusCode != http.StatusOK {
		return delivered{}, fmt.Errorf("download: %s", answer.Status)
	}

	got := delivered{exportID: event.Data.ExportID, path: filepath.Join(dir, event.Data.ExportID)}

	file, err := os.Create(got.path)
	if err != nil {
		return delivered{}, err
	}
	defer file.Close()

	_, err = io.Copy(file, answer.Body)

	return got, err
}

func (s *host) requireFrames(from <-chan delivered, exportID string, within footage.Window, frames int) {
	s.Helper()

	select {
	case got := <-from:
		require.Equal(s, exportID, got.exportID)

		indices, err := footage.Indices(s.Context(), got.path, within)
		require.NoError(s, err)

		var want []int

		for n := range frames {
			if n < 30 || n >= 60 {
				want = append(want, n)
			}
		}

		require.Equal(s, want, indices)
	case <-time.After(time.Minute):
		require.FailNow(s, "no webhook arrived")
	}
}
