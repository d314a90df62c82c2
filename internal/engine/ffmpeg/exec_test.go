package ffmpeg_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/test/testkit/rendering"
)

// orphanDir makes the re-executed test binary the parent in TestRunDiesWithItsParent.
const orphanDir = "MEDIA_TEST_ORPHAN_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(orphanDir); dir != "" {
		os.Exit(runOrphan(dir))
	}

	os.Exit(rendering.Main(m))
}

// endless returns the arguments of an encoder that never ends by itself.
func endless(out string) []string {
	return []string{"-re", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=30", "-c:v", "mpeg4", "-f", "matroska", "-y", out}
}

// alive reports whether a process runs; a zombie does not.
func alive(t *testing.T, pid int) bool {
	t.Helper()

	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}

	_, rest, _ := strings.Cut(string(stat), ") ")

	return rest[0] != 'Z'
}

// inGroup counts the members of a process group, zombies too.
func inGroup(t *testing.T, group int) int {
	t.Helper()

	entries, err := filepath.Glob("/proc/[0-9]*/stat")
	require.NoError(t, err)

	n := 0

	for _, e := range entries {
		stat, err := os.ReadFile(e)
		if err != nil {
			continue
		}

		_, rest, _ := strings.Cut(string(stat), ") ")
		if f := strings.Fields(rest); len(f) > 2 && f[2] == strconv.Itoa(group) {
			n++
		}
	}

	return n
}

func TestFind(t *testing.T) {
	t.Parallel()

	found, err := ffmpeg.Find(func(name string) (string, error) { return "/opt/bin/" + name, nil })
	require.NoError(t, err)
	require.Equal(t, ffmpeg.Tools{FFmpeg: "/opt/bin/ffmpeg", FFprobe: "/opt/bin/ffprobe"}, found)

	_, err = ffmpeg.Find(func(string) (string, error) { return "", exec.ErrNotFound })
	require.ErrorContains(t, err, "ffmpeg and ffprobe not found: install FFmpeg")
	require.ErrorContains(t, err, "apt-get install ffmpeg")
}

func TestRunReportsFrames(t *testing.T) {
	t.Parallel()

	var (
		got []int64
		out bytes.Buffer
	)

	err := rendering.Tools(t).Run(t.Context(), ffmpeg.Command{
		Args:    []string{"-f", "lavfi", "-i", "testsrc2=size=64x64:rate=30", "-frames:v", "90", "-f", "rawvideo", "pipe:1"},
		Stdout:  &out,
		OnFrame: func(n int64) { got = append(got, n) },
	})
	require.NoError(t, err)
	require.Equal(t, 90*64*64*3/2, out.Len())
	require.NotEmpty(t, got)
	require.IsIncreasing(t, append([]int64{0}, got...))
	require.EqualValues(t, 90, got[len(got)-1])
}

func TestRunReadsStdin(t *testing.T) {
	t.Parallel()

	var out bytes.Buffer

	raw := bytes.Repeat([]byte{0x80}, 10*32*32*3/2)
	err := rendering.Tools(t).Run(t.Context(), ffmpeg.Command{
		Args: []string{
			"-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "32x32", "-r", "30", "-i", "pipe:0",
			"-f", "rawvideo", "pipe:1",
		},
		Stdin:  bytes.NewReader(raw),
		Stdout: &out,
	})
	require.NoError(t, err)
	require.Equal(t, raw, out.Bytes())
}

func TestRunFails(t *testing.T) {
	t.Parallel()

	err := rendering.Tools(t).Run(t.Context(), ffmpeg.Command{Args: []string{"-i", "/nonexistent/file.mp4", "-f", "null", "-"}})

	var exit *ffmpeg.ExitError
	require.ErrorAs(t, err, &exit)
	require.NotZero(t, exit.Code)
	require.NoError(t, exit.Reason)
	require.Contains(t, exit.Stderr, "/nonexistent/file.mp4")

	// The exit status, and whether the last line names the file, depend on the FFmpeg version.
	said := strings.Split(strings.TrimSpace(exit.Stderr), "\n")
	require.Contains(t, said[len(said)-1], "No such file or directory")
	require.ErrorContains(t, err, fmt.Sprintf("ffmpeg: exit status %d: %s", exit.Code, said[len(said)-1]))

	missing := ffmpeg.Tools{FFmpeg: "/nonexistent/ffmpeg"}
	err = missing.Run(t.Context(), ffmpeg.Command{})
	require.ErrorContains(t, err, "not found")
}

func TestRunKeepsTheTailOfStderr(t *testing.T) {
	t.Parallel()

	err := rendering.Tools(t).Run(t.Context(), ffmpeg.Command{
		Program: "/bin/sh",
		Args:    []string{"-c", `i=0; while [ $i -lt 5000 ]; do echo "line $i" >&2; i=$((i+1)); done; exit 3`},
	})

	var exit *ffmpeg.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 3, exit.Code)
	require.LessOrEqual(t, len(exit.Stderr), 8<<10)
	require.True(t, strings.HasSuffix(exit.Stderr, "line 4998\nline 4999\n"))
}

