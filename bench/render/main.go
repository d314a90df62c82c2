// Command render compares the speed of exports with one plain FFmpeg transcode of the same screen recording with the
// same encoder settings, and with other programs that draw the same video. Run it from the root of the module. It
// writes its section of bench/RESULTS.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/bench/measure"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
)

func main() { os.Exit(measure.Run("render", run)) }

// steady is the spread of a ratio below which no more rounds are needed.
const steady = 0.15

// shortest is the least processor time in seconds that a ratio needs to count as steady or not. Below it the spread
// comes from the clock.
const shortest = 1

// lab holds what the bench needs.
type lab struct {
	tools   ffmpeg.Tools
	folder  string // deleted at the end
	sources map[string]input
	editly  string // path of the program, once installed
}

func run(ctx context.Context) (err error) {
	child := flag.String("child", "", "run only the export described in this file")
	only := flag.String("only", "", "the rows to measure, separated by commas (default: all): "+strings.Join(rowNames(), ", "))
	least := flag.Int("rounds", 3, "minimum number of rounds")
	seconds := flag.Int("seconds", 60, "length of the film in seconds; only results for 60 are published")
	keep := flag.String("keep", "", "folder to keep the sources and films in")

	flag.Parse()

	l := &lab{}
	if l.tools, err = ffmpeg.Find(exec.LookPath); err != nil {
		return err
	}

	if *child != "" {
		return export(ctx, l.tools, *child)
	}

	rows, err := rowsOf(*only, *seconds)
	if err != nil {
		return err
	}

	began := measure.Circumstances(ctx, "go run ./bench/render")

	if l.folder = *keep; l.folder == "" {
		if l.folder, err = os.MkdirTemp("", "reelgraph-bench-"); err != nil {
			return fmt.Errorf("make a folder: %w", err)
		}

		defer func() { err = errors.Join(err, os.RemoveAll(l.folder)) }()
	}

	say("generating the recordings")

	if err := l.record(ctx, *seconds); err != nil {
		return err
	}

	rows = slices.DeleteFunc(rows, func(r row) bool {
		why := l.missing(ctx, r)
		if why != "" {
			say(r.name + " is skipped: " + why)
		}

		return why != ""
	})

	version, err := l.version(ctx)
	if err != nil {
		return err
	}

	measured, err := measure.InTurn(ctx, measure.Rounds{Least: *least, Most: 2 * *least}, cellNames(rows), l.once,
		func(m map[string][]sample) bool {
			return !slices.ContainsFunc(rows, func(r row) bool {
				return measure.Median(each(m[r.of], cpu)) >= shortest && measure.Spread(r.ratios(m, cpu)) > steady
			})
		})
	if err != nil {
		return err
	}

	if ctx.Err() != nil {
		version += ", interrupted before it was steady"
	}

	body := strings.TrimSpace(began) + " " + version + ". " + report(rows, measured)
	if *seconds != 60 || *only != "" {
		fmt.Fprintln(os.Stdout, body+medians(rows, measured)+how)

		return nil
	}

	return measure.Publish("Rendering", body, medians(rows, measured)+how)
}

func say(what string) { fmt.Fprintln(os.Stderr, time.Now().Format(time.TimeOnly), what) }

func (l *lab) version(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, l.tools.FFmpeg, "-version").Output()
	if err != nil {
		return "", fmt.Errorf("ask FFmpeg for its version: %w", err)
	}

	return "FFmpeg " + string(regexp.MustCompile(`\d[\w.+-]*`).Find(out)), nil
}

// once runs one cell in a new folder.
func (l *lab) once(ctx context.Context, name string) (sample, error) {
	folder, err := os.MkdirTemp(l.folder, "run-")
	if err != nil {
		return sample{}, fmt.Errorf("make a folder: %w", err)
	}

	took, err := cells[name](ctx, l, folder)
	say(fmt.Sprintf("%-28s %6.1f s, %6.1f s of processors, %5.0f MB", name, took.wall, took.cpu, took.memory))

	return took, errors.Join(err, os.RemoveAll(folder))
}

func (l *lab) path(name string) string { return filepath.Join(l.folder, name) }
