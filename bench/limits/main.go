// Command limits measures the cost of the largest accepted requests: transcripts, texts, batches and documents. Each
// read and each write may use at most two seconds of processor time, counting the server and its Postgres together,
// and at most 64 MB of live heap at GOGC=25. The command exits with an error when a request uses more. Run it from the
// root of the module. It writes its section of bench/RESULTS.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/bench/measure"
)

// The limits of one request.
const (
	mostCPU  = 2 * time.Second
	mostHeap = 64 // MB
)

func main() {
	only := flag.String("only", "", "part of a name: measure only matching requests and publish nothing")
	part := flag.String("part", "", "transcripts, texts, batches or documents: measure only that and publish nothing")
	profile := flag.String("profile", "", "file for a CPU profile of the last measured request")

	flag.Parse()

	os.Exit(measure.Run("limits", func(ctx context.Context) error { return run(ctx, *part, *only, *profile) }))
}

func run(ctx context.Context, part, only, profile string) (err error) {
	began := measure.Circumstances(ctx, "go run ./bench/limits")

	folder, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()

	heap := &heap{}

	operators, err := measure.FreeAddr(ctx)
	if err != nil {
		return err //nolint:wrapcheck // the error says what was done
	}

	product, err := measure.ServeTo(ctx, heap, folder, "GOGC=25", "GODEBUG=gctrace=1", "REELGRAPH_METRICS_ADDR="+operators,
		"REELGRAPH_WORKERS=media=1,probe=1")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, product.Stop()) }()

	b := &bench{product: product, heap: heap, folder: folder, operators: operators, only: only, profile: profile}

	for _, p := range []struct {
		name    string
		measure func(context.Context) error
	}{{"transcripts", b.transcripts}, {"texts", b.texts}, {"batches", b.batches}, {"documents", b.documents}} {
		if part != "" && p.name != part {
			continue
		}

		if err := p.measure(ctx); err != nil {
			return err
		}
	}

	var text strings.Builder

	text.WriteString("\n| What | Answer | Processor, ms | of it Postgres, ms | Live heap, MB |\n|---|---|---|---|---|\n")

	for _, c := range b.cells {
		fmt.Fprintf(&text, "| %s | %s | %d | %d | %d |\n", c.name, size(c.bytes), c.cpu.all().Milliseconds(), c.cpu.postgres.Milliseconds(), c.heap)
	}

	fmt.Fprintln(os.Stderr, text.String())

	if only == "" && part == "" {
		if err := measure.Publish("Largest accepted requests", began+text.String(), how); err != nil {
			return err
		}
	}

	return b.verdict()
}

// verdict returns an error that lists the requests over the limits.
func (b *bench) verdict() error {
	var faults []error

	for _, c := range b.cells {
		if c.cpu.all() > mostCPU || c.heap > mostHeap {
			faults = append(faults, fmt.Errorf("%s costs %v and %d MB; at most %v and %d MB are allowed", c.name, c.cpu.all(), c.heap, mostCPU, mostHeap))
		}
	}

	return errors.Join(faults...)
}

func size(bytes int) string {
	if bytes < 1<<20 {
		return fmt.Sprintf("%d KB", bytes>>10)
	}

	return fmt.Sprintf("%.1f MB", float64(bytes)/(1<<20))
}

const how = `
How:

- The built server with its private Postgres. It makes stills and probes, but no films and no transcripts, and has no other
  load. Each request waits until the work of the one before is done. Processor time is what the server and all Postgres
  processes use from before the request until its answer is read, as counted by Linux. The server's includes garbage
  collection at GOGC=25.
- The live heap is the largest that any garbage collection of the server finds meanwhile. GOGC is 25, so that there are many
  collections. It includes everything in the server, about 7 MB of which exist before.
- The transcripts belong to a recording of eleven hours: one cue of 100,000 letters, and 5 MB of 100,000 long words in
  20,000 cues, in ASCII and in Greek.
`
