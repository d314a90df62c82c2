package main

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	_ "github.com/lib/pq"

	"github.com/reelgraph/reelgraph/bench/measure"
)

// server is the product as shipped, with its private Postgres.
type server struct {
	binary, folder, addr, key string
	product                   *measure.Process
}

// upload is a source that is being uploaded.
type upload struct {
	SourceID  string `json:"sourceId"`
	UploadURL string `json:"uploadUrl"`
}

func newServer(ctx context.Context, folder string) (*server, error) {
	s := &server{binary: filepath.Join(folder, "reelgraph"), folder: folder}

	out, err := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-trimpath", "-o", s.binary, "./cmd/reelgraph").CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("build the product: %w: %s", err, out)
	}

	if s.addr, err = measure.FreeAddr(ctx); err != nil {
		return nil, err
	}

	if err := s.start(ctx); err != nil {
		return nil, err
	}

	keys := exec.CommandContext(ctx, s.binary, "keys", "create", "--user", "bench@example.com")
	keys.Env = append(keys.Environ(), s.settings()...)

	if out, err = keys.Output(); err != nil {
		return nil, errors.Join(fmt.Errorf("make a key: %w", err), s.product.Stop())
	}

	s.key = strings.TrimSpace(string(out))

	return s, nil
}

func (s *server) settings() []string {
	return []string{
		"REELGRAPH_ADDR=" + s.addr, "REELGRAPH_BASE_URL=http://" + s.addr, "REELGRAPH_DATA=" + filepath.Join(s.folder, "data"),
		"REELGRAPH_RATE_LIMIT=100000", "REELGRAPH_WORKERS=media=2,webhook=2",
	}
}

func (s *server) start(ctx context.Context) error {
	cmd := exec.Command(s.binary, "serve") //nolint:noctx // Stop ends it
	cmd.Env = append(cmd.Environ(), s.settings()...)

	ready, err := measure.Ask(ctx, s.addr, "/readyz", "", "")
	if err != nil {
		return err
	}

	product, err := measure.Start(ctx, "the product", s.addr, cmd, ready)
	if err != nil {
		return err
	}

	s.product = product

	return nil
}

// recording returns incompressible sound with the given number of bytes, the same each time, starting at an offset.
func recording(size, from int64) io.Reader {
	header := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(size-8))
	header = append(header, "WAVEfmt "...)

	for _, n := range []uint32{16, 1 | 2<<16, 48000, 192000, 4 | 16<<16} {
		header = binary.LittleEndian.AppendUint32(header, n)
	}

	header = append(header, "data"...)
	header = binary.LittleEndian.AppendUint32(header, uint32(size-44))

	all := io.LimitReader(io.MultiReader(bytes.NewReader(header), rand.NewChaCha8([32]byte{1})), size)

	if _, err := io.CopyN(io.Discard, all, from); err != nil {
		panic(err) // the generator does not end before size
	}

	return all
}

// ask returns the header and the body of an answer.
func (s *server) ask(ctx context.Context, method, at string, body io.Reader, header ...string) (http.Header, []byte, error) {
	if strings.HasPrefix(at, "/") {
		at = "http://" + s.addr + at
	}

	r, err := http.NewRequestWithContext(ctx, method, at, body)
	if err != nil {
		return nil, nil, fmt.Errorf("make a request: %w", err)
	}

	if strings.Contains(at, "/v1/") {
		r.Header.Set("Authorization", "Bearer "+s.key)
		r.Header.Set("Content-Type", "application/json")
	}

	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}

	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, nil, fmt.Errorf("ask: %w", err)
	}
	defer resp.Body.Close() //nolint:errcheck // the body has been read

	text, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode >= http.StatusBadRequest {
		err = fmt.Errorf("%s %s returned %d: %.500s", method, r.URL.Path, resp.StatusCode, text)
	}

	return resp.Header, text, err
}

func (s *server) create(ctx context.Context) (u upload, err error) {
	_, text, err := s.ask(ctx, http.MethodPost, "/v1/sources", strings.NewReader(`{"kind":"audio","name":"long.wav"}`))
	if err != nil {
		return u, err
	}

	if err := json.Unmarshal(text, &u); err != nil {
		return u, fmt.Errorf("read the source: %w", err)
	}

	return u, nil
}

func (s *server) put(ctx context.Context, u upload, size int64) error {
	_, _, err := s.ask(ctx, http.MethodPut, u.UploadURL, recording(size, 0))

	return err
}

