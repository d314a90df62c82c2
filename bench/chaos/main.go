// Command chaos breaks the product in every way that happens and says which promises it kept. Run from the
// root of the module with a thousand kills, it writes its section of bench/RESULTS.md.
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
	"github.com/reelgraph/reelgraph/internal/chaos"
	"github.com/reelgraph/reelgraph/internal/localpg"
)

// many kills are worth a section of the results.
const many = 1000

func main() { os.Exit(measure.Run("chaos", run)) }

func run(ctx context.Context) (err error) {
	kills := flag.Int("kills", 100, "how often the product is killed")
	within := flag.Duration("within", 5*time.Minute, "no more kills after this time")
	seed := flag.Uint64("seed", uint64(time.Now().UnixNano()), "of all that is random")
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
			cmd := exec.Command(binary, command) //nolint:noctx // it is ended by signals
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

	return measure.Publish("Kills and faults", measure.Circumstances(ctx, command)+"\n```text\n"+told.String()+"```\n")
}

// faults takes the database away in every way.
func faults(ctx context.Context, o chaos.Options, say io.Writer) error {
	all, err := chaos.Faults(ctx, o)
	for _, f := range all {
		fmt.Fprintf(say, "%-32s recovered after %-8s %s\n", f.Fault, f.Recovery.Round(time.Millisecond), f.Answers)
	}

	return err
}

// stops is how many servers are stopped under load.
const stops = 6

func stop(ctx context.Context, o chaos.Options, say io.Writer) (err error) {
	pg, err := localpg.StartTemp(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pg.Stop()) }()

	o.DSN = pg.DSN()
	s, err := chaos.Stop(ctx, o, stops)
	fmt.Fprintf(say, "%d servers stopped under load: %d calls acknowledged (%s)\n", s.Stops, s.Calls, s.Answers)

	return err
}

// kill runs the crash harness over a Postgres that is kept.
func kill(ctx context.Context, o chaos.Options, say io.Writer, kills int, within time.Duration) (err error) {
	pg, err := localpg.StartTemp(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pg.Stop()) }()

	o.DSN = pg.DSN()
	k, err := chaos.Kill(ctx, o, kills, within)
	report(say, k)

	return err
}

func report(to io.Writer, k chaos.Killed) {
	fmt.Fprintf(to, "killed %d times: %d calls acknowledged, %d broken off and repeated, %d events delivered;\n"+
		"the longest start took %s, the longest wait for a repeated call %s (more than a second %d times)\n",
		k.Runs, k.Calls, k.Repeated, k.Events, k.LongestStart.Round(time.Millisecond), k.LongestRetry.Round(time.Millisecond),
		k.LateRetries)
}
