package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/bench/measure"
)

// crowds are how many clients ask at once. Sixteen leave a fifth of the processors idle while the product answers rows:
// it asks Postgres twice for each, and what waits shares a statement.
func crowds() []int { return []int{16, 64} }

// with is the name of a cell that so many clients ask.
func with(cell string, clients int) string { return fmt.Sprintf("%s, %d clients", cell, clients) }

// steady is the spread of a ratio that needs no more rounds.
const steady = 0.2

// The cells: a server and what it is asked.
const (
	productList   = "REST list, product"
	plainList     = "REST list, by hand"
	openList      = "REST list, by hand, without key and limiter"
	productDetail = "REST detail, product"
	plainDetail   = "REST detail, by hand"
	openDetail    = "REST detail, by hand, without key and limiter"
	productOne    = "graph, one row, product"
	theirsOne     = "graph, one row, PostGraphile"
	gatedOne      = "graph, one row, PostGraphile with key and limiter"
	productNested = "graph, nested list, product"
	theirsNested  = "graph, nested list, PostGraphile"
	gatedNested   = "graph, nested list, PostGraphile with key and limiter"
)

// groups are the cells that are measured together, in the order of measurement: what is compared stands side by side.
func groups() (all [][]string) {
	for _, same := range [][]string{
		{productList, plainList, openList},
		{productDetail, plainDetail, openDetail},
		{productOne, theirsOne, gatedOne},
		{productNested, theirsNested, gatedNested},
	} {
		var group []string

		for _, clients := range crowds() {
			for _, cell := range same {
				group = append(group, with(cell, clients))
			}
		}

		all = append(all, group)
	}

	return all
}

// cell is what is measured in one round.
type cell struct {
	server  *measure.Process
	target  measure.Target
	clients int
}

// load is all that its clients ask in so long a time.
func (c cell) load(ctx context.Context, each time.Duration) (measure.Answers, error) {
	return measure.Load{Connections: c.clients, Duration: each}.Run(ctx, c.target)
}

// warm asks until each connection to Postgres has answered every request: its process has to meet each page of the
// tables once, and so long what is measured is the machine's memory. A server with fewer answers a second would
// have met fewer of them.
func (c cell) warm(ctx context.Context) error {
	for answered := 0; answered < pool*len(c.target.Requests); {
		answers, err := c.load(ctx, time.Second)
		if err != nil {
			return err
		}

		answered += answers.Count
	}

	return nil
}

// sample is what one round has found.
type sample struct {
	perSecond float64
	serverUs  float64 // of processor time for each answer
	dbUs      float64 // as serverUs, of Postgres
}

// measure starts all servers and asks them in turn.
func (s *stage) measure(ctx context.Context) (measured map[string][]sample, err error) {
	db, err := sql.Open("postgres", s.dsn)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()

	var running servers
	defer func() { err = errors.Join(err, running.stop()) }()

	if err := running.start(ctx, s); err != nil {
		return nil, err
	}

	if err := s.proveGraph(ctx, running.product.Addr, running.theirs.Addr); err != nil {
		return nil, err
	}

	if err := s.proveGraph(ctx, running.product.Addr, running.gated.Addr); err != nil {
		return nil, err
	}

	all := s.cells(running)
	measured = map[string][]sample{}

	for _, group := range groups() {
		group = slices.DeleteFunc(group, func(name string) bool { return !strings.Contains(name, s.plan.only) })

		if err := s.together(ctx, db, group, all, measured); err != nil {
			return nil, err
		}

		if err := context.Cause(ctx); err != nil {
			return nil, err // the groups belong together
		}
	}

	return measured, nil
}

// together measures the cells of a group in turn.
func (s *stage) together(ctx context.Context, db *sql.DB, group []string, all map[string]cell, measured map[string][]sample) error {
	for _, name := range group {
		say("warming up: " + name)

		if err := all[name].warm(ctx); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}

	found, err := measure.InTurn(ctx, measure.Rounds{Least: s.plan.least, Most: 2 * s.plan.least}, group,
		func(ctx context.Context, name string) (sample, error) { return all[name].measure(ctx, db, s.plan.each) },
		func(found map[string][]sample) bool {
			return s.plan.only != "" || !slices.ContainsFunc(comparisons(), func(c comparison) bool {
				return slices.Contains(group, c.of) && measure.Spread(c.throughput(found)) > steady
			})
		})
	if err != nil {
		return err //nolint:wrapcheck // it names the cell
	}

	maps.Copy(measured, found)

	return s.profile(ctx, group, all)
}

