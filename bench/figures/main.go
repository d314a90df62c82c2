// Command figures measures how long the server takes to read the viewing figures of a video and of a workspace when
// millions of events are stored. It measures first with a tenth of the events and then with all of them. Run it from
// the root of the module. It writes its section of bench/RESULTS.md.
package main

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	_ "github.com/lib/pq"

	"github.com/reelgraph/reelgraph/bench/measure"
	"github.com/reelgraph/reelgraph/internal/platform/localpg"
	"github.com/reelgraph/reelgraph/internal/platform/queue"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

func main() {
	events := flag.Int("events", fullSize, "number of events stored in the end; only results for the default are published")

	flag.Parse()

	os.Exit(measure.Run("figures", func(ctx context.Context) error { return (&bench{}).run(ctx, *events) }))
}

const (
	fullSize = 20_000_000
	videos   = 200
	days     = 90
	growth   = 10 // ratio of events at the end to those at the start
)

// bench is a database, a copy of it with a tenth of the events, and the product over each.
type bench struct {
	folder    string
	postgres  *localpg.Server
	store     *store.Store
	few, many *measure.Process
	key       string
	workspace string
	user      string
	binary    string
}

func (b *bench) run(ctx context.Context, events int) (err error) {
	began := measure.Circumstances(ctx, "go run ./bench/figures")

	if b.folder, err = os.MkdirTemp("", "bench-figures"); err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.folder)) }()

	if b.postgres, err = localpg.StartTemp(ctx); err != nil {
		return fmt.Errorf("start postgres: %w", err)
	}
	defer func() { err = errors.Join(err, b.postgres.Stop()) }()

	if err := b.prepare(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.store.Close()) }()

	sessions := events / eventsEach / growth

	if err := b.seed(ctx, sessions); err != nil {
		return err
	}

	rolled, err := b.roll(ctx)
	if err != nil {
		return err
	}

	if err := b.keep(ctx); err != nil {
		return err
	}

	if err := b.multiply(ctx, sessions); err != nil {
		return err
	}

	if err := b.prove(ctx, sessions); err != nil {
		return err
	}

	few, many, err := b.measure(ctx)
	if err != nil {
		return err
	}

	text, method := report(few, many), fmt.Sprintf(how, videos, days, eventsEach, sessions, float64(sessions)/rolled.Seconds(), growth)

	if events != fullSize {
		fmt.Fprintln(os.Stdout, text+method)

		return nil
	}

	return measure.Publish("Figures", began+"\n"+text, method)
}

// prepare builds the product and creates a workspace.
func (b *bench) prepare(ctx context.Context) (err error) {
	if b.store, err = store.Open(ctx, b.postgres.DSN(), store.Options{}); err != nil {
		return fmt.Errorf("open the database: %w", err)
	}

	if err := store.Migrate(ctx, b.store.DB, queue.Migrate); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}

	b.binary = filepath.Join(b.folder, "reelgraph")

	out, err := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-trimpath", "-o", b.binary, "./cmd/reelgraph").CombinedOutput()
	if err != nil {
		return fmt.Errorf("build the product: %w: %s", err, out)
	}

	keys := exec.CommandContext(ctx, b.binary, "keys", "create", "--user", "bench@example.com")
	keys.Env = append(keys.Environ(), "DATABASE_URL="+b.postgres.DSN(), "REELGRAPH_DATA="+filepath.Join(b.folder, "data"))

	key, err := keys.Output()
	if err != nil {
		return fmt.Errorf("make a key: %w", err)
	}

	b.key = strings.TrimSpace(string(key))

	if err := b.store.DB.QueryRowContext(ctx, "SELECT workspace_id, user_id FROM memberships").Scan(&b.workspace, &b.user); err != nil {
		return fmt.Errorf("find the workspace: %w", err)
	}

	return nil
}

// keep copies the database in its current state, while nothing else uses it.
func (b *bench) keep(ctx context.Context) (err error) {
	if err := b.store.Close(); err != nil {
		return fmt.Errorf("close the database: %w", err)
	}

	beside, err := sql.Open("postgres", b.named("template1"))
	if err != nil {
		return fmt.Errorf("open the database beside: %w", err)
	}
	defer func() { err = errors.Join(err, beside.Close()) }()

	if _, err := beside.ExecContext(ctx, "CREATE DATABASE few TEMPLATE reelgraph STRATEGY file_copy"); err != nil {
		return fmt.Errorf("copy the database: %w", err)
	}

	if b.store, err = store.Open(ctx, b.postgres.DSN(), store.Options{}); err != nil {
		return fmt.Errorf("open the database again: %w", err)
	}

	return nil
}

// named returns the DSN of another database of the same Postgres.
func (b *bench) named(database string) string {
	return strings.Replace(b.postgres.DSN(), "dbname=reelgraph", "dbname="+database, 1)
}

// serve starts the product over a database, without workers.
func (b *bench) serve(ctx context.Context, database string) (*measure.Process, error) {
	addr, err := measure.FreeAddr(ctx)
	if err != nil {
		return nil, err
	}

	cmd := exec.Command(b.binary, "serve") //nolint:noctx // Stop ends it
	cmd.Env = append(cmd.Environ(), "DATABASE_URL="+b.named(database), "REELGRAPH_ADDR="+addr,
		"REELGRAPH_DATA="+filepath.Join(b.folder, "data-"+database), "REELGRAPH_RATE_LIMIT=1000000", "REELGRAPH_WORKERS=0")

	ready, err := measure.Ask(ctx, addr, "/readyz", "", "")
	if err != nil {
		return nil, err
	}

	return measure.Start(ctx, "the product over "+database, addr, cmd, ready)
}

// exec runs statements in turn without checking foreign keys of each row.
func (b *bench) exec(ctx context.Context, args []any, statements ...string) (err error) {
	conn, err := b.store.DB.Conn(ctx)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close()) }()

	if _, err := conn.ExecContext(ctx, "SET session_replication_role = replica"); err != nil {
		return fmt.Errorf("trust the rows: %w", err)
	}
	defer func() {
		_, reset := conn.ExecContext(ctx, "RESET session_replication_role")
		err = errors.Join(err, reset)
	}()

	for _, statement := range statements {
		began := time.Now()

		if _, err := conn.ExecContext(ctx, statement, args...); err != nil {
			return fmt.Errorf("%.80s: %w", strings.TrimSpace(statement), err)
		}

		fmt.Fprintf(os.Stderr, "%.60s: %.1f s\n", strings.ReplaceAll(strings.TrimSpace(statement), "\n", " "), time.Since(began).Seconds())
	}

	return nil
}

// count returns the number that a query returns.
func (b *bench) count(ctx context.Context, query string, args ...any) (n string, err error) {
	var text sql.NullString
	if err := b.store.DB.QueryRowContext(ctx, query, args...).Scan(&text); err != nil {
		return "", fmt.Errorf("%.80s: %w", query, err)
	}

	return text.String, nil
}
