// Command api measures the product's API. It sends each request with the next one of 1,000 API keys. It compares REST
// with a handler written by hand over lib/pq that executes the same statements and returns the same JSON. It compares
// GraphQL with PostGraphile 5, with graphql-jit, and with a handler whose single SQL statement builds the whole
// response. All servers use the same tables, and each looks up the key and counts the request first. Run the command
// from the root of the module. It writes its section of bench/RESULTS.md.
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

// plainCommand is the argument that turns this program into the handler written by hand. Its standard input says what
// to serve.
const plainCommand = "plain"

func main() { os.Exit(measure.Run("api", run)) }

func run(ctx context.Context) error {
	if len(os.Args) == 2 && os.Args[1] == plainCommand {
		var o plainOptions
		if err := json.NewDecoder(os.Stdin).Decode(&o); err != nil {
			return fmt.Errorf("read what to serve: %w", err)
		}

		memory.Tune() // same settings as the product

		return servePlain(ctx, o)
	}

	each := flag.Duration("cell", 2*time.Second, "how long each server is measured in each round")
	least := flag.Int("rounds", 7, "minimum number of rounds")
	keys := flag.Int("keys", 1000, "number of API keys used in turn; only results for 1000 are published")
	against := flag.String("against", "", "another binary of the product to compare with; nothing is published")
	only := flag.String("only", "", "measure only cells whose name matches this expression, print the figures and publish nothing")
	profiles := flag.String("profiles", "", "with -only: folder for CPU profiles of the product's cells")

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

// course is what to measure.
type course struct {
	each              time.Duration
	least, keys       int
	against, profiles string
	only              *regexp.Regexp
}

// publishes reports whether the results go into bench/RESULTS.md.
func (c course) publishes() bool { return c.only.String() == "" && c.against == "" && c.keys == 1000 }
