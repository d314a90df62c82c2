package ffmpeg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// Reasons why Run ended a program. Each is found in an *ExitError by errors.Is; a context that was
// done is found there too, by its cause.
var (
	// ErrStalled says that the program made no progress for Limits.Begin or Limits.Stall.
	ErrStalled = errors.New("no progress")
	// ErrWallLimit says that the program ran longer than Limits.Wall.
	ErrWallLimit = errors.New("ran out of time")
	// ErrCPULimit says that the program used more processor time than Limits.CPU.
	ErrCPULimit = errors.New("ran out of processor time")
	// ErrMemoryLimit says that the program asked for more memory than Limits.Memory.
	ErrMemoryLimit = errors.New("ran out of memory")
	// ErrFileLimit says that the program wrote a file larger than Limits.FileSize.
	ErrFileLimit = errors.New("wrote a file that is too large")
	// ErrDiskFull says that there was no room left for the program's output.
	ErrDiskFull = errors.New("no space left on device")
)

// stopGrace is how long a program has between SIGTERM and SIGKILL: a cancelled one is gone within
// a second, and FFmpeg has time to close its files.
const stopGrace = 600 * time.Millisecond

// drainGrace is how long Stdin and Stdout may still be copied after the program ended by itself.
const drainGrace = 10 * time.Second

// stderrTail is how much of what a program last said is kept for its ExitError.
const stderrTail = 8 << 10

// Tools are the full paths of the media programs. The zero value can run nothing; see Find.
type Tools struct {
	FFmpeg  string
	FFprobe string
}

// Find looks the media programs up, with exec.LookPath or the like. The error names what is missing
// and how to install it.
func Find(lookup func(string) (string, error)) (Tools, error) {
	var missing []string

	find := func(name string) string {
		path, err := lookup(name)
		if err == nil {
			path, err = filepath.Abs(path)
		}

		if err != nil {
			missing = append(missing, name)
		}

		return path
	}
	t := Tools{FFmpeg: find("ffmpeg"), FFprobe: find("ffprobe")}

	if len(missing) > 0 {
		return Tools{}, fmt.Errorf(
			"%s not found: install FFmpeg (Debian, Ubuntu: apt-get install ffmpeg; Fedora: dnf install ffmpeg; macOS: brew install ffmpeg)",
			strings.Join(missing, " and "))
	}

	return t, nil
}

// Limits bound one run. In each field zero means the default of the field, a negative value no limit.
type Limits struct {
	Memory    int64         // bytes of address space; 4 GiB, enough for 4k with 16 threads: see -threads
	CPU       time.Duration // processor time of all threads, in whole seconds; 4 h
	FileSize  int64         // bytes of any file written; 64 GiB
	OpenFiles int           // 256
	Wall      time.Duration // 4 h
	Begin     time.Duration // until FFmpeg's first frame, sample or byte: hours may lie behind its key frame; 30 min
	Stall     time.Duration // without a new one from then on; 60 s
}

// WithDefaults returns the limits with each zero replaced by its default.
func (l Limits) WithDefaults() Limits {
	return Limits{
		Memory:    orDefault(l.Memory, 4<<30),
		CPU:       orDefault(l.CPU, 4*time.Hour),
		FileSize:  orDefault(l.FileSize, 64<<30),
		OpenFiles: orDefault(l.OpenFiles, 256),
		Wall:      orDefault(l.Wall, 4*time.Hour),
		Begin:     orDefault(l.Begin, 30*time.Minute),
		Stall:     orDefault(l.Stall, time.Minute),
	}
}

func orDefault[T int | int64 | time.Duration](v, otherwise T) T {
	if v == 0 {
		return otherwise
	}

	return v
}

// Runner are tools of which each run has the same limits.
type Runner struct {
	Tools  Tools
	Limits Limits // zero are the defaults
}

// Run is Tools.Run under the runner's limits, whatever those of the command are.
func (r Runner) Run(ctx context.Context, c Command) error {
	c.Limits = r.Limits

	return r.Tools.Run(ctx, c)
}

// Command is one run of a program, as values.
type Command struct {
	// Program is Tools.FFmpeg, which empty means too, Tools.FFprobe, or the full path of another
	// program. FFmpeg and ffprobe get the options that every run of theirs needs; others get none.
	Program string
	Args    []string
	// Dir is the working directory; empty means that of the server.
	Dir string
	// Stdin and Stdout are given to the program as they are when they are *os.File, and copied
	// otherwise. Run closes neither: who writes into the other end of an io.Pipe must close it when
	// Run returns. Nil means /dev/null.
	Stdin  io.Reader
	Stdout io.Writer
	Limits Limits
	// OnFrame hears how many frames FFmpeg has written, rising, about twice a second and at the end,
	// on another goroutine, never after Run returned. A run without video never calls it.
	OnFrame func(frames int64)
}