// settled waits until the source is ready and compares its SHA-256 with want.
func (s *server) settled(ctx context.Context, u upload, want string) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()

	for {
		_, text, err := s.ask(ctx, http.MethodGet, "/v1/sources/"+u.SourceID, nil)
		if err != nil {
			return err
		}

		var said struct {
			Source struct {
				Status string `json:"status"`
			} `json:"source"`
		}

		if err := json.Unmarshal(text, &said); err != nil {
			return fmt.Errorf("read the source: %w", err)
		}

		switch said.Source.Status {
		case "ready":
			return s.compare(ctx, u, want)
		case "failed":
			return fmt.Errorf("the source failed: %s", text)
		}

		select {
		case <-ctx.Done():
			return fmt.Errorf("the source is not ready: %w: %s", ctx.Err(), text)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// compare compares the SHA-256 that the server computed after the upload with want.
func (s *server) compare(ctx context.Context, u upload, want string) error {
	db, err := sql.Open("postgres", "user=reelgraph dbname=reelgraph sslmode=disable host="+filepath.Join(s.folder, "data", "postgres", "run"))
	if err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	defer db.Close() //nolint:errcheck // used for reading

	var got string
	if err := db.QueryRowContext(ctx, "SELECT sha256 FROM sources WHERE id = $1", u.SourceID).Scan(&got); err != nil {
		return fmt.Errorf("read the sum: %w", err)
	}

	if got != want {
		return fmt.Errorf("the server stored SHA-256 %s, want %s", got, want)
	}

	return nil
}

// offset returns how many bytes the server has.
func (s *server) offset(ctx context.Context, u upload) (int64, error) {
	header, _, err := s.ask(ctx, http.MethodHead, u.UploadURL, nil, "Tus-Resumable", "1.0.0")
	if err != nil {
		return 0, err
	}

	at, err := strconv.ParseInt(header.Get("Upload-Offset"), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("read the offset: %w", err)
	}

	return at, nil
}

// patch sends everything from an offset on.
func (s *server) patch(ctx context.Context, u upload, size, from int64) error {
	_, _, err := s.ask(ctx, http.MethodPatch, u.UploadURL, recording(size, from), "Tus-Resumable", "1.0.0",
		"Content-Type", "application/offset+octet-stream",
		"Upload-Offset", strconv.FormatInt(from, 10), "Upload-Length", strconv.FormatInt(size, 10))

	return err
}

// errCut ends the body of a cut request.
var errCut = errors.New("the client disconnects")

// cutting reads up to a place and calls a function there.
type cutting struct {
	io.Reader

	left int64
	then func()
}

func (c *cutting) Read(p []byte) (int, error) {
	if c.left <= 0 {
		c.then()

		return 0, errCut
	}

	n, err := c.Reader.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)

	return n, err //nolint:wrapcheck // the reader's error
}

// cut sends a part in a PATCH that does not finish, and returns how many bytes the server has then.
func (s *server) cut(ctx context.Context, u upload, size, from, to int64, kill bool) (int64, error) {
	then := func() {}
	if kill {
		then = func() { _ = s.product.Cmd.Process.Signal(syscall.SIGKILL) }
	}

	body := &cutting{Reader: recording(size, from), left: to - from, then: then}

	_, _, err := s.ask(ctx, http.MethodPatch, u.UploadURL, body, "Tus-Resumable", "1.0.0",
		"Content-Type", "application/offset+octet-stream",
		"Upload-Offset", strconv.FormatInt(from, 10), "Upload-Length", strconv.FormatInt(size, 10))
	if err == nil {
		return 0, errors.New("a cut PATCH succeeded")
	}

	if kill {
		if err := s.start(ctx); err != nil {
			return 0, err
		}
	}

	return s.offset(ctx, u)
}

// memory returns the anonymous memory of the server's process.
func (s *server) memory() (int64, error) {
	f, err := os.Open(fmt.Sprintf("/proc/%d/status", s.product.Cmd.Process.Pid))
	if err != nil {
		return 0, fmt.Errorf("read the memory: %w", err)
	}
	defer f.Close() //nolint:errcheck // opened for reading

	for lines := bufio.NewScanner(f); lines.Scan(); {
		if value, is := strings.CutPrefix(lines.Text(), "RssAnon:"); is {
			kib, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(value, "kB")), 10, 64)

			return kib << 10, err //nolint:wrapcheck // the error names the text
		}
	}

	return 0, errors.New("the system does not report a process's memory")
}

// peak polls the memory until the context ends and returns the highest value.
func (s *server) peak(ctx context.Context) (highest int64) {
	for {
		now, err := s.memory()
		if err == nil {
			highest = max(highest, now)
		}

		select {
		case <-ctx.Done():
			return highest
		case <-time.After(20 * time.Millisecond):
		}
	}
}
