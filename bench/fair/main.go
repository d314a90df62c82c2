// Command fair measures what nine workspaces notice of a tenth whose jobs are slow. Each of the nine asks for a still, an
// extract and a probe every five seconds, in rounds in which the tenth has slow extracts, stills, long probes and a long
// export at work all the time, and in rounds in which it does nothing and an endless loop keeps one core busy instead. Then
// each of the nine has a short export made, and a short recording heard, beside a long one of the tenth. It ends with an
// error when a goal is missed. Run it from the root of the module; it writes its section of bench/RESULTS.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/bench/measure"
)

// The goals.
const (
	mostWait  = time.Second // of a quick job, for a place
	mostRatio = 2.0         // of the p95, to a baseline
)

// every is how often a quick workspace asks.
const every = 5 * time.Second

func main() {
	rounds := flag.Int("rounds", 3, "rounds of each kind")
	length := flag.Duration("round", 35*time.Second, "the length of a round")
	only := flag.String("only", "", "rounds, exports or hearings: that alone, and publish nothing")

	flag.Parse()

	os.Exit(measure.Run("fair", func(ctx context.Context) error { return run(ctx, *rounds, *length, *only) }))
}

func run(ctx context.Context, rounds int, length time.Duration, only string) (err error) {
	began := measure.Circumstances(ctx, "go run ./bench/fair")

	folder, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()

	b, err := open(ctx, folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.close()) }()

	var (
		text   strings.Builder
		faults []error
	)

	for _, part := range []struct {
		name    string
		measure func(context.Context) (string, error)
	}{
		{"rounds", func(ctx context.Context) (string, error) { return b.rounds(ctx, rounds, length) }},
		{"exports", b.exports},
		{"hearings", b.hearings},
	} {
		if only != "" && part.name != only {
			continue
		}

		said, err := part.measure(ctx)
		text.WriteString(said)

		if missed, ok := errors.AsType[*missedError](err); ok {
			faults = append(faults, missed)
		} else if err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
	}

	if only != "" {
		fmt.Fprintln(os.Stdout, text.String())

		return errors.Join(faults...)
	}

	return errors.Join(append(faults, measure.Publish("Nine quick workspaces beside a slow one", began+"\n"+text.String(), how))...)
}

// missedError says which goals were missed.
type missedError struct{ goals []string }

func (e *missedError) Error() string { return strings.Join(e.goals, "; ") }

func missed(goals []string) error {
	if len(goals) == 0 {
		return nil
	}

	return &missedError{goals}
}

const how = `
How:

- The built server with its workers, as many places as it has by default and its private Postgres. The recordings of the
  nine are of 20 seconds in 640x360, their extracts GIFs of half a second; the tenth has a recording of ten minutes, an export
  of it, extracts as MP4 that are as long as they may be (ten seconds) and stills of 1920 pixels, at times that nobody asked for
  before, and uploads recordings of slides of an hour (16 MB), which it deletes again: four extracts, two stills and four probes
  at once, so that some always wait. The rounds begin when the new server has painted its library.
- The wait for a place is from when a job may begin to its first attempt, as the queue's own rows have it; the whole
  is what the client measures, from its request to the end of the answer, for a probe to the source's being ready.
- A piece is what an export makes, or a hearing hears, between two looks at who waits. Pieces of a film are timed while
  nobody else waits; a piece of a hearing takes a stand-in for a speech service as long as is said.
`
