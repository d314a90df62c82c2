// Command api measures the product's API with requests of 1,000 API keys in turn: its REST against a handler written by hand
// over lib/pq that executes the same statements and answers the same JSON, and its graph against PostGraphile 5, graphql-jit
// and a handler whose one SQL statement builds the answer, on the same tables. All look the key up and count the request
// first. Run it from the root of the module; it writes its section of bench/RESULTS.md.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
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
	keys := flag.Int("keys", 1000, "how many API keys ask in turn; results are published for 1000 alone")
	against := flag.String("against", "", "a binary of the product to measure beside the one that is built; publishes nothing")
	only := flag.String("only", "", "measure only cells whose name matches this expression, print the figures, and publish nothing")
	profiles := flag.String("profiles", "", "with -only: a folder for a CPU profile of the product in each of its cells")

	flag.Parse()

	cells, err := regexp.Compile(*only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}

	if *keys < 1 || *keys > asked || asked%*keys != 0 {
		return fmt.Errorf("-keys is %d; it must divide %d", *keys, asked)
	}

	return compare(ctx, course{each: *each, least: *least, keys: *keys, against: *against, only: cells, profiles: *profiles})
}

// course is what is to be measured.
type course struct {
	each              time.Duration
	least, keys       int
	against, profiles string
	only              *regexp.Regexp
}

// publishes reports whether the results are those that bench/RESULTS.md shows.
func (c course) publishes() bool { return c.only.String() == "" && c.against == "" && c.keys == 1000 }
