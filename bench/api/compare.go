package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/reelgraph/reelgraph/bench/measure"
	"github.com/reelgraph/reelgraph/internal/platform/localpg"
	"github.com/reelgraph/reelgraph/internal/platform/queue"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

const baseURL = "https://reel.example"

// stage holds the measured servers and everything they need.
type stage struct {
	plan         course
	folder       string // deleted at the end
	binary       string // the product
	metrics      string // address of its metrics
	postgraphile string // folder of its installation
	jit          string // the same for graphql-jit
	dsn          string
	postgres     string // version
	world        world
	list, detail []statement
}

// compare prepares the stage, proves that all servers do the same, measures, and writes the results.
func compare(ctx context.Context, p course) (err error) {
	began := measure.Circumstances(ctx, "go run ./bench/api") // records the machine's load before the bench

	s := &stage{plan: p}
	if s.folder, err = os.MkdirTemp("", "reelgraph-bench-"); err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}

	defer func() { err = errors.Join(err, os.RemoveAll(s.folder)) }()

	pg, err := localpg.StartTemp(ctx)
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, pg.Stop()) }()

	s.dsn = pg.DSN()

	if err := s.set(ctx); err != nil {
		return err
	}

	say("checking that all servers do the same")

	if err := s.prove(ctx); err != nil {
		return err
	}

	measured, err := s.measure(ctx)
	if err != nil {
		return err
	}

	table := report(measured)

	if !p.publishes() {
		fmt.Fprintln(os.Stdout, table+"\n"+medians(measured))

		return nil
	}

	return measure.Publish("API",
		strings.TrimSpace(began)+" Postgres "+s.postgres+" over a unix socket, fsync off. "+method(p)+table, "\n"+medians(measured))
}

// set builds and installs the servers and fills the database, concurrently.
func (s *stage) set(ctx context.Context) error {
	say("building the product, installing PostGraphile and graphql-jit, filling the database")

	group, ctx := errgroup.WithContext(ctx)

	group.Go(func() error {
		s.binary = filepath.Join(s.folder, "reelgraph")

		build := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-trimpath",
			"-o", s.binary, "./cmd/reelgraph")

		out, err := build.CombinedOutput()
		if err != nil {
			return fmt.Errorf("build the product: %w: %s", err, out)
		}

		return nil
	})
	group.Go(func() (err error) {
		if s.postgraphile, err = installPostGraphile(ctx); err != nil {
			return err
		}

		s.jit, err = installJIT(ctx)

		return err
	})
	group.Go(func() error { return s.fill(ctx) })

	return group.Wait()
}

func (s *stage) fill(ctx context.Context) (err error) {
	db, err := sql.Open("postgres", s.dsn)
	if err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()

	if err := db.QueryRowContext(ctx, "SHOW server_version").Scan(&s.postgres); err != nil {
		return fmt.Errorf("ask for the version: %w", err)
	}

	if err := store.Migrate(ctx, db, queue.Migrate); err != nil {
		return err
	}

	s.world, err = seed(ctx, db, s.plan.keys)

	return err
}

// startProduct serves the API like `reelgraph serve`, without workers and with a budget that is never used up.
func (s *stage) startProduct(ctx context.Context, dsn string) (*measure.Process, error) {
	return s.startBinary(ctx, s.binary, dsn)
}

func (s *stage) startBinary(ctx context.Context, binary, dsn string) (*measure.Process, error) {
	addr, err := measure.FreeAddr(ctx)
	if err != nil {
		return nil, err
	}

	if s.metrics, err = measure.FreeAddr(ctx); err != nil {
		return nil, err
	}

	cmd := exec.Command(binary, "serve") //nolint:noctx // Stop ends it
	cmd.Env = append(cmd.Environ(), "DATABASE_URL="+dsn, "REELGRAPH_ADDR="+addr, "REELGRAPH_BASE_URL="+baseURL,
		"REELGRAPH_DATA="+filepath.Join(s.folder, "data-"+filepath.Base(binary)),
		"REELGRAPH_RATE_LIMIT="+strconv.Itoa(quota), "REELGRAPH_WORKERS=0",
		"REELGRAPH_METRICS_ADDR="+s.metrics)

	ready, err := measure.Ask(ctx, addr, "/v1/videos?limit=20", s.world.keyOf(0), "")
	if err != nil {
		return nil, err
	}

	return measure.Start(ctx, "the product", addr, cmd, ready)
}