// ExitError says how a program ended that did not succeed.
type ExitError struct {
	Program string         // its base name
	Code    int            // exit status; -1 when a signal ended it
	Signal  syscall.Signal // 0 when it ended by itself
	Reason  error          // why Run or a limit ended it; nil when it failed by itself
	Stderr  string         // the last of what it said, at most 8 KiB
}

// Error names the program, the reason and the last line that the program said.
func (e *ExitError) Error() string {
	var b strings.Builder
	b.WriteString(e.Program)

	switch {
	case e.Reason != nil:
		fmt.Fprintf(&b, ": %v", e.Reason)
	case e.Signal != 0:
		fmt.Fprintf(&b, ": stopped by signal %v", e.Signal)
	default:
		fmt.Fprintf(&b, ": exit status %d", e.Code)
	}

	if last := lastLine(e.Stderr); last != "" {
		fmt.Fprintf(&b, ": %s", last)
	}

	return b.String()
}

// Unwrap returns the reason.
func (e *ExitError) Unwrap() error { return e.Reason }

func lastLine(s string) string {
	s = strings.TrimSpace(s)

	return strings.TrimSpace(s[strings.LastIndexByte(s, '\n')+1:])
}

// Run starts a program, waits for its end, and leaves nothing of it behind. When ctx is done the
// whole process group gets SIGTERM, and SIGKILL 0.6 s later. Any unsuccessful end is an *ExitError;
// a program that could not be started is another error.
//
// The goroutine keeps its thread meanwhile: the kernel sends the parent-death signal when the thread
// that started the child ends, not the process.
func (t Tools) Run(ctx context.Context, c Command) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}

	if c.Program == "" {
		c.Program = t.FFmpeg
	}

	c.Limits = c.Limits.WithDefaults()

	runtime.LockOSThread()

	defer runtime.UnlockOSThread()

	p, err := t.start(c)
	if err != nil {
		return fmt.Errorf("start %s: %w", filepath.Base(c.Program), err)
	}

	return p.finish(ctx, c)
}

// process is a program that was started and not yet waited for.
type process struct {
	cmd      *exec.Cmd
	stderr   *ring
	progress *progress // nil when the program reports none
	exited   chan struct{}
}

func (t Tools) start(c Command) (*process, error) {
	p := &process{stderr: newRing(stderrTail), exited: make(chan struct{})}

	var extra []*os.File

	args := c.Args
	switch c.Program {
	case t.FFmpeg:
		pr, report, err := openProgress(c.OnFrame)
		if err != nil {
			return nil, err
		}
		defer func() { _ = report.Close() }()

		p.progress, extra = pr, []*os.File{report}

		args = append([]string{
			"-hide_banner", "-nostdin", "-loglevel", "error", "-max_alloc", maxAlloc,
			"-nostats", "-progress", "pipe:3", "-stats_period", "0.5",
		}, c.Args...)
	case t.FFprobe:
		args = append([]string{"-hide_banner", "-loglevel", "error", "-max_alloc", maxAlloc}, c.Args...)
	}

	name, argv := limited(c.Program, args, c.Limits)
	p.cmd = exec.Command(name, argv...) //nolint:noctx // supervise stops the whole group, which CommandContext cannot
	p.cmd.Dir = c.Dir
	p.cmd.Env = environment()
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = c.Stdin, c.Stdout, p.stderr
	p.cmd.ExtraFiles = extra

	p.cmd.SysProcAttr = attributes()
	if err := p.cmd.Start(); err != nil {
		p.progress.close()

		return nil, err
	}

	return p, nil
}

// maxAlloc bounds a single allocation of FFmpeg: three times the largest frame that maxPixels allows.
const maxAlloc = "1073741824"

