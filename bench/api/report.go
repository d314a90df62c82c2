package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/bench/measure"
)

// The cells.
const (
	productList   = "REST list, product"
	plainList     = "REST list, by hand"
	openList      = "REST list, by hand, without key and limiter"
	productDetail = "REST detail, product"
	plainDetail   = "REST detail, by hand"
	openedDetail  = "REST detail, by hand, without key and limiter"
	productOne    = "graph, one row, product"
	theirsOne     = "graph, one row, PostGraphile"
	productNested = "graph, nested list, product"
	theirsNested  = "graph, nested list, PostGraphile"
)

// cells are in the order of measurement: what is compared stands side by side.
func cells() []string {
	return []string{
		productList, plainList, openList, productDetail, plainDetail, openedDetail,
		productOne, theirsOne, productNested, theirsNested,
	}
}

// comparison is a ratio and, if least is not zero, what it should be.
type comparison struct {
	what, of, by string
	least        float64
}

func comparisons() []comparison {
	return []comparison{
		{"REST list of 20, of the handler by hand", productList, plainList, 0.6},
		{"REST detail, of the handler by hand", productDetail, plainDetail, 0.6},
		{"GraphQL, one row, of PostGraphile 5", productOne, theirsOne, 3},
		{"GraphQL, 20 videos with their exports, of PostGraphile 5", productNested, theirsNested, 0},
		{"Key and limiter: list by hand, of the same without them", plainList, openList, 0},
		{"Key and limiter: detail by hand, of the same without them", plainDetail, openedDetail, 0},
	}
}

func report(measured map[string][]float64, cell time.Duration) string {
	var b strings.Builder

	rounds := len(measured[productList])
	fmt.Fprintf(&b, `Medians of %d rounds; a round asks every server for %s, one after the other, every other round backwards.
A ratio is the median of the rounds' ratios, its spread the distance between its quartiles.

| throughput | ratio | goal | | spread | req/s | against req/s |
| --- | --- | --- | --- | --- | --- | --- |
`, rounds, cell)

	for _, c := range comparisons() {
		ratios := measure.Ratios(measured[c.of], measured[c.by])
		ratio, goal, verdict := measure.Median(ratios), "", ""

		if c.least > 0 {
			goal, verdict = fmt.Sprintf("≥ %.1f", c.least), measure.Verdict(ratio >= c.least)
		}

		fmt.Fprintf(&b, "| %s | **%.2f** | %s | %s | %.0f %% | %.0f | %.0f |\n", c.what, ratio, goal, verdict,
			100*measure.Spread(ratios), measure.Median(measured[c.of]), measure.Median(measured[c.by]))
	}

	fmt.Fprintf(&b, `
How:

- %d videos, a tenth of them in each of %d workspaces; each with a clip, a source, %d chapters and %d exports.
  The detail and the row are those of %d videos in turn, the list is its first page.
- %d connections that stay open, each with one request at a time. Load, servers and Postgres share the machine. An
  answer other than 200, or one with errors, would end the run.
- The product is the built binary: serve, without workers, with the greatest budget; every request carries the one
  key, is counted into the one row of its minute, and bears its rate headers, its request id and its ETag.
- The handler by hand is net/http and lib/pq with prepared statements, a pool of %d, structs and encoding/json, the
  product's garbage collection percentage. Before measuring, the bench records between it and Postgres, and between
  the product and Postgres, what is executed: it must be the same statements with the same arguments (%s), and the
  answers must be the same JSON but for signatures and cursors. It writes no rate headers and no ETag.
- PostGraphile 5 (Amber preset, production mode, Node 22, pool %d) serves the same tables. It has no keys, no limiter
  and no rights: a plain condition names the workspace. The answers must be the same but for the names and the
  spelling of numbers, moments and enums.
`, videos, workspaces, chapters, exports, asked, connections, pool, "the gate's among them", pool)

	return b.String()
}