// startPlain serves the handler written by hand.
func (s *stage) startPlain(ctx context.Context, dsn string) (*measure.Process, error) {
	addr, err := measure.FreeAddr(ctx)
	if err != nil {
		return nil, err
	}

	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}

	told, err := json.Marshal(plainOptions{
		DSN: dsn, Addr: addr, BaseURL: baseURL, List: s.list, Detail: s.detail, Probe: s.probe(),
	})
	if err != nil {
		return nil, fmt.Errorf("encode the options: %w", err)
	}

	cmd := exec.Command(self, plainCommand) //nolint:noctx // Stop ends it
	cmd.Stdin = bytes.NewReader(told)

	ready, err := measure.Ask(ctx, addr, "/v1/videos?limit=20", s.world.keyOf(0), "")
	if err != nil {
		return nil, err
	}

	return measure.Start(ctx, "the handler written by hand", addr, cmd, ready)
}

// gate returns the product's statement that looks up a key and counts a request, and its arguments after the key and
// the address.
func (s *stage) gate() []string { return append([]string{s.list[0].Text}, s.list[0].Args[2:]...) }

func (s *stage) probe() identities {
	return identities{User: s.world.user, Workspace: s.world.space, Video: s.world.videos[asked/2]}
}

// reads returns the paths of the two compared requests.
func (s *stage) reads() (list, detail string) {
	return "/v1/videos?limit=20", "/v1/videos/" + s.probe().Video
}

// prove records the statements of the product and of the handler written by hand, and compares their statements and
// answers.
func (s *stage) prove(ctx context.Context) error {
	product, err := s.observe(ctx, s.startProduct)
	if err != nil {
		return err
	}

	s.list, s.detail = product[0].executed, product[1].executed

	plain, err := s.observe(ctx, s.startPlain)
	if err != nil {
		return err
	}

	for i := range product {
		if err := errors.Join(sameStatements(product[i].executed, plain[i].executed), sameJSON(product[i].body, plain[i].body)); err != nil {
			return fmt.Errorf("the handler written by hand differs from the product: %w", err)
		}
	}

	return nil
}

// observed is an answer and the statements executed for it.
type observed struct {
	body     []byte
	executed []statement
}

// observe reads the list and the detail from a server through a recorder.
func (s *stage) observe(
	ctx context.Context, start func(ctx context.Context, dsn string) (*measure.Process, error),
) (seen []observed, err error) {
	folder, err := os.MkdirTemp("", "reel-")
	if err != nil {
		return nil, fmt.Errorf("make a folder: %w", err)
	}

	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()

	recorder, err := record(ctx, s.dsn, folder)
	if err != nil {
		return nil, err
	}
	defer recorder.close()

	server, err := start(ctx, recorder.dsn)
	if err != nil {
		return nil, err
	}

	defer func() { err = errors.Join(err, server.Stop()) }()

	list, detail := s.reads()

	for _, path := range []string{list, detail} {
		var o observed

		for range 2 { // the first request prepares the statements
			recorder.take()

			r, err := measure.Ask(ctx, server.Addr, path, s.world.keyOf(0), "")
			if err != nil {
				return nil, err
			}

			if o.body, err = measure.Answer(r, wrong); err != nil {
				return nil, err
			}

			o.executed = recorder.take()
		}

		seen = append(seen, o)
	}

	return seen, nil
}
