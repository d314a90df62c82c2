package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/reelgraph/reelgraph/cmd/reelgraph/settings"
	"github.com/reelgraph/reelgraph/internal/platform/logging"
)

// ErrUnwell is returned when something required is missing or does not work. The printed report names it.
var ErrUnwell = errors.New("doctor: something required is missing or does not work: follow the lines marked ->")

// A Finding is the result of one check.
type Finding struct {
	Thing  string
	Saw    string
	Remedy string // what to do, one step a line; empty when the check passed
	mild   bool   // the server runs without it
	broken bool   // present, but not working
}

// State is how serious a finding is.
type State string

// The states, as the report prints them.
const (
	OK      State = "ok"
	Warning State = "warning"
	Missing State = "MISSING"
	Fails   State = "FAILS"
)

// State returns how serious the finding is.
func (f Finding) State() State {
	switch {
	case f.Remedy == "":
		return OK
	case f.mild:
		return Warning
	case f.broken:
		return Fails
	default:
		return Missing
	}
}

// A check looks at one thing.
type check func(ctx context.Context, c settings.Config) Finding

// Examine checks everything that the server needs, and changes nothing.
func Examine(ctx context.Context, c settings.Config) []Finding {
	running := runningServer(ctx, c)
	checks := append(machine(running), func(ctx context.Context, c settings.Config) Finding {
		return port(ctx, "REELGRAPH_ADDR", c.Addr, running)
	})

	if c.MetricsAddr != "" {
		checks = append(checks, func(ctx context.Context, c settings.Config) Finding {
			return port(ctx, "REELGRAPH_METRICS_ADDR", c.MetricsAddr, running)
		})
	}

	return examine(ctx, c, append(checks, services(c)...))
}

// ExamineRunning is Examine for the server itself. It leaves out the ports, on which the server listens.
func ExamineRunning(ctx context.Context, c settings.Config) []Finding {
	return examine(ctx, c, append(machine(true), services(c)...))
}

// machine returns the checks of this machine.
func machine(running bool) []check {
	return []check{
		func(ctx context.Context, _ settings.Config) Finding { return mediaProgram(ctx, "ffmpeg") },
		func(ctx context.Context, _ settings.Config) Finding { return mediaProgram(ctx, "ffprobe") },
		func(ctx context.Context, _ settings.Config) Finding { return mediaParts(ctx) },
		databaseServer,
		func(context.Context, settings.Config) Finding { return fonts() },
		func(_ context.Context, c settings.Config) Finding { return dataFolder(c, running) },
		func(_ context.Context, c settings.Config) Finding { return diskSpace(c) },
	}
}

// examine runs the checks in parallel, and returns their findings in order and without secrets.
func examine(ctx context.Context, c settings.Config, checks []check) []Finding {
	findings := make([]Finding, len(checks))

	var all sync.WaitGroup
	for i, look := range checks {
		all.Go(func() { findings[i] = look(ctx, c) })
	}

	all.Wait()

	clean := cleaner(c)
	for i, f := range findings {
		findings[i].Saw, findings[i].Remedy = clean(f.Saw), clean(f.Remedy)
	}

	return findings
}

// cleaner returns a function that removes secrets from a text: those of the settings, and what looks like one.
func cleaner(c settings.Config) func(string) string {
	var pairs []string
	for _, secret := range c.Secrets() {
		pairs = append(pairs, secret, "[redacted]")
	}

	known := strings.NewReplacer(pairs...)

	return func(text string) string { return logging.Scrub(known.Replace(text)) }
}

// Report prints findings and returns ErrUnwell when one of them is serious.
func Report(w io.Writer, findings []Finding) error {
	table := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	unwell := false

	for _, f := range findings {
		state := f.State()
		unwell = unwell || state == Missing || state == Fails

		fmt.Fprintf(table, "%s\t%s\t%s\n", state, f.Thing, f.Saw)

		for line := range strings.SplitSeq(f.Remedy, "\n") {
			if line != "" {
				fmt.Fprintf(table, "\t\t-> %s\n", line)
			}
		}
	}

	if err := table.Flush(); err != nil {
		return err
	}

	if unwell {
		return ErrUnwell
	}

	return nil
}
