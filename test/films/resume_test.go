package films_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
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
	reel "github.com/reelgraph/reelgraph/test/testkit/footage"
	"github.com/reelgraph/reelgraph/test/testkit/rendering"
)

// victimEnv holds what the re-executed test binary renders until it is killed.
const victimEnv = "MEDIA_TEST_RENDER_UNTIL_KILLED"

// victim is the input of the process that will be killed.
type victim struct {
	Plan    plan.Plan
	Files   probe.Sources
	Scratch string
	Cache   string
}

// TestRenderSurvivesKill runs this test in a child process that kills itself with SIGKILL halfway through the render,
// once a chunk is finished. It then renders again with the remaining cache.
func TestRenderSurvivesKill(t *testing.T) {
	if file := os.Getenv(victimEnv); file != "" {
		renderUntilKilled(t, file)
	}

	t.Parallel()

	s := rendering.New(t)
	s.Add(t, "su_a", rendering.Counter(t, reel.Film{Frames: 1800, Tone: 440, SoundMs: 2_000}, "a.mp4"))
	plan := s.Plan(t, rendering.Wide(), s.Clip("su_a", values.SpanOf(5_000, 5_000), values.SpanOf(15_000, 2_500)))

	orders, err := json.Marshal(victim{Plan: plan, Files: s.Files, Scratch: s.Engine.Dir, Cache: s.Cache.Dir})
	require.NoError(t, err)

	file := filepath.Join(t.TempDir(), "orders.json")
	require.NoError(t, os.WriteFile(file, orders, 0o600))

	self, err := os.Executable()
	require.NoError(t, err)

	child := exec.Command(self, "-test.run", "^TestRenderSurvivesKill$")

	child.Env = append(os.Environ(), victimEnv+"="+file)
	output, err := child.CombinedOutput()

	var exit *exec.ExitError

	require.ErrorAs(t, err, &exit, "%s", output)
	require.Equal(t, syscall.SIGKILL, exit.Sys().(syscall.WaitStatus).Signal(), "%s", output)

	before := finished(t, s.Cache.Dir)
	t.Logf("%d pieces were finished", len(before))
	require.True(t, slices.ContainsFunc(slices.Collect(maps.Keys(before)), func(name string) bool { return strings.HasSuffix(name, ".mp4") }))
	require.Less(t, len(before), len(plan.Outputs[0].Chunks)+1)

	left, err := filepath.Glob(filepath.Join(s.Engine.Dir, "render-*"))
	require.NoError(t, err)
	require.Len(t, left, 1)
	require.NoError(t, s.Engine.Sweep())
	require.NoDirExists(t, left[0], "files of the dead process are removed")

	result := s.RenderPlan(t, plan)
	require.NoError(t, s.Engine.Sweep())
	require.FileExists(t, result.Path, "files in use are kept")

	after := finished(t, s.Cache.Dir)
	require.Len(t, after, len(plan.Outputs[0].Chunks)+1)

	requireKept(t, before, after)
	requireFrames(t, result.Path,
		expected([]shown{{0, 5_000}, {10_000, 15_000}, {17_500, 60_000}}, 30, big.NewRat(1, 1), big.NewRat(30, 1), 1799), 30)
}

func finished(t *testing.T, dir string) map[string]os.FileInfo {
	t.Helper()

	entries, err := os.ReadDir(dir)
	require.NoError(t, err)

	files := map[string]os.FileInfo{}

	for _, e := range entries {
		info, err := e.Info()
		require.NoError(t, err)

		files[e.Name()] = info
	}

	return files
}

// requireKept requires all earlier files to be unchanged.
func requireKept(t *testing.T, before, after map[string]os.FileInfo) {
	t.Helper()

	for name, was := range before {
		require.True(t, os.SameFile(was, after[name]), "%s was made again", name)
		require.Equal(t, was.ModTime(), after[name].ModTime(), name)
	}
}

