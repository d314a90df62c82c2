// Command webhooks measures webhook deliveries: how many the server makes per second, compared with a bare client
// that sends the same POST requests; how soon after the commit of an event its first delivery attempt arrives; and
// how endpoints that hang or fail affect the other endpoints. Run it from the root of the module. It writes its
// section of bench/RESULTS.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/reelgraph/reelgraph/bench/measure"
	"github.com/reelgraph/reelgraph/internal/platform/localpg"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

func main() { os.Exit(measure.Run("webhooks", run)) }

// plan is what to measure.
type plan struct {
	events  int           // total, spread over the endpoints
	paced   int           // events a second in the steady part
	lasting time.Duration // of the steady part
	beside  int           // events for each endpoint while some fail
	rounds  int
	publish bool
}

// endpoints is the number of endpoints, each in its own workspace.
const endpoints = 100

func run(ctx context.Context) error {
	events := flag.Int("events", 100_000, "number of events to deliver")
	paced := flag.Int("paced", 200, "events a second while the delay is measured")
	lasting := flag.Duration("lasting", 20*time.Second, "duration of the delay measurement")
	beside := flag.Int("beside", 500, "events for each endpoint while some fail")
	rounds := flag.Int("rounds", 5, "rounds of every measurement except the delay")
	publish := flag.Bool("publish", true, "write the section of the results")
	client := flag.Bool("client", false, "run as the bare client that sends the events to the given URLs")

	flag.Parse()

	if *client {
		return postAll(ctx, *events, flag.Args())
	}

	b, err := open(ctx, plan{*events, *paced, *lasting, *beside, *rounds, *publish})
	if err != nil {
		return err
	}

	return errors.Join(b.run(ctx), b.close())
}

// bench is the database, the receivers and the product between them.
type bench struct {
	plan

	pg        *localpg.Server
	store     *store.Store
	receivers *receivers
	binary    string
	folder    string
	addr      string

	queued     int // events so far; also numbers them
	reconciled int // reconciled events
}

func open(ctx context.Context, p plan) (*bench, error) {
	folder, err := os.MkdirTemp("", "reelgraph-bench-")
	if err != nil {
		return nil, fmt.Errorf("make a folder: %w", err)
	}

	b := &bench{plan: p, folder: folder, binary: filepath.Join(folder, "reelgraph"), receivers: &receivers{}}

	if out, err := exec.CommandContext(ctx, "go", "build", "-o", b.binary, "./cmd/reelgraph").CombinedOutput(); err != nil {
		return nil, errors.Join(fmt.Errorf("build: %w: %s", err, out), b.close())
	}

	if b.addr, err = measure.FreeAddr(ctx); err != nil {
		return nil, errors.Join(err, b.close())
	}

	if b.pg, err = localpg.StartTemp(ctx); err != nil {
		return nil, errors.Join(err, b.close())
	}

	if err := b.migrate(ctx); err != nil {
		return nil, errors.Join(err, b.close())
	}

	if b.store, err = store.Open(ctx, b.pg.DSN(), store.Options{MaxConns: 8}); err != nil {
		return nil, errors.Join(err, b.close())
	}

	if err := b.asThePrivateOne(ctx); err != nil {
		return nil, errors.Join(err, b.close())
	}

	if err := errors.Join(b.receivers.listen(ctx, endpoints), b.seed(ctx)); err != nil {
		return nil, errors.Join(err, b.close())
	}

	return b, nil
}

// asThePrivateOne makes Postgres analyze its tables as often as the product's private Postgres. That of tests, with
// many databases, does not.
func (b *bench) asThePrivateOne(ctx context.Context) error {
	for _, statement := range []string{"ALTER SYSTEM SET autovacuum_naptime = '" + localpg.NapTime + "'", "SELECT pg_reload_conf()"} {
		if _, err := b.store.DB.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("set Postgres as the product does: %w", err)
		}
	}

	return nil
}

func (b *bench) close() error {
	var faults []error

	if b.store != nil {
		faults = append(faults, b.store.Close())
	}

	if b.pg != nil {
		faults = append(faults, b.pg.Stop())
	}

	return errors.Join(append(faults, b.receivers.close(), os.RemoveAll(b.folder))...)
}

// secret is the server's secret, because the bench seals what the product opens.
const secret = "a secret of the benchmark, known to both"

func (b *bench) settings() []string {
	return []string{
		"DATABASE_URL=" + b.pg.DSN(), "REELGRAPH_ADDR=" + b.addr, "REELGRAPH_DATA=" + filepath.Join(b.folder, "data"),
		"REELGRAPH_SECRET=" + secret, "REELGRAPH_WEBHOOK_ALLOW=127.0.0.0/8", "REELGRAPH_WORKERS=webhook=256",
	}
}

func (b *bench) migrate(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, b.binary, "migrate")
	cmd.Env = append(cmd.Environ(), b.settings()...)

	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("migrate: %w: %s", err, out)
	}

	return nil
}

// serve starts the product.
func (b *bench) serve(ctx context.Context) (*measure.Process, error) {
	cmd := exec.Command(b.binary, "serve") //nolint:noctx // Stop ends it
	cmd.Env = append(cmd.Environ(), b.settings()...)

	ready, err := measure.Ask(ctx, b.addr, "/readyz", "", "")
	if err != nil {
		return nil, err
	}

	return measure.Start(ctx, "the product", b.addr, cmd, ready)
}
