package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/reelgraph/reelgraph/bench/measure"
)

// cell is what one request cost.
type cell struct {
	name  string
	bytes int // of the answer
	cpu   time.Duration
	heap  int // MB
}

// bench is the product as it is shipped.
type bench struct {
	product *measure.Product
	heap    *heap
	folder  string
	only    string
	cells   []cell
}

// heap reads what the server's runtime says of its collections: "gc 7 @0.3s 2%: … 12->14->9 MB, …", where the third number is
// what was found alive.
type heap struct {
	mu   sync.Mutex
	rest []byte
	most int
	last int
}

var collected = regexp.MustCompile(`^gc \d+ @.* (\d+)->(\d+)->(\d+) MB,`)

// Write implements io.Writer.
func (h *heap) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()

	h.rest = append(h.rest, p...)

	for {
		line, rest, whole := bytes.Cut(h.rest, []byte("\n"))
		if !whole {
			return len(p), nil
		}

		if m := collected.FindSubmatch(line); m != nil {
			h.last, _ = strconv.Atoi(string(m[3]))
			h.most = max(h.most, h.last)
		}

		h.rest = rest
	}
}

// begin forgets what was found alive before.
func (h *heap) begin() {
	h.mu.Lock()
	defer h.mu.Unlock()

	h.most = h.last
}

func (h *heap) found() int {
	h.mu.Lock()
	defer h.mu.Unlock()

	return h.most
}

// used is the processor time of the server, without its children, and of all processes of Postgres.
func (b *bench) used() (time.Duration, error) {
	server, err := measure.CPU(b.product.Cmd.Process.Pid)
	if err != nil {
		return 0, err //nolint:wrapcheck // it says what it read
	}

	found, err := filepath.Glob(filepath.Join(b.folder, "data", "postgres", "*", "postmaster.pid"))
	if err != nil || len(found) != 1 {
		return 0, fmt.Errorf("find Postgres: %w in %v", err, found)
	}

	content, err := os.ReadFile(found[0])
	if err != nil {
		return 0, fmt.Errorf("find Postgres: %w", err)
	}

	first, _, _ := strings.Cut(string(content), "\n")

	postmaster, err := strconv.Atoi(first)
	if err != nil {
		return 0, fmt.Errorf("find Postgres: %w", err)
	}

	postgres, err := measure.FamilyCPU(postmaster)

	return server + postgres, err //nolint:wrapcheck // it says what it read
}

// ask makes a request and notes what it cost. The answer must be 200 and have in it what is wanted.
func (b *bench) ask(ctx context.Context, name, method, path, kind, body, wanted string) ([]byte, error) {
	measured := !strings.HasPrefix(name, "(") && strings.Contains(name, b.only)

	b.heap.begin()

	before, err := b.used()
	if err != nil {
		return nil, err
	}

	answer, err := b.call(ctx, method, path, kind, body, wanted)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}

	after, err := b.used()
	if err != nil {
		return nil, err
	}

	if measured {
		c := cell{name: name, bytes: len(answer), cpu: after - before, heap: b.heap.found()}
		b.cells = append(b.cells, c)

		fmt.Fprintf(os.Stderr, "%s: %s, %v, %d MB\n", c.name, size(c.bytes), c.cpu, c.heap)
	}

	return answer, nil
}

func (b *bench) call(ctx context.Context, method, path, kind, body, wanted string) (answer []byte, err error) {
	if !strings.HasPrefix(path, "http") {
		path = "http://" + b.product.Addr + path
	}

	r, err := http.NewRequestWithContext(ctx, method, path, strings.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("make a request: %w", err)
	}

	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}

	r.Header.Set("Authorization", "Bearer "+b.product.Key)

	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, fmt.Errorf("ask: %w", err)
	}
	defer resp.Body.Close() //nolint:errcheck // it has been read

	if answer, err = io.ReadAll(resp.Body); err != nil {
		return nil, fmt.Errorf("read an answer: %w", err)
	}

	if resp.StatusCode != http.StatusOK || !bytes.Contains(answer, []byte(wanted)) {
		return nil, fmt.Errorf("%s %s answers %d, without %q: %.500s", method, path, resp.StatusCode, wanted, answer)
	}

	return answer, nil
}