func TestRunGivesNoSecretsAway(t *testing.T) {
	t.Parallel()

	var out bytes.Buffer
	require.NoError(t, rendering.Tools(t).Run(t.Context(), ffmpeg.Command{Program: "/usr/bin/env", Stdout: &out}))

	for line := range strings.Lines(out.String()) {
		name, _, _ := strings.Cut(line, "=")
		require.Contains(t, []string{
			"PATH", "LC_ALL", "MALLOC_ARENA_MAX", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_",
			"MALLOC_TOP_PAD_", "GLIBC_TUNABLES", "PWD", "OLDPWD", "_", "SHLVL",
		}, name)
	}
}

func TestRunCancelEndsTheGroup(t *testing.T) {
	t.Parallel()

	for _, tc := range []struct{ name, script string }{
		{"obedient", `sleep 600 & echo $$; wait`},
		{"ignores SIGTERM", `trap "" TERM; sleep 600 & sleep 601 & echo $$; while :; do wait; done`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()

			gone := errors.New("the export was cancelled")
			ctx, cancel := context.WithCancelCause(t.Context())
			r, w, err := os.Pipe()
			require.NoError(t, err)

			defer r.Close()

			done, programs := make(chan error, 1), rendering.Tools(t)
			go func() {
				done <- programs.Run(ctx, ffmpeg.Command{Program: "/bin/sh", Args: []string{"-c", tc.script}, Stdout: w})
			}()

			buf := make([]byte, 32)
			n, err := r.Read(buf)
			require.NoError(t, err)
			pid, err := strconv.Atoi(strings.TrimSpace(string(buf[:n])))
			require.NoError(t, err)
			require.Positive(t, inGroup(t, pid))

			began := time.Now()

			cancel(gone)

			err = <-done
			took := time.Since(began)

			w.Close()

			require.ErrorIs(t, err, gone)
			require.Less(t, took, time.Second)

			_, err = io.Copy(io.Discard, r) // ends when the last holder of the pipe is gone
			require.NoError(t, err)
			require.Less(t, time.Since(began), time.Second)
			require.False(t, alive(t, pid))
			t.Logf("ended %v after the cancel", took)
		})
	}
}

func TestRunCancelledEncoderLeavesNoChild(t *testing.T) {
	t.Parallel()

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()

	out := filepath.Join(t.TempDir(), "out.mkv")
	began := time.Time{}
	err := rendering.Tools(t).Run(ctx, ffmpeg.Command{Args: endless(out), OnFrame: func(int64) {
		if began.IsZero() {
			began = time.Now()

			cancel()
		}
	}})
	require.ErrorIs(t, err, context.Canceled)
	require.Less(t, time.Since(began), time.Second)

	require.ErrorIs(t, rendering.Tools(t).Run(ctx, ffmpeg.Command{Args: endless(out)}), context.Canceled, "a done context starts nothing")
}

func TestRunWallLimit(t *testing.T) {
	t.Parallel()

	began := time.Now()
	err := rendering.Tools(t).Run(t.Context(), ffmpeg.Command{
		Args:   endless(filepath.Join(t.TempDir(), "out.mkv")),
		Limits: ffmpeg.Limits{Wall: 400 * time.Millisecond},
	})
	require.ErrorIs(t, err, ffmpeg.ErrWallLimit)
	require.Less(t, time.Since(began), 1400*time.Millisecond)
}

func TestRunWatchdog(t *testing.T) {
	t.Parallel()

	// A decoder whose input never sends a byte: the write end stays open and silent.
	silent, keep, err := os.Pipe()
	require.NoError(t, err)

	defer silent.Close()
	defer keep.Close()

	began := time.Now()
	err = rendering.Tools(t).Run(t.Context(), ffmpeg.Command{
		Args:   []string{"-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "32x32", "-i", "pipe:0", "-f", "null", "-"},
		Stdin:  silent,
		Limits: ffmpeg.Limits{Begin: 500 * time.Millisecond},
	})
	require.ErrorIs(t, err, ffmpeg.ErrStalled)
	require.Less(t, time.Since(began), 10*time.Second)
}

// Before the first frame FFmpeg may decode for long without output; after it, no output is a stall.
func TestRunWatchdogWaitsForTheFirstFrame(t *testing.T) {
	t.Parallel()

	late := func(stall time.Duration, then string) error {
		return rendering.Tools(t).Run(t.Context(), ffmpeg.Command{
			Args: []string{
				"-re", "-f", "lavfi", "-i", "testsrc2=size=64x64:rate=10:duration=9", "-vf", "select=" + then,
				"-fps_mode", "passthrough", "-f", "rawvideo", "-y", "/dev/null",
			},
			Limits: ffmpeg.Limits{Begin: time.Minute, Stall: stall},
		})
	}

	require.NoError(t, late(4*time.Second, `gte(t\,6)`))
	require.ErrorIs(t, late(4*time.Second, `lt(t\,1)`), ffmpeg.ErrStalled)
}

func TestRunWatchdogLetsSlowWorkPass(t *testing.T) {
	t.Parallel()

	// The run lasts longer than the stall limit, and -re makes it wait more than it works.
	for name, input := range map[string]string{
		"pictures":    "testsrc2=size=64x64:rate=10:duration=7",
		"sound alone": "sine=duration=7", // it has no frames, which must not count as a stall
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			require.NoError(t, rendering.Tools(t).Run(t.Context(), ffmpeg.Command{
				Args:   []string{"-re", "-f", "lavfi", "-i", input, "-f", "null", "-"},
				Limits: ffmpeg.Limits{Stall: 5 * time.Second},
			}))
		})
	}
}

