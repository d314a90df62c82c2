package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/reelgraph/reelgraph/bench/measure"
)

// crowds returns the numbers of concurrent clients.
func crowds() []int { return []int{16, 64} }

// with returns the name of a cell at a number of clients.
func with(cell string, clients int) string { return fmt.Sprintf("%s, %d clients", cell, clients) }

// steady is the spread of a ratio below which no more rounds are needed.
const steady = 0.2

// The cells, each a server and a request.
const (
	productList   = "REST list, product"
	formerList    = "REST list, other product"
	plainList     = "REST list, by hand"
	openList      = "REST list, by hand, without key and limiter"
	productDetail = "REST detail, product"
	formerDetail  = "REST detail, other product"
	plainDetail   = "REST detail, by hand"
	openDetail    = "REST detail, by hand, without key and limiter"
	productOne    = "graph, one row, product"
	formerOne     = "graph, one row, other product"
	theirsOne     = "graph, one row, PostGraphile"
	gatedOne      = "graph, one row, PostGraphile with key and limiter"
	jitOne        = "graph, one row, graphql-jit"
	sqlOne        = "graph, one row, SQL by hand"
	productNested = "graph, nested list, product"
	formerNested  = "graph, nested list, other product"
	theirsNested  = "graph, nested list, PostGraphile"
	gatedNested   = "graph, nested list, PostGraphile with key and limiter"
	jitNested     = "graph, nested list, graphql-jit"
	sqlNested     = "graph, nested list, SQL by hand"
)

