package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/reelgraph/reelgraph/cmd/reelgraph/film"
	"github.com/reelgraph/reelgraph/internal/engine/encode"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/video/plan"
)

func renderCommand(a app) *cli.Command {
	return &cli.Command{
		Name:  "render",
		Usage: "render a video from a description and media files, without a server",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "spec", Required: true, Usage: "the `file` that describes the video; docs/render.md documents the format"},
			&cli.StringFlag{Name: "out", Required: true, Usage: "the `file` to write: an MP4, or a ZIP for scenes and raw files"},
			&cli.StringFlag{Name: "cache", Usage: "a `folder` that caches finished pieces for the next render (default: none)"},
			&cli.IntFlag{Name: "workers", DefaultText: "one for each processor", Usage: "how many chunks to draw at the same time"},
			&cli.BoolFlag{Name: "quiet", Usage: "do not print the progress"},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.IsSet("workers") && c.Int("workers") < 1 {
				return errors.New("--workers must be at least 1")
			}

			j := filmJob{spec: c.String("spec"), out: c.String("out"), cache: c.String("cache"), workers: c.Int("workers"), log: a.stderr}
			if j.meter = a.stderr; c.Bool("quiet") {
				j.meter = io.Discard
			}

			return j.run(ctx)
		},
	}
}

// filmJob is one run of the render command.
type filmJob struct {
	spec, out, cache string
	workers          int
	meter, log       io.Writer // receive the progress and warnings about a damaged cache
}

func (j filmJob) run(ctx context.Context) (err error) {
	f, err := film.Read(j.spec)
	if err != nil {
		return err
	}

	tools, err := ffmpeg.Find(exec.LookPath)
	if err != nil {
		return err
	}

	// The film is made in the target folder, so that moving it copies nothing.
	folder, err := os.MkdirTemp(filepath.Dir(j.out), ".reelgraph-*")
	if err != nil {
		return fmt.Errorf("create a folder for the video: %w", err)
	}

	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()

	s, err := film.Open(ctx, tools, filepath.Dir(j.spec), f)
	if err != nil {
		return film.InSpec(j.spec, err)
	}

	plan, err := s.Plan()
	if err != nil {
		return film.InSpec(j.spec, err)
	}

	if err := errors.Join(j.named(plan), j.spares(s.Files)); err != nil {
		return err
	}

	return j.make(ctx, tools, folder, plan, s.Files)
}

// kinds are file name extensions with a known meaning.
func kinds() []string {
	return []string{".mp4", ".m4v", ".zip", ".mov", ".mkv", ".webm", ".avi", ".ts", ".wmv", ".flv", ".ogv", ".gif", ".mp3", ".m4a", ".wav"}
}

// named rejects a file name with the extension of another format.
func (j filmJob) named(planned plan.Plan) error {
	kind, endings := "a video in an MP4", []string{".mp4", ".m4v"}
	if planned.Granularity != plan.Story {
		kind, endings = "several files in a ZIP", []string{".zip"}
	}

	if is := strings.ToLower(filepath.Ext(j.out)); slices.Contains(kinds(), is) && !slices.Contains(endings, is) {
		return fmt.Errorf("the output is %s: give --out a name that ends with %s", kind, endings[0])
	}

	return nil
}

// spares refuses to overwrite an input of the film.
func (j filmJob) spares(files probe.Sources) error {
	there, err := os.Stat(j.out)
	if err != nil {
		return nil //nolint:nilerr // nothing to overwrite; writing reports other errors
	}

	if there.IsDir() {
		return fmt.Errorf("--out is the folder %s: give the name of a file", j.out)
	}

	read := []string{j.spec}
	for _, source := range files {
		read = append(read, source.Path)
	}

	for _, path := range read {
		if file, err := os.Stat(path); err == nil && os.SameFile(file, there) {
			return fmt.Errorf("%s is an input of the video: give --out another name", j.out)
		}
	}

	return nil
}

func (j filmJob) make(ctx context.Context, tools ffmpeg.Tools, folder string, plan plan.Plan, files probe.Sources) error {
	workers := j.workers
	if workers < 1 {
		workers = runtime.NumCPU()
	}

	cache := encode.DirCache{Dir: cmp.Or(j.cache, filepath.Join(folder, "cache")), Logger: slog.New(slog.NewTextHandler(j.log, nil))}
	if err := cache.Make(); err != nil {
		return err
	}

	engine := &encode.Engine{Tools: tools, Dir: filepath.Join(folder, "scratch"), Workers: workers}
	progress, end := j.progress()

	result, err := engine.Render(ctx, plan, files, cache, progress)

	end()

	if err != nil {
		return err
	}

	if err := os.Rename(result.Path, j.out); err != nil {
		return fmt.Errorf("move the video to --out: %w", err)
	}

	return result.Discard()
}

// progress returns functions that print the progress and end it. A terminal gets one changing line; a file or pipe gets a
// line for each tenth.
func (j filmJob) progress() (say func(done, total int), end func()) {
	step, format := 10, "%3d %%\n"
	end = func() {}

	if isTerminal(j.meter) {
		step, format = 1, "%3d %%\r" // the next output starts at the beginning of the line and covers it
		end = func() { fmt.Fprintln(j.meter) }
	}

	next := 0

	return func(done, total int) {
		if percent := 100 * done / max(total, 1); percent >= next {
			next = percent - percent%step + step
			fmt.Fprintf(j.meter, format, percent)
		}
	}, end
}

func isTerminal(w io.Writer) bool {
	f, isFile := w.(*os.File)
	if !isFile {
		return false
	}

	info, err := f.Stat()

	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