func TestRunWithoutLimits(t *testing.T) {
	t.Parallel()

	err := rendering.Tools(t).Run(t.Context(), ffmpeg.Command{
		Args:   []string{"-re", "-f", "lavfi", "-i", "testsrc2=size=64x64:rate=30", "-frames:v", "30", "-f", "null", "-"},
		Limits: ffmpeg.Limits{Memory: -1, CPU: -1, FileSize: -1, OpenFiles: -1, Wall: -1, Stall: -1},
	})
	require.NoError(t, err)
}

func TestRunMemoryLimit(t *testing.T) {
	t.Parallel()

	err := rendering.Tools(t).Run(t.Context(), ffmpeg.Command{
		Args:   []string{"-f", "lavfi", "-i", "color=size=7680x4320:rate=30", "-frames:v", "60", "-c:v", "libx264", "-f", "null", "-"},
		Limits: ffmpeg.Limits{Memory: 600 << 20},
	})
	require.ErrorIs(t, err, ffmpeg.ErrMemoryLimit)
}

func TestRunFileAndCPULimits(t *testing.T) {
	t.Parallel()

	out := filepath.Join(t.TempDir(), "out.yuv")
	err := rendering.Tools(t).Run(t.Context(), ffmpeg.Command{
		Args:   []string{"-f", "lavfi", "-i", "testsrc2=size=640x360:rate=30", "-f", "rawvideo", "-y", out},
		Limits: ffmpeg.Limits{FileSize: 4 << 20},
	})
	require.ErrorIs(t, err, ffmpeg.ErrFileLimit)
	st, err := os.Stat(out)
	require.NoError(t, err)
	require.LessOrEqual(t, st.Size(), int64(4<<20))

	err = rendering.Tools(t).Run(t.Context(), ffmpeg.Command{
		Args:   []string{"-f", "lavfi", "-i", "testsrc2=size=640x360:rate=30", "-f", "null", "-"},
		Limits: ffmpeg.Limits{CPU: time.Second},
	})
	require.ErrorIs(t, err, ffmpeg.ErrCPULimit)
}

// TestRunDiesWithItsParent runs this test binary as a server with an encoder, kills it with SIGKILL, and checks that
// the encoder ends: its output pipe closes.
func TestRunDiesWithItsParent(t *testing.T) {
	t.Parallel()

	self, err := os.Executable()
	require.NoError(t, err)
	r, w, err := os.Pipe()
	require.NoError(t, err)

	defer r.Close()

	parent := exec.Command(self)

	parent.Env = append(os.Environ(), orphanDir+"="+t.TempDir())
	parent.Stdout = w
	parent.Stderr = os.Stderr
	require.NoError(t, parent.Start())
	w.Close()

	// The first frame comes from the encoder, so both processes are running.
	frame := make([]byte, 64*64*3/2)
	_, err = io.ReadFull(r, frame)
	require.NoError(t, err)

	require.NoError(t, parent.Process.Signal(syscall.SIGKILL))

	began := time.Now()
	_ = parent.Wait()

	require.NoError(t, r.SetReadDeadline(time.Now().Add(5*time.Second)))
	_, err = io.Copy(io.Discard, r)
	require.NoError(t, err, "the encoder outlived its parent")
	t.Logf("encoder gone %v after its parent", time.Since(began))
}

// runOrphan is the parent: it streams frames of an endless encoder to its stdout.
func runOrphan(string) int {
	found, err := ffmpeg.Find(exec.LookPath)
	if err != nil {
		return 2
	}

	err = found.Run(context.Background(), ffmpeg.Command{
		Args:   []string{"-re", "-f", "lavfi", "-i", "testsrc2=size=64x64:rate=30", "-f", "rawvideo", "pipe:1"},
		Stdout: os.Stdout,
	})
	if err != nil {
		return 1
	}

	return 0
}
