package films_test

import (
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/encode"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// BenchmarkPassthrough exports one minute of uncut 1080p30, and in turn transcodes it with one plain FFmpeg with the
// same encoder settings. It reports the medians and their ratio.
func BenchmarkPassthrough(b *testing.B) {
	found, err := ffmpeg.Find(exec.LookPath)
	require.NoError(b, err)

	dir := b.TempDir()
	path := filepath.Join(dir, "source.mp4")
	require.NoError(b, found.Run(b.Context(), ffmpeg.Command{Args: []string{
		"-f", "lavfi", "-i", "testsrc2=size=1920x1080:rate=30:duration=60",
		"-f", "lavfi", "-i", "sine=frequency=330:sample_rate=48000:duration=60",
		"-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-pix_fmt", "yuv420p", "-c:a", "aac", path,
	}}))

	info, err := probe.File(b.Context(), found, path, probe.KindVideo)
	require.NoError(b, err)

	plan, err := plan.Of(
		timeline.Video{Clips: []timeline.Clip{{
			LengthMs: info.DurationMs, Screen: "su_a", Sounds: []timeline.Sound{{Source: "su_a", Volume: 1}},
		}}},
		values.Look{},
		plan.Sources{"su_a": info.RenderSource("content", "source.mp4")},
		plan.Defaults(plan.Size{Width: 1920, Height: 1080}),
	)
	require.NoError(b, err)

	plain := []string{"-i", path}
	for _, a := range plan.Outputs[0].Chunks[0].Draw.Encoding() {
		if a == "1" && plain[len(plain)-1] == "-threads:v" {
			a = "0" // one encoder that chooses its number of threads
		}

		plain = append(plain, a)
	}

	plain = append(append(plain, plan.Outputs[0].Mix.Encoding()...), "-movflags", "+faststart", "-y", filepath.Join(dir, "plain.mp4"))

	var floors, exports, ratios, cpu []float64

	for b.Loop() {
		floor, floorCPU := timed(func() {
			require.NoError(b, found.Run(b.Context(), ffmpeg.Command{Args: plain}))
		})
		export, exportCPU := timed(func() {
			engine := &encode.Engine{Tools: found, Dir: filepath.Join(dir, "scratch")}
			result, err := engine.Render(b.Context(), plan,
				probe.Sources{"su_a": {Path: path, Info: info}}, encode.DirCache{Dir: b.TempDir()}, nil)
			require.NoError(b, err)
			require.NoError(b, result.Discard())
		})

		floors, exports = append(floors, floor), append(exports, export)
		ratios, cpu = append(ratios, export/floor), append(cpu, exportCPU/floorCPU)
	}

	b.ReportMetric(median(floors), "plain-s")
	b.ReportMetric(median(exports), "export-s")
	b.ReportMetric(median(ratios), "ratio")
	b.ReportMetric(median(cpu), "cpu-ratio")
}

// timed returns the wall and processor seconds that do takes, including programs it starts.
func timed(do func()) (wall, cpu float64) {
	var before, after, self, selfAfter syscall.Rusage

	_ = syscall.Getrusage(syscall.RUSAGE_CHILDREN, &before)
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &self)
	began := time.Now()

	do()

	wall = time.Since(began).Seconds()
	_ = syscall.Getrusage(syscall.RUSAGE_CHILDREN, &after)
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &selfAfter)

	used := func(r syscall.Rusage) float64 {
		return time.Duration(r.Utime.Nano() + r.Stime.Nano()).Seconds()
	}

	return wall, used(after) - used(before) + used(selfAfter) - used(self)
}

func median(of []float64) float64 { return slices.Sorted(slices.Values(of))[len(of)/2] }