// environment is all that a program sees of ours: it reads hostile bytes and has no use for the
// server's secrets, for proxies, or for FFREPORT.
//
// The rest sets up the allocator of glibc; other systems know none of these names. Few arenas keep the address space of many
// threads within a limit. Pictures are megabytes that would be given back to the system after each one, and come anew, cleared
// and a page at a time: kept, and on huge pages, they cost a render a twentieth less, and a short run a quarter, where a
// virtual machine makes page faults expensive.
func environment() []string {
	return []string{
		"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C",
		"MALLOC_ARENA_MAX=2", "GLIBC_TUNABLES=glibc.malloc.hugetlb=1",
		"MALLOC_MMAP_THRESHOLD_=33554432", "MALLOC_TRIM_THRESHOLD_=1073741824", "MALLOC_TOP_PAD_=33554432",
	}
}

// finish waits for the end of the program. The order matters: the group is killed while its leader
// is dead but not yet reaped, when its number cannot belong to anybody else.
func (p *process) finish(ctx context.Context, c Command) error {
	p.progress.read()

	stopped := make(chan error, 1)
	go func() { stopped <- p.supervise(ctx, c.Limits) }()

	var reason error

	p.cmd.WaitDelay = drainGrace
	err := p.wait(func() {
		close(p.exited)

		reason = <-stopped

		p.signal(syscall.SIGKILL)

		if reason != nil {
			p.cmd.WaitDelay = stopGrace / 2
		}
	})
	p.progress.wait()

	state := p.cmd.ProcessState
	if err == nil || state == nil {
		return err
	}

	if state.Success() {
		return errors.Join(fmt.Errorf("%s: copy its input or output: %w", filepath.Base(c.Program), err), reason)
	}

	return p.exitError(c, state, reason)
}

func (p *process) exitError(c Command, state *os.ProcessState, reason error) *ExitError {
	e := &ExitError{
		Program: filepath.Base(c.Program),
		Code:    state.ExitCode(),
		Reason:  reason,
		Stderr:  p.stderr.String(),
	}
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		e.Signal = ws.Signal()
	}

	if e.Reason == nil {
		e.Reason = limitReason(e, c.Limits, state.UserTime()+state.SystemTime())
	}

	return e
}

// limitReason recognises a limit of the kernel by its traces. FFmpeg treats SIGXCPU like SIGTERM and
// exits with 255, so processor time is told by what was used; the kernel counts it in two ways, of
// which the one that limits may run far ahead on a busy machine.
func limitReason(e *ExitError, l Limits, used time.Duration) error {
	ended := e.Code == 255 || e.Signal == syscall.SIGKILL
	switch {
	case e.Signal == syscall.SIGXFSZ, strings.Contains(e.Stderr, "File too large"):
		return ErrFileLimit
	case e.Signal == syscall.SIGXCPU, l.CPU > 0 && ended && used >= l.CPU/2:
		return ErrCPULimit
	case strings.Contains(e.Stderr, "Cannot allocate memory"),
		strings.Contains(e.Stderr, "malloc of size"), strings.Contains(e.Stderr, "failed to map segment"):
		return ErrMemoryLimit
	case strings.Contains(e.Stderr, "No space left on device"):
		return ErrDiskFull
	default:
		return nil
	}
}

// supervise waits for the end of the program or for a cause to end it, ends it, and returns the cause.
func (p *process) supervise(ctx context.Context, l Limits) error {
	still := l.Begin
	if p.progress == nil {
		still = -1
	}

	wall, stall := time.NewTimer(orForever(l.Wall)), time.NewTimer(orForever(still))
	defer wall.Stop()
	defer stall.Stop()

	looks := p.looked(ctx)
	defer looks.end()

	for {
		select {
		case <-p.exited:
			return nil
		case <-looks.C:
			looks.look()
		case <-p.progress.advanced():
			still = l.Stall
			stall.Reset(orForever(still))
		case <-ctx.Done():
			return p.stop(context.Cause(ctx))
		case <-wall.C:
			return p.stop(fmt.Errorf("%w after %v", ErrWallLimit, l.Wall))
		case <-stall.C:
			return p.stop(fmt.Errorf("%w for %v", ErrStalled, still))
		}
	}
}

func orForever(d time.Duration) time.Duration {
	if d < 0 {
		return 1 << 62
	}

	return d
}

func (p *process) stop(reason error) error {
	p.signal(syscall.SIGTERM)

	kill := time.NewTimer(stopGrace)
	defer kill.Stop()

	select {
	case <-p.exited:
	case <-kill.C:
		p.signal(syscall.SIGKILL)
	}

	return reason
}

// signal reaches the whole group. An error can only mean that nobody is left in it.
func (p *process) signal(s syscall.Signal) { _ = syscall.Kill(-p.cmd.Process.Pid, s) }
