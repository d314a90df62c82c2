// Command render measures exports through the engine: a passthrough export against one plain FFmpeg
// transcode with the same encoder settings, and a raw export against its time. Run it from the root of
// the module; it writes its section of bench/RESULTS.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"syscall"
	"time"

	"github.com/reelgraph/reelgraph/bench/measure"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/media"
	"github.com/reelgraph/reelgraph/internal/render"
	"github.com/reelgraph/reelgraph/internal/timeline"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)

	err := run(ctx)

	stop()

	if err != nil {
		fmt.Fprintln(os.Stderr, "bench/render:", err)
		os.Exit(1)
	}
}

const (
	seconds = 60
	fps     = 30

	passthroughGoal = 1.15
	rawGoal         = 1.0 // seconds

	steady = 0.2 // the spread of a ratio that needs no more rounds
)

// The cells.
const (
	plainCell       = "plain FFmpeg"
	passthroughCell = "passthrough export"
	rawCell         = "raw export"
)

// sample is what one run took.
type sample struct{ wall, cpu float64 } // seconds

// studio is what is rendered, and with what.
type studio struct {
	tools  media.Tools
	folder string // thrown away at the end
	path   string // the upload
	info   media.Info
}

func run(ctx context.Context) (err error) {
	least := flag.Int("rounds", 3, "the least number of rounds")
	flag.Parse()

	began := measure.Circumstances(ctx, "go run ./bench/render")

	s := studio{}
	if s.tools, err = media.Find(exec.LookPath); err != nil {
		return err
	}

	if s.folder, err = os.MkdirTemp("", "reelgraph-bench-"); err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}

	defer func() { err = errors.Join(err, os.RemoveAll(s.folder)) }()

	say("generating the upload")

	if err := s.record(ctx); err != nil {
		return err
	}

	say("measuring")

	measured, err := measure.InTurn(ctx, measure.Rounds{Least: *least, Most: 2 * *least},
		[]string{plainCell, passthroughCell, rawCell}, s.once,
		func(m map[string][]sample) bool { return measure.Spread(ratios(m)) <= steady })
	if err != nil {
		return err
	}

	version, err := s.version(ctx)
	if err != nil {
		return err
	}

	body := began + "- " + version + "\n\n" + s.report(measured)

	return measure.Publish("Rendering", body)
}

func say(what string) { fmt.Fprintln(os.Stderr, time.Now().Format(time.TimeOnly), what) }

// record makes the upload: a minute of 1080p at 30 frames per second with sound.
func (s *studio) record(ctx context.Context) (err error) {
	s.path = filepath.Join(s.folder, "upload.mp4")

	if err := s.ffmpeg(ctx,
		"-f", "lavfi", "-i", fmt.Sprintf("testsrc2=size=1920x1080:rate=%d:duration=%d", fps, seconds),
		"-f", "lavfi", "-i", fmt.Sprintf("sine=frequency=330:sample_rate=48000:duration=%d", seconds),
		"-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-pix_fmt", "yuv420p", "-c:a", "aac", s.path,
	); err != nil {
		return err
	}

	s.info, err = s.tools.Probe(ctx, s.path, media.KindVideo)

	return err
}

func (s *studio) ffmpeg(ctx context.Context, args ...string) error {
	args = append([]string{"-nostdin", "-hide_banner", "-loglevel", "error", "-y"}, args...)

	if out, err := exec.CommandContext(ctx, s.tools.FFmpeg, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("ffmpeg: %w: %s", err, out)
	}

	return nil
}

func (s *studio) version(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, s.tools.FFmpeg, "-version").Output()
	if err != nil {
		return "", fmt.Errorf("ask FFmpeg for its version: %w", err)
	}

	return "FFmpeg " + string(regexp.MustCompile(`\d[\w.+-]*`).Find(out)), nil
}

// plan is the export of a video that is the upload, as it is.
func (s *studio) plan(granularity render.Granularity) (render.Plan, error) {
	settings := render.Defaults(render.Size{Width: 1920, Height: 1080})
	settings.Granularity = granularity

	return render.Of(
		timeline.Video{Clips: []timeline.Clip{{
			ID: "clip", Name: "Clip 1", LengthMs: s.info.DurationMs, Screen: source,
			Sounds: []timeline.Sound{{Source: source, Volume: 1}},
		}}},
		domain.Look{}, render.Sources{source: s.info.RenderSource("content", "upload.mp4")}, settings)
}

const source = "upload"

// once runs one cell.
func (s *studio) once(ctx context.Context, name string) (sample, error) {
	folder, err := os.MkdirTemp(s.folder, "run-")
	if err != nil {
		return sample{}, fmt.Errorf("make a folder: %w", err)
	}

	var took sample

	switch name {
	case plainCell:
		took, err = s.transcode(ctx, folder)
	case passthroughCell:
		took, err = s.export(ctx, folder, render.Story)
	case rawCell:
		took, err = s.export(ctx, folder, render.Raw)
	}

	return took, errors.Join(err, os.RemoveAll(folder))
}

