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

// cell is what one request cost.
type cell struct {
	name  string
	bytes int // of the answer
	cpu   spent
	heap  int // MB
}

// spent is processor time.
type spent struct{ server, postgres time.Duration }

func (s spent) all() time.Duration { return s.server + s.postgres }

// bench is the product as it is shipped.
type bench struct {
	product   *measure.Product
	heap      *heap
	folder    string
	operators string // the address of what operators see
	only      string
	profile   string // a file, or empty
	cells     []cell
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
func (b *bench) used() (spent, error) {
	server, err := measure.CPU(b.product.Cmd.Process.Pid)
	if err != nil {
		return spent{}, err //nolint:wrapcheck // it says what it read
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

	return spent{server, postgres}, err //nolint:wrapcheck // it says what it read
}

// ask makes a request and notes what it cost. The answer must be 200 and have in it what is wanted, or
// be no 200 if refusal is wanted.
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

// settle waits until nothing happens in the server, so that what an earlier request began is not counted again, and has it
// collect its garbage.
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

	return errors.New("the server does not come to rest")
}

// profiled takes a processor profile of the server while it answers one request, if one was asked for. The function that it
// returns waits for it.
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

// refusal is what the body of an answer begins with that has an error.
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
	defer resp.Body.Close() //nolint:errcheck // it has been read

	if answer, err = io.ReadAll(resp.Body); err != nil {
		return nil, fmt.Errorf("read an answer: %w", err)
	}

	refused := strings.HasPrefix(wanted, refusal)
	if (resp.StatusCode == http.StatusOK) == refused || !bytes.Contains(answer, []byte(wanted)) {
		return nil, fmt.Errorf("%s %s answers %d, without %q: %.500s", method, path, resp.StatusCode, wanted, answer)
	}

	return answer, nil
}