func renderUntilKilled(t *testing.T, file string) {
	t.Helper()

	orders, err := os.ReadFile(file)
	require.NoError(t, err)

	var v victim

	require.NoError(t, json.Unmarshal(orders, &v))

	engine := &encode.Engine{Tools: rendering.Tools(t), Dir: v.Scratch}
	_, err = engine.Render(t.Context(), v.Plan, v.Files, encode.DirCache{Dir: v.Cache}, func(done, total int) {
		// Halfway, each of two workers has drawn a chunk and may not have stored it yet.
		chunks, _ := filepath.Glob(filepath.Join(v.Cache, "*.mp4"))
		if 2*done >= total && len(chunks) > 0 {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
	})
	t.Fatalf("the render ended before half of it was done: %v", err)
}

// mentioned counts the living processes whose command line names a folder.
func mentioned(t *testing.T, dir string) int {
	t.Helper()

	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)

	n := 0

	for _, line := range lines {
		if said, err := os.ReadFile(line); err == nil && strings.Contains(string(said), dir) {
			n++
		}
	}

	return n
}

func TestRenderCancel(t *testing.T) {
	t.Parallel()

	s := rendering.New(t)
	s.Engine.Workers = 3
	s.Frame = plan.Size{}
	s.Add(t, "su_a", rendering.Counter(t, reel.Film{Frames: 900, Tone: 440}, "a.mp4"))

	settings := rendering.Wide()
	settings.Speed = timeline.Speed{Num: 1, Den: 2}
	plan := s.Plan(t, settings, s.Clip("su_a"))

	gone := errors.New("the export was cancelled")
	ctx, cancel := context.WithCancelCause(t.Context())

	var began time.Time

	_, err := s.Engine.Render(ctx, plan, s.Files, s.Cache, func(done, _ int) {
		if done > 0 && began.IsZero() {
			began = time.Now()

			cancel(gone)
		}
	})
	took := time.Since(began)

	require.ErrorIs(t, err, gone)
	require.Less(t, took, 2*time.Second)
	require.Zero(t, mentioned(t, s.Engine.Dir), "a child process is left")
	require.Zero(t, mentioned(t, s.Files["su_a"].Path), "a child process is left")
	requireEmpty(t, s.Engine.Dir)
	t.Logf("ended %v after the cancel", took)
}

func requireEmpty(t *testing.T, dir string) {
	t.Helper()

	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, entries)
}

func TestRenderFails(t *testing.T) {
	t.Parallel()

	path := rendering.Counter(t, reel.Film{Frames: 60, Tone: 440}, "a.mp4")
	all := rendering.New(t)
	all.Add(t, "su_a", path)

	t.Run("too large a file", func(t *testing.T) {
		t.Parallel()

		s := all.Beside(t)
		s.Engine.Limits.FileSize = 2 << 10

		_, err := s.Engine.Render(t.Context(), s.Plan(t, rendering.Wide(), s.Clip("su_a")), s.Files, s.Cache, nil)
		require.ErrorIs(t, err, ffmpeg.ErrFileLimit)
		requireEmpty(t, s.Engine.Dir)
		require.NoDirExists(t, s.Cache.Dir)
	})

	t.Run("a cache that cannot be written", func(t *testing.T) {
		t.Parallel()

		s := all.Beside(t)
		s.Cache.Dir = path // a file

		_, err := s.Engine.Render(t.Context(), s.Plan(t, rendering.Wide(), s.Clip("su_a")), s.Files, s.Cache, nil)
		require.ErrorIs(t, err, syscall.ENOTDIR)
		requireEmpty(t, s.Engine.Dir)
	})

	t.Run("a full disk", func(t *testing.T) {
		t.Parallel()

		s := all.Beside(t)

		_, err := s.Engine.Render(t.Context(), s.Plan(t, rendering.Wide(), s.Clip("su_a")), s.Files, full{}, nil)
		require.ErrorIs(t, err, ffmpeg.ErrDiskFull)
		requireEmpty(t, s.Engine.Dir)
	})

	t.Run("an unknown source", func(t *testing.T) {
		t.Parallel()

		s := all.Beside(t)
		plan := s.Plan(t, rendering.Wide(), s.Clip("su_a"))

		_, err := s.Engine.Render(t.Context(), plan, nil, s.Cache, nil)
		require.EqualError(t, err, "render: source su_a has no file")
	})

	t.Run("a source that is gone", func(t *testing.T) {
		t.Parallel()

		s := all.Beside(t)
		plan := s.Plan(t, rendering.Wide(), s.Clip("su_a"))
		lost := s.Files["su_a"]
		lost.Path += ".gone"

		_, err := s.Engine.Render(t.Context(), plan, probe.Sources{"su_a": lost}, s.Cache, nil)
		require.ErrorContains(t, err, "No such file or directory")
		requireEmpty(t, s.Engine.Dir)
	})
}

