package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/bench/measure"
)

// comparison is a ratio of what so many clients get and, if least is not zero, what it should be.
type comparison struct {
	what, of, by string
	least        float64
	clients      int
}

func comparisons() (all []comparison) {
	for _, c := range []comparison{
		{what: "REST list of 20 / by hand", of: productList, by: plainList, least: 0.7},
		{what: "REST detail / by hand", of: productDetail, by: plainDetail, least: 0.7},
		{what: "GraphQL, one row / PostGraphile", of: productOne, by: theirsOne, least: 3},
		{what: "GraphQL, one row / PostGraphile with key and limiter", of: productOne, by: gatedOne, least: 3},
		{what: "GraphQL, 20 videos with exports / PostGraphile", of: productNested, by: theirsNested, least: 2},
		{what: "GraphQL, 20 videos with exports / PostGraphile with key and limiter", of: productNested, by: gatedNested, least: 2},
		{what: "by hand, list / without key and limiter", of: plainList, by: openList},
		{what: "by hand, detail / without key and limiter", of: plainDetail, by: openDetail},
	} {
		of, by := c.of, c.by

		for _, c.clients = range crowds() {
			c.of, c.by = with(of, c.clients), with(by, c.clients)
			all = append(all, c)
		}
	}

	return all
}

// throughput is the ratio in every round.
func (c comparison) throughput(measured map[string][]sample) []float64 {
	return measure.Ratios(each(measured[c.of], perSecond), each(measured[c.by], perSecond))
}

// effort is the ratio of answers for the same processor time, of server and Postgres together.
func (c comparison) effort(measured map[string][]sample) []float64 {
	return measure.Ratios(each(measured[c.by], cpuUs), each(measured[c.of], cpuUs))
}

func perSecond(s sample) float64 { return s.perSecond }
func cpuUs(s sample) float64     { return s.serverUs + s.dbUs }
func serverUs(s sample) float64  { return s.serverUs }
func dbUs(s sample) float64      { return s.dbUs }

func each(samples []sample, of func(sample) float64) []float64 {
	values := make([]float64, len(samples))
	for i, s := range samples {
		values[i] = of(s)
	}

	return values
}

func report(measured map[string][]sample, took time.Duration, least int) string {
	var b strings.Builder

	fmt.Fprintf(&b, `In a round the cells of one kind are asked for %s each, one after the other, every other round backwards; there are %d
rounds, and up to twice as many while the ratios are unsteady. A ratio is the median of the rounds' ratios, its spread
the distance between their quartiles. The ratio per processor second compares how many answers the processor time of
server and Postgres is enough for: other work on the machine hardly moves it.

| throughput | clients | ratio | goal | | spread | per processor second |
| --- | --- | --- | --- | --- | --- | --- |
`, took, least)

	for _, c := range comparisons() {
		ratios, goal, verdict := c.throughput(measured), "", ""
		ratio := measure.Median(ratios)

		if c.least > 0 {
			goal, verdict = fmt.Sprintf("≥ %.1f", c.least), measure.Verdict(ratio >= c.least)
		}

		fmt.Fprintf(&b, "| %s | %d | **%.2f** | %s | %s | %.0f %% | %.2f |\n",
			c.what, c.clients, ratio, goal, verdict, 100*measure.Spread(ratios), measure.Median(c.effort(measured)))
	}

	b.WriteString("\nMedians behind them, processor time in microseconds for each answer:\n\n")
	b.WriteString(medians(measured))
	b.WriteString(method())

	return b.String()
}

// medians are the figures of every cell that was measured.
func medians(measured map[string][]sample) string {
	var b strings.Builder

	b.WriteString("| cell | req/s | server µs | Postgres µs |\n| --- | --- | --- | --- |\n")

	for _, name := range slices.Concat(groups()...) {
		s := measured[name]
		if len(s) == 0 {
			continue
		}

		median := func(of func(sample) float64) float64 { return measure.Median(each(s, of)) }
		fmt.Fprintf(&b, "| %s | %.0f | %.0f | %.0f |\n", name, median(perSecond), median(serverUs), median(dbUs))
	}

	return b.String()
}

func method() string {
	return fmt.Sprintf(`
How:

- %d videos, a tenth of them in each of %d workspaces; each with a clip, a source, %d chapters and %d exports. Detail and
  row are those of %d videos in turn, the list is its first page.
- Each client has a connection that stays open, and one request at a time. Load, servers and Postgres share the machine.
  An answer other than 200, or one with errors, ends the run. With 16 clients the product's rows leave processors idle,
  for each asks Postgres twice. Before it is measured every server answers as many requests: %d times each of them, so
  that every connection to Postgres has met all rows.
- The product is the built binary: serve, without workers, with the greatest budget. Every request bears the one key
  and is counted into the one row of its minute, as all requests of a user are; those that wait for that row in the
  product are counted with one statement, those of the handler written by hand with one each.
- By hand is net/http and lib/pq with prepared statements and a pool of %d, structs and encoding/json, the garbage
  collector set as the product sets it. The bench stands between it and Postgres, and between the product and Postgres,
  and notes what is executed: it must be the same statements with the same arguments, the gate's among them. The
  answers must be the same JSON but for signatures and cursors, which it makes too. It has no rate headers and no ETag.
- PostGraphile 5 (Amber preset, production mode, Node 22, pool %d) serves the same tables. As it comes it knows no keys,
  no limiter and no rights: a plain condition names the workspace. With key and limiter it executes the product's
  gate first. Its answers must be the product's but for names and the spelling of numbers, moments and enums.
`, videos, workspaces, chapters, exports, asked, pool, pool, pool)
}
