// Command pages measures lists of full size, through REST and GraphQL: the first page and deep pages of a workspace
// with a million videos. It also measures the search over 100,000 videos and their transcripts, and how fast the
// server refuses hostile queries. Run it from the root of the module. It writes its section of bench/RESULTS.md.
package main

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	_ "github.com/lib/pq"

	"github.com/reelgraph/reelgraph/bench/measure"
	"github.com/reelgraph/reelgraph/internal/platform/localpg"
	"github.com/reelgraph/reelgraph/internal/platform/queue"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

func main() {
	videos := flag.Int("videos", 1_000_000, "number of videos in the workspace; only results for the default are published")
	only := flag.String("only", "", "search, pages or hostile: measure only that and publish nothing")
	pause := flag.Bool("pause", false, "wait for a line on standard input before measuring, so that other work can be stopped")

	flag.Parse()

	b := &bench{pause: *pause, lines: bufio.NewReader(os.Stdin)}

	os.Exit(measure.Run("pages", func(ctx context.Context) error { return b.run(ctx, *videos, *only) }))
}

// bench is a database and the product over it.
type bench struct {
	db      *sql.DB
	product *measure.Process
	key     string
	pause   bool
	lines   *bufio.Reader // standard input; a line ends a pause
	report  strings.Builder
}

func (b *bench) run(ctx context.Context, videos int, only string) (err error) {
	folder, err := os.MkdirTemp("", "bench-pages")
	if err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()

	postgres, err := localpg.StartTemp(ctx)
	if err != nil {
		return fmt.Errorf("start postgres: %w", err)
	}
	defer func() { err = errors.Join(err, postgres.Stop()) }()

	if b.db, err = sql.Open("postgres", postgres.DSN()); err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	defer func() { err = errors.Join(err, b.db.Close()) }()

	if err := store.Migrate(ctx, b.db, queue.Migrate); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}

	if err := b.serve(ctx, folder, postgres.DSN()); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.product.Stop()) }()

	for _, part := range []struct {
		name    string
		measure func(context.Context) error
	}{
		{"search", b.search},
		{"pages", func(ctx context.Context) error { return b.pages(ctx, videos) }},
		{"hostile", b.hostile},
	} {
		if only != "" && only != part.name {
			continue
		}

		if err := part.measure(ctx); err != nil {
			return err
		}
	}

	if videos != fullSize || only != "" {
		fmt.Fprintln(os.Stdout, b.report.String())

		return nil
	}

	return measure.Publish("Lists", measure.Circumstances(ctx, "go run ./bench/pages")+
		"\nOne client, one request at a time, whole answers; Postgres and the product on the same machine.\n\n"+b.report.String(), "")
}

// ready is called when rows are stored, before measuring.
func (b *bench) ready(ctx context.Context, what string) error {
	if !b.pause {
		return ctx.Err()
	}

	fmt.Fprintln(os.Stdout, "ready:", what)

	_, err := b.lines.ReadString('\n')

	return err
}

// fullSize is the number of videos in the contract's figures.
const fullSize = 1_000_000

// serve builds the product and starts it without workers.
func (b *bench) serve(ctx context.Context, folder, dsn string) error {
	binary := filepath.Join(folder, "reelgraph")

	out, err := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-trimpath", "-o", binary, "./cmd/reelgraph").CombinedOutput()
	if err != nil {
		return fmt.Errorf("build the product: %w: %s", err, out)
	}

	addr, err := measure.FreeAddr(ctx)
	if err != nil {
		return err
	}

	cmd := exec.Command(binary, "serve") //nolint:noctx // Stop ends it
	cmd.Env = append(cmd.Environ(), "DATABASE_URL="+dsn, "REELGRAPH_ADDR="+addr, "REELGRAPH_DATA="+filepath.Join(folder, "data"),
		"REELGRAPH_RATE_LIMIT=1000000", "REELGRAPH_WORKERS=0")

	ready, err := measure.Ask(ctx, addr, "/readyz", "", "")
	if err != nil {
		return err
	}

	b.product, err = measure.Start(ctx, "the product", addr, cmd, ready)

	return err
}