func (c cell) measure(ctx context.Context, db *sql.DB, each time.Duration) (sample, error) {
	postmaster, err := postmaster(ctx, db)
	if err != nil {
		return sample{}, err
	}

	var used [2][2]time.Duration

	read := func(i int) error {
		var errs [2]error

		used[i][0], errs[0] = measure.CPU(c.server.Cmd.Process.Pid)
		used[i][1], errs[1] = measure.FamilyCPU(postmaster)

		return errors.Join(errs[:]...)
	}

	if err := read(0); err != nil {
		return sample{}, err
	}

	answers, err := c.load(ctx, each)
	if err != nil {
		return sample{}, err
	}

	if err := read(1); err != nil {
		return sample{}, err
	}

	n := float64(max(answers.Count, 1))

	return sample{
		perSecond: n / answers.Took.Seconds(),
		serverUs:  float64((used[1][0] - used[0][0]).Microseconds()) / n,
		dbUs:      float64((used[1][1] - used[0][1]).Microseconds()) / n,
	}, nil
}

// postmaster is the process of Postgres whose children serve clients.
func postmaster(ctx context.Context, db *sql.DB) (pid int, err error) {
	const first = "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int"
	if err := db.QueryRowContext(ctx, first).Scan(&pid); err != nil {
		return 0, fmt.Errorf("find the process of postgres: %w", err)
	}

	return pid, nil
}

// servers are all that are measured.
type servers struct{ product, plain, theirs, gated *measure.Process }

func (r *servers) start(ctx context.Context, s *stage) (err error) {
	if r.product, err = s.startProduct(ctx, s.dsn); err != nil {
		return err
	}

	if r.plain, err = s.startPlain(ctx, s.dsn); err != nil {
		return err
	}

	if r.theirs, err = s.startPostGraphile(ctx, ""); err != nil {
		return err
	}

	r.gated, err = s.startPostGraphile(ctx, s.list[0].Text)

	return err
}

func (r *servers) stop() error {
	var errs []error

	for _, p := range []*measure.Process{r.product, r.plain, r.theirs, r.gated} {
		if p != nil {
			errs = append(errs, p.Stop())
		}
	}

	return errors.Join(errs...)
}

func (s *stage) cells(r servers) map[string]cell {
	key := "Authorization: Bearer " + s.world.key.Plain
	list := [][]byte{measure.Get("/v1/videos?limit=20", key)}

	var detail, open, one, theirs [][]byte

	for _, id := range s.world.videos {
		detail = append(detail, measure.Get("/v1/videos/"+id, key))
		open = append(open, measure.Get("/open/v1/videos/"+id))
		one = append(one, measure.Post("/graphql", document(oneRow, id), key))
		theirs = append(theirs, measure.Post("/graphql", document(theirOneRow, id), key))
	}

	nested := [][]byte{measure.Post("/graphql", document(nestedList, ""), key)}
	theirsAll := [][]byte{measure.Post("/graphql", document(theirNestedList, s.world.space), key)}

	of := func(p *measure.Process, requests [][]byte) cell {
		return cell{server: p, target: measure.Target{Addr: p.Addr, Requests: requests, Wrong: wrong}}
	}

	all := map[string]cell{}

	for name, c := range map[string]cell{
		productList:   of(r.product, list),
		plainList:     of(r.plain, list),
		openList:      of(r.plain, [][]byte{measure.Get("/open/v1/videos?limit=20")}),
		productDetail: of(r.product, detail),
		plainDetail:   of(r.plain, detail),
		openDetail:    of(r.plain, open),
		productOne:    of(r.product, one),
		theirsOne:     of(r.theirs, theirs),
		gatedOne:      of(r.gated, theirs),
		productNested: of(r.product, nested),
		theirsNested:  of(r.theirs, theirsAll),
		gatedNested:   of(r.gated, theirsAll),
	} {
		for _, c.clients = range crowds() {
			all[with(name, c.clients)] = c
		}
	}

	return all
}

func say(what string) {
	fmt.Fprintln(os.Stderr, time.Now().Format(time.TimeOnly), what)
}
