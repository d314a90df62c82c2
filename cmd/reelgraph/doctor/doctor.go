package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/reelgraph/reelgraph/cmd/reelgraph/settings"
)

// ErrUnwell is returned when something required is missing or does not work. The printed report names it.
var ErrUnwell = errors.New("doctor: something required is missing or does not work: follow the lines marked ->")

// A finding is the result of one check.
type finding struct {
	thing  string
	saw    string
	remedy string // what to do; empty when the check passed
	mild   bool   // the server runs without it
	broken bool   // present, but not working
}

// Examine checks everything that the server needs, and changes nothing.
func Examine(ctx context.Context, c settings.Config) []finding {
	running := runningServer(ctx, c)

	findings := []finding{
		mediaProgram(ctx, "ffmpeg"),
		mediaProgram(ctx, "ffprobe"),
		mediaParts(ctx),
		databaseServer(ctx, c),
		fonts(),
		dataFolder(c, running),
		diskSpace(c),
		port(ctx, "REELGRAPH_ADDR", c.Addr, running),
	}
	if c.MetricsAddr != "" {
		findings = append(findings, port(ctx, "REELGRAPH_METRICS_ADDR", c.MetricsAddr, running))
	}

	if c.Speech.Provider == "pocketsphinx" {
		findings = append(findings, speechProgram(ctx, c))
	}

	return append(findings, services(ctx, c)...)
}

// Report prints findings and returns ErrUnwell when one of them is serious.
func Report(w io.Writer, findings []finding) error {
	table := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	unwell := false

	for _, f := range findings {
		mark := "ok"

		switch {
		case f.remedy != "" && f.mild:
			mark = "warning"
		case f.remedy != "" && f.broken:
			mark, unwell = "FAILS", true
		case f.remedy != "":
			mark, unwell = "MISSING", true
		}

		fmt.Fprintf(table, "%s\t%s\t%s\n", mark, f.thing, f.saw)

		for line := range strings.SplitSeq(f.remedy, "\n") {
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
