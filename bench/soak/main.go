// Command soak keeps the product under a steady, mixed load and checks that the memory, the number of goroutines, the
// cost of a request and the latency stay constant. Each minute it measures the capacity of the machine again and sets
// the load to a fixed share of it. Run it from the root of the module. It writes its section of bench/RESULTS.md if it
// runs for the full half hour.
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
	"regexp"
	"strings"
	"time"

	_ "github.com/lib/pq" // database driver for the floor

	"github.com/reelgraph/reelgraph/bench/measure"
	"github.com/reelgraph/reelgraph/internal/platform/localpg"
)

func main() {
	var b bench

	flag.DurationVar(&b.lasts, "for", 2*time.Minute, "duration; only a full half hour or -publish writes the results")
	flag.Float64Var(&b.part, "load", 0.7, "share of the machine's capacity to load")

	publish := flag.Bool("publish", false, "also write the results of a shorter run")

	flag.Parse()

	os.Exit(measure.Run("soak", func(ctx context.Context) error {
		report, worst, err := b.run(ctx)
		if err != nil {
			return err
		}

		fmt.Fprintln(os.Stdout, report+worst)

		if !*publish && b.lasts < 30*time.Minute {
			return nil
		}

		return measure.Publish("Soak", measure.Circumstances(ctx, "go run ./bench/soak -for "+b.lasts.String())+"\n"+report, worst)
	}))
}

// bench is one run.
type bench struct {
	lasts time.Duration
	part  float64

	product *measure.Process
	bare    *sql.DB
	metrics string // host:port
	key     string
	videos  []string
	folder  string
}

func (b *bench) run(ctx context.Context) (report, worst string, err error) {
	if b.lasts <= 0 || b.part <= 0 {
		return "", "", errors.New("-for and -load must be positive")
	}

	if b.folder, err = os.MkdirTemp("", "bench-soak"); err != nil {
		return "", "", fmt.Errorf("make a folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.folder)) }()

	postgres, err := localpg.StartTemp(ctx)
	if err != nil {
		return "", "", fmt.Errorf("start postgres: %w", err)
	}
	defer func() { err = errors.Join(err, postgres.Stop()) }()

	if err := b.serve(ctx, postgres.DSN()); err != nil {
		return "", "", err
	}
	defer func() { err = errors.Join(err, b.product.Stop()) }()

	if err := b.fill(ctx); err != nil {
		return "", "", err
	}

	if b.bare, err = sql.Open("postgres", postgres.DSN()); err != nil {
		return "", "", fmt.Errorf("open the database: %w", err)
	}
	defer func() { err = errors.Join(err, b.bare.Close()) }()

	b.bare.SetMaxIdleConns(clients)

	if _, err := b.capacity(ctx); err != nil { // warms up
		return "", "", err
	}

	seen, err := b.soak(ctx)
	if err != nil {
		return "", "", err
	}

	return seen.report(b), seen.worst(b.part), nil
}

var keyShape = regexp.MustCompile(`reel_pk_[0-9A-Za-z]{32}`)

// serve builds the product and starts it with all its workers.
func (b *bench) serve(ctx context.Context, dsn string) error {
	binary := filepath.Join(b.folder, "reelgraph")

	out, err := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-trimpath", "-o", binary, "./cmd/reelgraph").CombinedOutput()
	if err != nil {
		return fmt.Errorf("build the product: %w: %s", err, out)
	}

	addr, err := measure.FreeAddr(ctx)
	if err != nil {
		return err
	}

	if b.metrics, err = measure.FreeAddr(ctx); err != nil {
		return err
	}

	settings := []string{
		"DATABASE_URL=" + dsn, "REELGRAPH_ADDR=" + addr, "REELGRAPH_DATA=" + filepath.Join(b.folder, "data"),
		"REELGRAPH_RATE_LIMIT=1000000", "REELGRAPH_METRICS_ADDR=" + b.metrics, "REELGRAPH_WORKERS=media=2,figures=2,render=1,speech=1,webhook=50",
	}

	keys := exec.CommandContext(ctx, binary, "keys", "create", "--user", "soak@example.test")
	keys.Env = append(keys.Environ(), settings...)

	if out, err = keys.Output(); err != nil {
		return fmt.Errorf("make a key: %w", err)
	}

	if b.key = keyShape.FindString(strings.TrimSpace(string(out))); b.key == "" {
		return errors.New("no key was printed")
	}

	cmd := exec.Command(binary, "serve") //nolint:noctx // Stop ends it
	cmd.Env = append(cmd.Environ(), settings...)

	ready, err := measure.Ask(ctx, addr, "/readyz", "", "")
	if err != nil {
		return err
	}

	b.product, err = measure.Start(ctx, "the product", addr, cmd, ready)

	return err
}
