package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reelgraph/reelgraph/bench/measure"
)

// comparison is a ratio of what so many clients get and, if least is not zero, what it should be.
type comparison struct {
	what, of, by string
	least        float64
	clients      int
}

// comparisons are those whose both sides were measured.
func comparisons(measured map[string][]sample) (all []comparison) {
	for _, c := range []comparison{
		{what: "REST list / other product", of: productList, by: formerList},
		{what: "REST list of 20 / by hand", of: productList, by: plainList, least: 0.7},
		{what: "REST detail / other product", of: productDetail, by: formerDetail},
		{what: "REST detail / by hand", of: productDetail, by: plainDetail, least: 0.7},
		{what: "GraphQL, one row / other product", of: productOne, by: formerOne},
		{what: "GraphQL, one row / PostGraphile", of: productOne, by: gatedOne, least: 3},
		{what: "GraphQL, one row / PostGraphile without key and limit", of: productOne, by: theirsOne},
		{what: "GraphQL, one row / graphql-jit", of: productOne, by: jitOne},
		{what: "GraphQL, one row / SQL by hand", of: productOne, by: sqlOne},
		{what: "GraphQL, 20 videos / other product", of: productNested, by: formerNested},
		{what: "GraphQL, 20 videos / PostGraphile", of: productNested, by: gatedNested, least: 2},
		{what: "GraphQL, 20 videos / PostGraphile without key and limit", of: productNested, by: theirsNested},
		{what: "GraphQL, 20 videos / graphql-jit", of: productNested, by: jitNested},
		{what: "GraphQL, 20 videos / SQL by hand", of: productNested, by: sqlNested},
		{what: "by hand, list / without key and limit", of: plainList, by: openList},
		{what: "by hand, detail / without key and limit", of: plainDetail, by: openDetail},
	} {
		of, by := c.of, c.by

		for _, c.clients = range crowds() {
			c.of, c.by = with(of, c.clients), with(by, c.clients)
			if len(measured[c.of]) > 0 && len(measured[c.by]) > 0 {
				all = append(all, c)
			}
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

// report is the table of what was compared.
func report(measured map[string][]sample) string {
	var b strings.Builder

	b.WriteString(`
| throughput | clients | ratio | goal | spread | per processor second | requests/s |
| --- | --- | --- | --- | --- | --- | --- |
`)

	for _, c := range comparisons(measured) {
		ratios, goal := c.throughput(measured), ""
		ratio := measure.Median(ratios)

		if c.least > 0 {
			goal = fmt.Sprintf("≥ %.1f, %s", c.least, measure.Verdict(ratio >= c.least))
		}

		fmt.Fprintf(&b, "| %s | %d | **%.2f** | %s | %.0f %% | %.2f | %.0f / %.0f |\n",
			c.what, c.clients, ratio, goal, 100*measure.Spread(ratios), measure.Median(c.effort(measured)),
			measure.Median(each(measured[c.of], perSecond)), measure.Median(each(measured[c.by], perSecond)))
	}

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

// method says what the table shows.
func method(p course) string {
	return fmt.Sprintf(`Rounds of %s, at
least %d, until ratios are steady. The ratio per processor second compares how many answers the same processor time of server and
Postgres yields; it hardly depends on other load.

- %d videos in %d workspaces, each with a clip, a source, %d chapters and %d exports. Requests bear %d keys of as many users in turn.
  Load, servers and Postgres share the machine. Every server is warmed up; an error ends the run.
- All but the rows "without" execute the product's statement for key and limit first. The product is the built binary without workers.
- By hand is net/http and lib/pq with prepared statements and a pool of %d. The bench checks that it sends the same statements and
  that its answers are the same JSON but for signatures and cursors. It has no rate headers and no ETag. SQL by hand answers the
  graph's document with one statement that builds the JSON in Postgres.
- PostGraphile 5 (Amber preset) and graphql-jit (with dataloader and pg) run in Node 22 with a pool of %d (decisions 0046 and 0085).
`, p.each, p.least, videos, workspaces, chapters, exports, p.keys, pool, pool)
}
