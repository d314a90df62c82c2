package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// server is the product in a separate process with its own data folder.
type server struct {
	base   string
	key    string
	cmd    *exec.Cmd
	client *http.Client
	clip   string // path of the first video's clip
}

// serve builds the product and starts it.
func serve(ctx context.Context, folder string) (*server, error) {
	binary := filepath.Join(folder, "reelgraph")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", binary, "./cmd/reelgraph").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build: %w: %s", err, out)
	}

	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("find a free port: %w", err)
	}

	addr := l.Addr().String()
	if err := l.Close(); err != nil {
		return nil, fmt.Errorf("find a free port: %w", err)
	}

	s := &server{base: "http://" + addr, client: &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	settings := []string{
		"REELGRAPH_ADDR=" + addr, "REELGRAPH_BASE_URL=" + s.base,
		"REELGRAPH_DATA=" + filepath.Join(folder, "data"), "REELGRAPH_RATE_LIMIT=100000",
		"REELGRAPH_WORKERS=media=2,webhook=2", // no worker for the catalog, as after the first start
	}

	s.cmd = exec.CommandContext(ctx, binary, "serve")
	s.cmd.Env = append(s.cmd.Environ(), settings...)
	s.cmd.Cancel = func() error { return s.cmd.Process.Signal(syscall.SIGTERM) }
	s.cmd.WaitDelay = 20 * time.Second

	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the server: %w", err)
	}

	if err := s.ready(ctx); err != nil {
		return nil, errors.Join(err, s.stop())
	}

	keys := exec.CommandContext(ctx, binary, "keys", "create", "--user", "bench@example.com")
	keys.Env = append(keys.Environ(), settings...)

	out, err := keys.Output()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make a key: %w", err), s.stop())
	}

	s.key = strings.TrimSpace(string(out))

	return s, nil
}

func (s *server) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()

	for {
		if _, err := s.ask(ctx, http.MethodGet, "/readyz", nil); err == nil {
			return nil
		}

		select {
		case <-ctx.Done():
			return fmt.Errorf("the server is not ready: %w", ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func (s *server) stop() error {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return fmt.Errorf("stop the server: %w", err)
	}

	_ = s.cmd.Wait()

	return nil
}

// answer is an answer of the server.
type answer struct {
	header http.Header
	text   []byte
}

// ask sends a request and returns the answer. A status of 400 or more is an error.
func (s *server) ask(ctx context.Context, method, path string, body io.Reader) (*answer, error) {
	if !strings.HasPrefix(path, "http") {
		path = s.base + path
	}

	r, err := http.NewRequestWithContext(ctx, method, path, body)
	if err != nil {
		return nil, fmt.Errorf("make a request: %w", err)
	}

	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}

	r.Header.Set("Authorization", "Bearer "+s.key)

	resp, err := s.client.Do(r)
	if err != nil {
		return nil, fmt.Errorf("ask: %w", err)
	}

	text, err := io.ReadAll(resp.Body)
	err = errors.Join(err, resp.Body.Close())

	if err == nil && resp.StatusCode >= http.StatusBadRequest {
		err = fmt.Errorf("%s returned %d: %.500s", path, resp.StatusCode, text)
	}

	return &answer{resp.Header, text}, err
}

// read sends a request and decodes the answer.
func (s *server) read(ctx context.Context, method, path, body string, into any) error {
	resp, err := s.ask(ctx, method, path, strings.NewReader(body))
	if err != nil {
		return err
	}

	if err := json.Unmarshal(resp.text, into); err != nil {
		return fmt.Errorf("read the answer of %s: %w", path, err)
	}

	return nil
}

// location returns the address of signed media.
func (s *server) location(ctx context.Context, path string) (string, error) {
	resp, err := s.ask(ctx, http.MethodGet, path, nil)
	if err != nil {
		return "", err
	}

	return resp.header.Get("Location"), nil
}

// file returns an address without its signature.
func file(address string) string {
	at, _, _ := strings.Cut(address, "?")

	return at
}

func (s *server) fetch(ctx context.Context, url string) error {
	_, err := s.ask(ctx, http.MethodGet, url, nil)

	return err
}

// upload uploads a file and returns the id of its source once it is ready.
func (s *server) upload(ctx context.Context, path string) (string, error) {
	var made struct{ SourceID, UploadURL string }
	if err := s.read(ctx, http.MethodPost, "/v1/sources", `{"name":"hour.mp4"}`, &made); err != nil {
		return "", err
	}

	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("read the recording: %w", err)
	}
	defer f.Close() //nolint:errcheck // opened for reading

	_, err = s.ask(ctx, http.MethodPut, made.UploadURL, f)

	return made.SourceID, err
}

// video creates a video from a source and returns the addresses of its thumbnails.
func (s *server) video(ctx context.Context, source string) ([]string, error) {
	var made struct {
		Video struct {
			ID         string
			ClipIDs    []string
			Thumbnails map[string]map[string]string
		}
	}

	if err := s.read(ctx, http.MethodPost, "/v1/videos", fmt.Sprintf(`{"sourceId":%q}`, source), &made); err != nil {
		return nil, err
	}

	s.clip = "/v1/videos/" + made.Video.ID + "/clips/" + made.Video.ClipIDs[0]

	var urls []string

	for _, size := range made.Video.Thumbnails {
		for _, url := range size {
			urls = append(urls, url)
		}
	}

	return urls, nil
}

func (s *server) waveform(ctx context.Context, source string) error {
	return s.fetch(ctx, s.clip+"/sources/"+source+"/waveform")
}

func (s *server) silences(ctx context.Context) error {
	return s.fetch(ctx, s.clip+"/silences")
}
