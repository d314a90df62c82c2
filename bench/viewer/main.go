// Command viewer measures what a visitor meets: how soon a page of a video begins to arrive, how much script
// and style it needs, what Lighthouse says of each kind of page in both of its forms, and whether what a real
// browser watches for a minute is what the figures say. Run it from the root of the module; it writes its
// section of bench/RESULTS.md.
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

// parts are what is measured, in their order.
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
	only := flag.String("only", "", "firstbyte, weight, lighthouse or watch: measure that alone, and publish nothing")

	flag.Parse()

	os.Exit(measure.Run("viewer", func(ctx context.Context) error { return run(ctx, *only) }))
}

// bench is the product as it is shipped, and the workspace that is visited.
type bench struct {
	product *measure.Product
	db      *sql.DB
	folder  string

	video, playlist string // their ids
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

	fmt.Fprintln(os.Stderr, "the workspace is furnished")

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

// pages are those that are looked at, by what they are called.
func (b *bench) pages() [][2]string {
	return [][2]string{
		{"view page", "/video/" + b.video + "/view"},
		{"embed", "/video/" + b.video + "/embed"},
		{"playlist page", "/playlist/" + b.playlist + "/view"},
	}
}

// how says how it was measured; many is the number of videos.
var how = fmt.Sprintf(`
How:

- The built server with its workers and its private Postgres, on the machine of whoever visits. The workspace has %d
  videos, each with a film, three chapters, a transcript and three comments; the page of each is asked for once, over a
  connection of its own, and takes what browsers take: packed.
- First byte: from before the connection is made until the first byte of the answer.
- Lighthouse is the npm package, in this machine's Chromium, with its own throttling of network and processor (its mobile
  form slows the processor four times); a score is the median of three runs.
- The minute: headless Chromium plays the film of a video of a hundred seconds; the page notes at each picture what is
  played, seeks twice at moments of its own, and so sees ten seconds again. A slice is a second.
`, many)
