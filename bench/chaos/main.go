// Command chaos makes parts of the product fail and reports which of the product's guarantees held. Run it from the
// root of the module. It writes its section of bench/RESULTS.md if it is run with at least 1,000 kills.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/bench/measure"
	"github.com/reelgraph/reelgraph/internal/platform/localpg"
	"github.com/reelgraph/reelgraph/test/chaos"
)

const how = `
Six clients create tags and playlists (REST and graph), add a video to playlists, rename one video, and send documents
whose second mutation fails. Each call has an Idempotency-Key. After a kill the product is restarted (one start in
eight is killed as well) and interrupted calls are repeated. At the end the bench compares rows, the video's revision,
events, and the deliveries that a receiver verified with what was acknowledged, and answers with their replays, byte
for byte. Any difference ends the bench. Postgres is private and keeps running while the product is killed.
`

// many is the minimum number of kills for which results are published.
const many = 1000

func main() { os.Exit(measure.Run("chaos", run)) }

func run(ctx context.Context) (err error) {
	kills := flag.Int("kills", 100, "how often the product is killed")
	within := flag.Duration("within", 5*time.Minute, "stop killing after this time")
	seed := flag.Uint64("seed", uint64(time.Now().UnixNano()), "random seed")
	only := flag.String("only", "", "kills, faults or stops")

	flag.Parse()

	folder, err := os.MkdirTemp("", "reelgraph-chaos-")
	if err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()

	binary := filepath.Join(folder, "reelgraph")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", binary, "./cmd/reelgraph").CombinedOutput(); err != nil {
		return fmt.Errorf("build: %w: %s", err, out)
	}

	o := chaos.Options{
		Command: func(command string, settings ...string) *exec.Cmd {
			cmd := exec.Command(binary, command) //nolint:noctx // signals end it
			cmd.Env = append(cmd.Environ(), settings...)

			return cmd
		},
		Folder: folder, Log: os.Stdout, Seed: *seed,
	}

	fmt.Fprintf(os.Stdout, "seed %d\n", *seed)

	var told strings.Builder

	say := io.MultiWriter(os.Stdout, &told)

	for _, part := range []struct {
		name string
		run  func() error
	}{
		{"kills", func() error { return kill(ctx, o, say, *kills, *within) }},
		{"faults", func() error { return faults(ctx, o, say) }},
		{"stops", func() error { return stop(ctx, o, say) }},
	} {
		if *only != "" && *only != part.name {
			continue
		}

		if err := part.run(); err != nil {
			return fmt.Errorf("seed %d: %w", *seed, err)
		}
	}

	if *only != "" || *kills < many {
		return nil
	}

	command := fmt.Sprintf("make chaos KILLS=%d WITHIN=%s SEED=%d", *kills, *within, *seed)

	return measure.Publish("Promises", measure.Circumstances(ctx, command)+told.String(), how)
}

// faults breaks the database in every way.
func faults(ctx context.Context, o chaos.Options, say io.Writer) error {
	all, err := chaos.Faults(ctx, o)

	const goal = 5 * time.Second

	fmt.Fprintf(say, "\n| fault, under the same workload | answers | first write that succeeds after it, ≤ %s | |\n"+
		"| --- | --- | --- | --- |\n", goal)

	for _, f := range all {
		fmt.Fprintf(say, "| %s | %s | %s | %s |\n", f.Fault, f.Answers, f.Recovery.Round(time.Millisecond), measure.Verdict(f.Recovery <= goal))
	}

	return err
}

// stops is the number of servers stopped under load.
const stops = 6

func stop(ctx context.Context, o chaos.Options, say io.Writer) (err error) {
	pg, err := localpg.StartTemp(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pg.Stop()) }()

	o.DSN = pg.DSN()
	s, err := chaos.Stop(ctx, o, stops)
	fmt.Fprintf(say, "\n%d × SIGTERM under load: %d calls acknowledged, answers %s; goal no failed request, %s.\n",
		s.Stops, s.Calls, s.Answers, measure.Verdict(err == nil))

	return err
}

// kill runs the crash test while its Postgres keeps running.
func kill(ctx context.Context, o chaos.Options, say io.Writer, kills int, within time.Duration) (err error) {
	pg, err := localpg.StartTemp(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pg.Stop()) }()

	o.DSN = pg.DSN()
	k, err := chaos.Kill(ctx, o, kills, within)
	report(say, k, err == nil)

	return err
}

// report prints "met" for all promises or for none: the test ends at the first broken one.
func report(to io.Writer, k chaos.Killed, kept bool) {
	const goal = time.Second

	all := "all | " + measure.Verdict(kept)

	fmt.Fprintf(to, "\n| kill −9 at a random moment of a mixed workload | %d | goal | |\n| --- | --- | --- | --- |\n", k.Runs)
	fmt.Fprintf(to, "| acknowledged calls, each there exactly once | %d | %s |\n", k.Calls, all)
	fmt.Fprintf(to, "| interrupted calls, repeated with their key, there once | %d | %s |\n", k.Repeated, all)
	fmt.Fprintf(to, "| events committed, each delivered, and no other | %d | %s |\n", k.Events, all)
	fmt.Fprintf(to, "| longest time until the product accepted requests again | %s | | |\n", k.LongestStart.Round(time.Millisecond))
	fmt.Fprintf(to, "| longest time from then until all interrupted calls were answered | %s | ≤ %s | %s |\n",
		k.LongestRetry.Round(time.Millisecond), goal, measure.Verdict(k.LateRetries == 0))
}
