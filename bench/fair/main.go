// Command fair measures how slow jobs of one workspace affect nine other workspaces. Each of the nine requests a
// still, an extract and a probe every five seconds. In some rounds the tenth workspace constantly runs slow extracts,
// stills, long probes and a long export. In other rounds the tenth workspace is idle and an endless loop keeps one
// core busy. Then each of the nine runs a short export and a short transcription while the tenth runs a long one. The
// command exits with an error when a goal is missed. Run it from the root of the module. It writes its section of
// bench/RESULTS.md.
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
	mostWait  = time.Second // longest wait of a quick job for a worker
	mostRatio = 2.0         // p95 as a multiple of the baseline's
)

// every is the interval between requests of a quick workspace.
const every = 5 * time.Second

func main() {
	rounds := flag.Int("rounds", 3, "rounds of each kind")
	length := flag.Duration("round", 35*time.Second, "the length of a round")
	only := flag.String("only", "", "rounds, exports or hearings: measure only that and publish nothing")

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

// missedError lists the goals that were missed.
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

- The built server with its default number of workers and its private Postgres. The nine have recordings of 20 seconds
  in 640x360, and their extracts are GIFs of half a second. The tenth has a recording of ten minutes and an export of it.
  Its extracts are MP4s of the maximum length (ten seconds) and its stills 1920 pixels wide, at times not requested
  before. It uploads recordings of one hour of slides (16 MB) and deletes them again. Four extracts, two stills and four
  probes run at once, so that some always wait. The rounds begin when the new server has generated its catalog.
- The wait for a worker lasts from when a job may start to its first attempt, according to the queue's rows. The total is
  what the client measures, from its request to the end of the answer, for a probe until the source is ready.
- A piece is the work of an export or a transcription between two checks whether other jobs wait. Pieces of a film are
  timed while nothing else waits; a piece of a transcription takes the stand-in for the speech service the stated time.
`
