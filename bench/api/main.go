// Command api measures the product's API: its REST against a handler written by hand over lib/pq that
// executes the same statements and answers the same JSON, and its graph against PostGraphile 5 on the
// same tables. Run it from the root of the module; it writes its section of bench/RESULTS.md.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/reelgraph/reelgraph/bench/measure"
	"github.com/reelgraph/reelgraph/internal/platform/memory"
)

// plainCommand is the argument that makes this program the handler written by hand, which is told by its
// standard input what to serve.
const plainCommand = "plain"

func main() { os.Exit(measure.Run("api", run)) }

func run(ctx context.Context) error {
	if len(os.Args) == 2 && os.Args[1] == plainCommand {
		var o plainOptions
		if err := json.NewDecoder(os.Stdin).Decode(&o); err != nil {
			return fmt.Errorf("read what to serve: %w", err)
		}

		memory.Tune() // as the product does

		return servePlain(ctx, o)
	}

	each := flag.Duration("cell", 2*time.Second, "how long each server is measured in each round")
	least := flag.Int("rounds", 7, "the least number of rounds")
	only := flag.String("only", "", "measure only cells with this in their name, print the figures, and publish nothing")
	profiles := flag.String("profiles", "", "with -only: a folder for a CPU profile of the product in each of its cells")
	flag.Parse()

	return compare(ctx, course{each: *each, least: *least, only: *only, profiles: *profiles})
}

// course is what is to be measured.
type course struct {
	each           time.Duration
	least          int
	only, profiles string
}