// full is a cache on a full disk.
type full struct{}

func (full) Get(context.Context, string, string) bool { return false }

func (full) Put(context.Context, string, string) error {
	return &os.PathError{Op: "write", Path: "/cache", Err: syscall.ENOSPC}
}

// A second equal export makes nothing again. A change makes only what it affects.
func TestRenderReusesChunks(t *testing.T) {
	t.Parallel()

	s := rendering.New(t)
	s.Add(t, "su_a", rendering.Counter(t, reel.Film{Frames: 1500, Tone: 440, SoundMs: 2_000}, "a.mp4"))
	first := s.Render(t, rendering.Wide(), s.Clip("su_a"))

	before := finished(t, s.Cache.Dir)
	require.Len(t, before, 5)

	again := s.Render(t, rendering.Wide(), s.Clip("su_a"))
	require.Len(t, finished(t, s.Cache.Dir), 5)
	requireKept(t, before, finished(t, s.Cache.Dir))

	third := s.Render(t, rendering.Wide(), s.Clip("su_a", values.SpanOf(45_000, 5_000)))
	all := finished(t, s.Cache.Dir)
	require.Len(t, all, 6, "three chunks are reused and the sound is new")

	for _, result := range []encode.Result{first, again, third} {
		require.NoError(t, result.Discard())
	}

	oldest := slices.MinFunc(slices.Collect(maps.Values(all)), func(a, b os.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })

	require.NoError(t, s.Cache.Trim(again.Bytes))

	left, err := s.Cache.Size()
	require.NoError(t, err)
	require.LessOrEqual(t, left, again.Bytes)

	require.False(t, s.Cache.Has(oldest.Name()), "the oldest are removed first")
}

// patient is a cache that accepts no picture before it has the sound.
type patient struct {
	encode.DirCache

	sound chan struct{}
}

func (c patient) Put(ctx context.Context, key, name string) error {
	if strings.HasSuffix(key, ".m4a") {
		defer close(c.sound)
	} else {
		<-c.sound
	}

	return c.DirCache.Put(ctx, key, name)
}

// Sound does not wait for a worker, which may be busy with pictures.
func TestSoundIsMadeBesideThePictures(t *testing.T) {
	t.Parallel()

	s := rendering.New(t)
	s.Engine.Workers = 1
	s.Add(t, "su_a", rendering.Counter(t, reel.Film{Frames: 60, Tone: 440}, "a.mp4"))

	plan := s.Plan(t, rendering.Wide(), s.Clip("su_a"))
	ended := make(chan error, 1)

	go func() {
		_, err := s.Engine.Render(t.Context(), plan, s.Files, patient{s.Cache, make(chan struct{})}, nil)
		ended <- err
	}()

	select {
	case err := <-ended:
		require.NoError(t, err)
	case <-time.After(time.Minute):
		t.Fatal("the sound waited for a worker")
	}
}
