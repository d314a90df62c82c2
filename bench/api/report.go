package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reelgraph/reelgraph/bench/measure"
)

// comparison is a throughput ratio and its goal. A least of zero means no goal.
type comparison struct {
	what, of, by string
	least        float64
	clients      int
}

// comparisons returns the comparisons whose both sides were measured.
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

// throughput returns the ratio of each round.
func (c comparison) throughput(measured map[string][]sample) []float64 {
	return measure.Ratios(each(measured[c.of], perSecond), each(measured[c.by], perSecond))
}

// effort returns the ratio of answers for the same processor time of server and Postgres together.
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

// report returns the table of comparisons. A row has the figures of every number of clients.
func report(measured map[string][]sample) string {
	var (
		b    strings.Builder
		last string
		row  [6][]string // goal, ratio, spread, per processor second, requests/s of both sides
	)

	end := func() {
		if last != "" {
			fmt.Fprintf(&b, "| %s | %s | %s | %s %% | %s | %s / %s |\n", last, strings.Join(row[1], "; "), strings.Join(row[0], "; "),
				strings.Join(row[2], "; "), strings.Join(row[3], "; "), strings.Join(row[4], "; "), strings.Join(row[5], "; "))
		}

		row = [6][]string{}
	}

	b.WriteString("\n| throughput | ratio | goal | spread | per processor second | requests/s |\n| --- | --- | --- | --- | --- | --- |\n")

	for _, c := range comparisons(measured) {
		if c.what != last {
			end()

			last = c.what
		}

		ratios := c.throughput(measured)
		ratio := measure.Median(ratios)

		if c.least > 0 {
			goal := measure.Verdict(ratio >= c.least)
			if len(row[0]) == 0 {
				goal = fmt.Sprintf("≥ %g, ", c.least) + goal
			}

			row[0] = append(row[0], goal)
		}

		for i, figure := range []string{
			fmt.Sprintf("**%.2f**", ratio),
			fmt.Sprintf("%.0f", 100*measure.Spread(ratios)),
			fmt.Sprintf("%.2f", measure.Median(c.effort(measured))),
			fmt.Sprintf("%.0f", measure.Median(each(measured[c.of], perSecond))),
			fmt.Sprintf("%.0f", measure.Median(each(measured[c.by], perSecond))),
		} {
			row[i+1] = append(row[i+1], figure)
		}
	}

	end()

	return b.String()
}

// medians returns the figures of every measured cell.
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

// method explains the table.
func method(p course) string {
	return fmt.Sprintf(`Rounds of %s,
at least %d; figures of 16 and 64 clients.
"Per processor second" compares how many answers server and Postgres give for the same processor time.

- %d videos in %d workspaces, each with a clip, a source, %d chapters and %d exports; %d keys of as many users in turn. Load, servers
  and Postgres share the machine. An error ends the run. All rows except those "without" look up the key and count the request first.
- By hand is net/http and lib/pq with a pool of %d. The bench checks that it sends the product's statements and returns the same JSON,
  except signatures and cursors. SQL by hand answers the graph's document with one statement that builds the JSON in Postgres.
- PostGraphile 5 (Amber preset) and graphql-jit (dataloader, pg) run in Node 22 with a pool of the same size (decisions 0046 and 0085).
`, p.each, p.least, videos, workspaces, chapters, exports, p.keys, pool)
}