// groups returns the cells that are measured together, in order. Cells that are compared are next to each other.
func groups() (all [][]string) {
	for _, same := range [][]string{
		{productList, formerList, plainList, openList},
		{productDetail, formerDetail, plainDetail, openDetail},
		{productOne, formerOne, theirsOne, gatedOne, jitOne, sqlOne},
		{productNested, formerNested, theirsNested, gatedNested, jitNested, sqlNested},
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

// cell is a server and its requests in one round.
type cell struct {
	server    *measure.Process
	target    measure.Target
	different int // number of different answers
	clients   int
}

// load loads the server with all clients for the given time.
func (c cell) load(ctx context.Context, each time.Duration) (measure.Answers, error) {
	return measure.Load{Connections: c.clients, Duration: each}.Run(ctx, c.target)
}

// leastWarm is the minimum number of answers that warm up servers which compile code at run time.
const leastWarm = 4000

// warm sends requests until each connection to Postgres has given every different answer. Before that, Postgres reads
// table pages for the first time, and the bench would measure the machine's memory. A slower server would also warm up
// less in a fixed time.
func (c cell) warm(ctx context.Context) error {
	for answered := 0; answered < max(pool*c.different, leastWarm); {
		answers, err := c.load(ctx, time.Second)
		if err != nil {
			return err
		}

		answered += answers.Count
	}

	return nil
}

// sample is the result of one round.
type sample struct {
	perSecond float64
	serverUs  float64 // processor time for each answer
	dbUs      float64 // the same for Postgres
}

// measure starts all servers and measures them in turn.
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

	if err := s.proveGraphs(ctx, running); err != nil {
		return nil, err
	}

	all := s.cells(running)
	measured = map[string][]sample{}

	for _, group := range groups() {
		group = slices.DeleteFunc(group, func(name string) bool {
			return !s.plan.only.MatchString(name) || all[name].server == nil
		})

		if err := s.together(ctx, db, group, all, measured); err != nil {
			return nil, err
		}

		if err := context.Cause(ctx); err != nil {
			return nil, err // all groups are published together
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
			return !s.plan.publishes() || !slices.ContainsFunc(comparisons(found), func(c comparison) bool {
				return measure.Spread(c.throughput(found)) > steady
			})
		})
	if err != nil {
		return err //nolint:wrapcheck // the error names the cell
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

// postmaster returns the Postgres process whose children serve clients.
func postmaster(ctx context.Context, db *sql.DB) (pid int, err error) {
	const first = "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int"
	if err := db.QueryRowContext(ctx, first).Scan(&pid); err != nil {
		return 0, fmt.Errorf("find the process of postgres: %w", err)
	}

	return pid, nil
}

// servers are all measured servers.
type servers struct {
	product, plain, theirs, gated, jit *measure.Process

	former *measure.Process // nil without -against
}

func (r *servers) start(ctx context.Context, s *stage) (err error) {
	if s.plan.against != "" {
		if r.former, err = s.startBinary(ctx, s.plan.against, s.dsn); err != nil {
			return err
		}
	}

	if r.product, err = s.startProduct(ctx, s.dsn); err != nil {
		return err
	}

	if r.plain, err = s.startPlain(ctx, s.dsn); err != nil {
		return err
	}

	if r.theirs, err = s.startPostGraphile(ctx); err != nil {
		return err
	}

	if r.gated, err = s.startPostGraphile(ctx, s.gate()...); err != nil {
		return err
	}

	r.jit, err = s.startJIT(ctx)

	return err
}

func (r *servers) stop() error {
	var errs []error

	for _, p := range []*measure.Process{r.product, r.former, r.plain, r.theirs, r.gated, r.jit} {
		if p != nil {
			errs = append(errs, p.Stop())
		}
	}

	return errors.Join(errs...)
}

func (s *stage) cells(r servers) map[string]cell {
	var list, detail, open, one, theirOnes, nested, theirLists [][]byte

	for i, video := range s.world.videos {
		key := "Authorization: Bearer " + s.world.keyOf(i)

		list = append(list, measure.Get("/v1/videos?limit=20", key))
		detail = append(detail, measure.Get("/v1/videos/"+video, key))

		if id("ws", s.world.spaceOf(i)) == s.world.space { // without keys only one workspace is served
			open = append(open, measure.Get("/open/v1/videos/"+video))
		}

		one = append(one, measure.Post("/graphql", document(oneRow, video), key))
		theirOnes = append(theirOnes, measure.Post("/graphql", document(theirOneRow, video), key))
		nested = append(nested, measure.Post("/graphql", document(nestedList, ""), key))
		theirLists = append(theirLists, measure.Post("/graphql", document(theirNestedList, id("ws", s.world.spaceOf(i))), key))
	}

	rows := func(p *measure.Process, requests [][]byte) cell { return cellOf(p, requests, asked) }
	lists := func(p *measure.Process, requests [][]byte) cell { return cellOf(p, requests, workspaces) }
	all := map[string]cell{}

	for name, c := range map[string]cell{
		productList:   lists(r.product, list),
		formerList:    lists(r.former, list),
		plainList:     lists(r.plain, list),
		openList:      lists(r.plain, [][]byte{measure.Get("/open/v1/videos?limit=20")}),
		productDetail: rows(r.product, detail),
		formerDetail:  rows(r.former, detail),
		plainDetail:   rows(r.plain, detail),
		openDetail:    rows(r.plain, open),
		productOne:    rows(r.product, one),
		formerOne:     rows(r.former, one),
		theirsOne:     rows(r.theirs, theirOnes),
		gatedOne:      rows(r.gated, theirOnes),
		jitOne:        rows(r.jit, one),
		sqlOne:        rows(r.plain, one),
		productNested: lists(r.product, nested),
		formerNested:  lists(r.former, nested),
		theirsNested:  lists(r.theirs, theirLists),
		gatedNested:   lists(r.gated, theirLists),
		jitNested:     lists(r.jit, nested),
		sqlNested:     lists(r.plain, nested),
	} {
		for _, c.clients = range crowds() {
			all[with(name, c.clients)] = c
		}
	}

	return all
}

// cellOf returns a cell for requests with that many different answers, or an empty cell without a server.
func cellOf(p *measure.Process, requests [][]byte, different int) cell {
	if p == nil {
		return cell{}
	}

	return cell{server: p, target: measure.Target{Addr: p.Addr, Requests: requests, Wrong: wrong}, different: different}
}

func say(what string) {
	fmt.Fprintln(os.Stderr, time.Now().Format(time.TimeOnly), what)
}
