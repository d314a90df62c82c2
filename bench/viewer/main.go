// Command viewer measures what a visitor experiences: the time to the first byte of a video's page, the size of the
// script and the style of that page, and the Lighthouse scores of each kind of page on mobile and on desktop. A real
// browser also watches a video for a minute, and the command checks that the viewing figures match. Run it from the
// root of the module. It writes its section of bench/RESULTS.md.
package main

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	_ "github.com/lib/pq"

	"github.com/reelgraph/reelgraph/bench/measure"
)

// parts are the measurements, in order.
var parts = []struct {
	name string
	run  func(*bench, context.Context) (string, error)
}{
	{"firstbyte", (*bench).firstBytes},
	{"weight", (*bench).weight},
	{"lighthouse", (*bench).lighthouse},
	{"watch", (*bench).watch},
}

func main() {
	only := flag.String("only", "", "firstbyte, weight, lighthouse or watch: measure only that and publish nothing")

	flag.Parse()

	os.Exit(measure.Run("viewer", func(ctx context.Context) error { return run(ctx, *only) }))
}

// bench is the product as shipped, and the visited workspace.
type bench struct {
	product *measure.Product
	db      *sql.DB
	folder  string

	video, playlist string // ids
}

func run(ctx context.Context, only string) (err error) {
	began := measure.Circumstances(ctx, "go run ./bench/viewer", browserVersion(ctx), "Lighthouse "+lighthouseVersion())
	b := &bench{}

	if b.folder, err = os.MkdirTemp("", "bench-"); err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.folder)) }()

	if b.product, err = measure.Serve(ctx, b.folder); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.product.Stop()) }()

	if b.db, err = sql.Open("postgres", b.product.DSN); err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	defer func() { err = errors.Join(err, b.db.Close()) }()

	if err := b.furnish(ctx); err != nil {
		return err
	}

	fmt.Fprintln(os.Stderr, "the workspace is ready")

	var text strings.Builder

	for _, part := range parts {
		if only != "" && only != part.name {
			continue
		}

		said, err := part.run(b, ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}

		fmt.Fprintln(os.Stderr, said)

		text.WriteString("\n" + said)
	}

	if only != "" {
		return nil
	}

	return measure.Publish("Pages for viewers", began+text.String(), how)
}

// pages returns the names and paths of the measured pages.
func (b *bench) pages() [][2]string {
	return [][2]string{
		{"view page", "/video/" + b.video + "/view"},
		{"embed", "/video/" + b.video + "/embed"},
		{"playlist page", "/playlist/" + b.playlist + "/view"},
	}
}

// how explains the measurement. many is the number of videos.
var how = fmt.Sprintf(`
How:

- The built server with its workers and its private Postgres, on the same machine as the visitor. The workspace has %d
  videos, each with a film, three chapters, a transcript and three comments. Each page is requested once, over a new
  connection, compressed as for browsers.
- First byte: from before the connection is opened until the first byte of the answer.
- Lighthouse is the npm package, in this machine's Chromium, with its own throttling of network and processor (its mobile
  form slows the processor by a factor of four). A score is the median of three runs.
- The minute: headless Chromium plays the film of a video of 100 seconds. The page records at each picture what is
  played, and seeks twice, so that ten seconds are seen again. A slice is one second.
`, many)
