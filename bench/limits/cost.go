package main

import (
	"bytes"
	"context"
	"errors"
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

// cell is the cost of one request.
type cell struct {
	name  string
	bytes int // size of the answer
	cpu   spent
	heap  int // MB
}

// spent is processor time.
type spent struct{ server, postgres time.Duration }

func (s spent) all() time.Duration { return s.server + s.postgres }

// bench is the product as shipped.
type bench struct {
	product   *measure.Product
	heap      *heap
	folder    string
	operators string // address of the operators' endpoints
	only      string
	profile   string // file of the profile, or empty
	cells     []cell
}

// heap parses the server's GC trace: "gc 7 @0.3s 2%: … 12->14->9 MB, …", where the third number is the live heap.
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

// begin forgets the live heap of earlier collections.
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

// used returns the processor time of the server, without its children, and of all Postgres processes.
func (b *bench) used() (spent, error) {
	server, err := measure.CPU(b.product.Cmd.Process.Pid)
	if err != nil {
		return spent{}, err //nolint:wrapcheck // the error says what was read
	}

	found, err := filepath.Glob(filepath.Join(b.folder, "data", "postgres", "*", "postmaster.pid"))
	if err != nil || len(found) != 1 {
		return spent{}, fmt.Errorf("find Postgres: %w in %v", err, found)
	}

	content, err := os.ReadFile(found[0])
	if err != nil {
		return spent{}, fmt.Errorf("find Postgres: %w", err)
	}

	first, _, _ := strings.Cut(string(content), "\n")

	postmaster, err := strconv.Atoi(first)
	if err != nil {
		return spent{}, fmt.Errorf("find Postgres: %w", err)
	}

	postgres, err := measure.FamilyCPU(postmaster)

	return spent{server, postgres}, err //nolint:wrapcheck // the error says what was read
}

// ask sends a request and records its cost. The answer must be 200 and contain wanted. If wanted is refusal, it must
// not be 200.
func (b *bench) ask(ctx context.Context, name, method, path, kind, body, wanted string) ([]byte, error) {
	measured := !strings.HasPrefix(name, "(") && strings.Contains(name, b.only)

	if measured {
		if err := b.settle(ctx); err != nil {
			return nil, err
		}
	}

	profiled := b.profiled(ctx, measured)

	before, err := b.used()
	if err != nil {
		return nil, err
	}

	answer, err := b.call(ctx, method, path, kind, body, wanted)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}

	after, err := b.used()
	if err := errors.Join(err, profiled()); err != nil {
		return nil, err
	}

	if measured {
		c := cell{name: name, bytes: len(answer), cpu: spent{after.server - before.server, after.postgres - before.postgres}, heap: b.heap.found()}
		b.cells = append(b.cells, c)

		fmt.Fprintf(os.Stderr, "%s: %s, %v and %v, %d MB\n", c.name, size(c.bytes), c.cpu.server, c.cpu.postgres, c.heap)
	}

	return answer, nil
}

// settle waits until the server is idle, so that leftover work of an earlier request is not counted, and makes it
// collect garbage.
func (b *bench) settle(ctx context.Context) error {
	const quiet, patience = 200 * time.Millisecond, 300

	for range patience {
		before, err := b.used()
		if err != nil {
			return err
		}

		select {
		case <-time.After(quiet):
		case <-ctx.Done():
			return ctx.Err() //nolint:wrapcheck // nothing to add
		}

		after, err := b.used()
		if err != nil {
			return err
		}

		if after.all()-before.all() <= quiet/20 {
			_, err := b.call(ctx, http.MethodGet, "http://"+b.operators+"/debug/pprof/heap?gc=1", "", "", "")
			b.heap.begin()

			return err
		}
	}

	return errors.New("the server did not become idle")
}

// profiled takes a CPU profile of the server during one request, if a profile was requested. The returned function
// waits for it.
func (b *bench) profiled(ctx context.Context, measured bool) func() error {
	if b.profile == "" || !measured {
		return func() error { return nil }
	}

	done := make(chan error, 1)

	go func() {
		profile, err := b.call(ctx, http.MethodGet, "http://"+b.operators+"/debug/pprof/profile?seconds=5", "", "", "")
		done <- errors.Join(err, os.WriteFile(b.profile, profile, 0o600))
	}()

	return func() error { return <-done }
}

// refusal is the start of the body of an error.
const refusal = `"error"`

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
	defer resp.Body.Close() //nolint:errcheck // the body has been read

	if answer, err = io.ReadAll(resp.Body); err != nil {
		return nil, fmt.Errorf("read an answer: %w", err)
	}

	refused := strings.HasPrefix(wanted, refusal)
	if (resp.StatusCode == http.StatusOK) == refused || !bytes.Contains(answer, []byte(wanted)) {
		return nil, fmt.Errorf("%s %s returned %d without %q: %.500s", method, path, resp.StatusCode, wanted, answer)
	}

	return answer, nil
}