// transcode is one FFmpeg that does what the export does, with as many threads as it likes.
func (s *studio) transcode(ctx context.Context, folder string) (sample, error) {
	plan, err := s.plan(render.Story)
	if err != nil {
		return sample{}, err
	}

	encoding := plan.Outputs[0].Chunks[0].Draw.Encoding()
	if at := slices.Index(encoding, "-threads:v"); at >= 0 {
		encoding = slices.Delete(encoding, at, at+2)
	}

	args := slices.Concat([]string{"-i", s.path}, encoding, plan.Outputs[0].Mix.Encoding(),
		[]string{"-movflags", "+faststart", filepath.Join(folder, "plain.mp4")})

	return timed(func() error { return s.ffmpeg(ctx, args...) })
}

// export is the whole of what the product does with a plan, from nothing to the file.
func (s *studio) export(ctx context.Context, folder string, granularity render.Granularity) (sample, error) {
	var result media.Result

	took, err := timed(func() error {
		plan, err := s.plan(granularity)
		if err != nil {
			return err
		}

		engine := &media.Engine{Tools: s.tools, Dir: filepath.Join(folder, "scratch"), Workers: runtime.NumCPU()}
		result, err = engine.Render(ctx, plan, media.Sources{source: {Path: s.path, Info: s.info}},
			media.DirCache{Dir: filepath.Join(folder, "cache")}, nil)

		return err
	})
	if err != nil {
		return sample{}, err
	}

	if granularity == render.Story && result.Frames != seconds*fps {
		return sample{}, fmt.Errorf("the export has %d frames, not %d", result.Frames, seconds*fps)
	}

	return took, result.Discard()
}

// timed measures everything that something takes, the programs that it starts included.
func timed(do func() error) (sample, error) {
	before, err := used()
	if err != nil {
		return sample{}, err
	}

	began := time.Now()

	if err := do(); err != nil {
		return sample{}, err
	}

	wall := time.Since(began)

	after, err := used()

	return sample{wall.Seconds(), (after - before).Seconds()}, err
}

// used is the processor time of this process and of those that it has waited for.
func used() (time.Duration, error) {
	var total time.Duration

	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			return 0, fmt.Errorf("ask for the processor time: %w", err)
		}

		total += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}

	return total, nil
}

func wall(s sample) float64 { return s.wall }
func cpu(s sample) float64  { return s.cpu }

func each(samples []sample, of func(sample) float64) []float64 {
	values := make([]float64, len(samples))
	for i, s := range samples {
		values[i] = of(s)
	}

	return values
}

// ratios are those of the passthrough export to plain FFmpeg.
func ratios(m map[string][]sample) []float64 {
	return measure.Ratios(each(m[passthroughCell], wall), each(m[plainCell], wall))
}

func (s *studio) report(m map[string][]sample) string {
	ratio, raw := measure.Median(ratios(m)), measure.Median(each(m[rawCell], wall))
	effort := measure.Median(measure.Ratios(each(m[passthroughCell], cpu), each(m[plainCell], cpu)))
	median := func(cell string, of func(sample) float64) float64 { return measure.Median(each(m[cell], of)) }

	return fmt.Sprintf(`%d rounds, one run of each after the other, every other round backwards; medians of them. The ratio is
the median of the rounds' ratios, its spread the distance between their quartiles.

| | result | goal | | spread | processor time |
| --- | --- | --- | --- | --- | --- |
| passthrough export / plain FFmpeg, wall time | **%.2f** | ≤ %.2f | %s | %.0f %% | %.2f |
| raw export, wall time | **%.2f s** | ≤ %.0f s | %s | %.0f %% | |

| | wall time | processor time |
| --- | --- | --- |
| %s | %.1f s | %.1f s |
| %s | %.1f s | %.1f s |
| %s | %.2f s | %.2f s |

How:

- The upload is %d s of 1080p at %d frames per second with sound, %.1f MB, generated by FFmpeg.
- Plain FFmpeg decodes it, encodes with the export's settings (libx264 veryfast crf 20, AAC 160 kbit/s, one file with
  the index in front) and uses as many threads as it likes.
- The exports are render.Of and one call of the engine, with an empty cache and as many workers as there are processors:
  everything from the plan to the file that has reached the disk.
`, len(m[plainCell]),
		ratio, passthroughGoal, measure.Verdict(ratio <= passthroughGoal), 100*measure.Spread(ratios(m)), effort,
		raw, rawGoal, measure.Verdict(raw <= rawGoal), 100*measure.Spread(each(m[rawCell], wall)),
		plainCell, median(plainCell, wall), median(plainCell, cpu),
		passthroughCell, median(passthroughCell, wall), median(passthroughCell, cpu),
		rawCell, raw, median(rawCell, cpu),
		seconds, fps, float64(s.info.Bytes)/1e6)
}
