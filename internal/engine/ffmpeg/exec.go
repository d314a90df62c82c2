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

// Reasons why Run ended a program. errors.Is finds them in an *ExitError; it also finds the cause of a context that was
// done.
var (
	// ErrStalled reports that the program made no progress for Limits.Begin or Limits.Stall.
	ErrStalled = errors.New("no progress")
	// ErrWallLimit reports that the program ran longer than Limits.Wall.
	ErrWallLimit = errors.New("exceeded the time limit")
	// ErrCPULimit reports that the program used more processor time than Limits.CPU.
	ErrCPULimit = errors.New("exceeded the processor time limit")
	// ErrMemoryLimit reports that the program asked for more memory than Limits.Memory.
	ErrMemoryLimit = errors.New("exceeded the memory limit")
	// ErrFileLimit reports that the program wrote a file larger than Limits.FileSize.
	ErrFileLimit = errors.New("exceeded the file size limit")
	// ErrDiskFull reports that the disk had no space for the program's output.
	ErrDiskFull = errors.New("no space left on device")
)

// stopGrace is the time between SIGTERM and SIGKILL: a cancelled program ends within a second, and FFmpeg has time to
// close its files.
const stopGrace = 600 * time.Millisecond

// drainGrace is how long the copying of Stdin and Stdout may continue after the program ended by itself.
const drainGrace = 10 * time.Second

// stderrTail is how many bytes of the end of stderr an ExitError keeps.
const stderrTail = 8 << 10

// Tools holds the full paths of the media programs. The zero value cannot run anything; use Find.
type Tools struct {
	FFmpeg  string
	FFprobe string
}

// Find finds the media programs with a function such as exec.LookPath. The error names the missing ones and how to
// install them.
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

// Limits bound one run. In each field, zero means the default in its comment and a negative value means no limit.
type Limits struct {
	Memory    int64         // bytes of address space; 4 GiB, enough for 4k with 16 threads: see -threads
	CPU       time.Duration // processor time of all threads, in whole seconds; 4 h
	FileSize  int64         // bytes of any file written; 64 GiB
	OpenFiles int           // 256
	Wall      time.Duration // 4 h
	Begin     time.Duration // until FFmpeg's first frame, sample or byte; it may have to decode hours from the key frame on; 30 min
	Stall     time.Duration // between two of them later; 60 s
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

// Runner runs its tools under one set of limits.
type Runner struct {
	Tools  Tools
	Limits Limits // the zero value means the defaults
}

// Run runs a command with Tools.Run under the limits of the runner. It ignores the limits of the command.
func (r Runner) Run(ctx context.Context, c Command) error {
	c.Limits = r.Limits

	return r.Tools.Run(ctx, c)
}

// Command describes one run of a program.
type Command struct {
	// Program is Tools.FFmpeg (also when empty), Tools.FFprobe, or the full path of another program. FFmpeg and ffprobe
	// get the options that each of their runs needs; other programs get none.
	Program string
	Args    []string
	// Dir is the working directory; empty means the server's.
	Dir string
	// Stdin and Stdout are passed to the program directly if they are *os.File, and copied otherwise; nil means /dev/null.
	// Run closes neither: the caller must close the other end of an io.Pipe when Run returns.
	Stdin  io.Reader
	Stdout io.Writer
	Limits Limits
	// OnFrame gets the number of frames that FFmpeg has written, which never falls. Run calls it about twice a second
	// and at the end, on another goroutine, but not after Run returned. A run without video never calls it.
	OnFrame func(frames int64)
}

// ExitError describes how a program failed.
type ExitError struct {
	Program string         // its base name
	Code    int            // exit status; -1 when a signal ended it
	Signal  syscall.Signal // 0 when it ended by itself
	Reason  error          // why Run or a limit ended it; nil when it failed by itself
	Stderr  string         // the last 8 KiB of stderr
}

// Error names the program, the reason and the last line of stderr.
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

// Run starts a program, waits for its end, and leaves no process behind. When ctx is done the whole process group gets
// SIGTERM, and SIGKILL 0.6 s later. Any unsuccessful end is an *ExitError; a program that could not be started is
// another error.
//
// The goroutine stays locked to its thread: the kernel sends the parent-death signal when the thread that started the
// child ends, not when the process ends.
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

// process is a started program that was not yet waited for.
type process struct {
	cmd      *exec.Cmd
	stderr   *ring
	progress *progress // nil when the program does not report progress
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

// environment returns the whole environment of a program. The program reads hostile bytes and must not see the server's
// secrets, proxies or FFREPORT.
//
// The other variables tune the allocator of glibc; other systems ignore them. Few arenas keep the address space of many
// threads within the limit. A picture takes megabytes. By default glibc returns that memory to the system after each
// picture and gets it again cleared, a page at a time. Keeping it, on huge pages, makes a render 5% cheaper, and a
// short run 25%, on virtual machines where page faults are expensive.
func environment() []string {
	return []string{
		"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C",
		"MALLOC_ARENA_MAX=2", "GLIBC_TUNABLES=glibc.malloc.hugetlb=1",
		"MALLOC_MMAP_THRESHOLD_=33554432", "MALLOC_TRIM_THRESHOLD_=1073741824", "MALLOC_TOP_PAD_=33554432",
	}
}

// finish waits for the end of the program. It kills the group while the leader is dead but not yet reaped: only then
// can no other process have the leader's number.
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
		return errors.Join(fmt.Errorf("%s: copy the input or output: %w", filepath.Base(c.Program), err), reason)
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

// limitReason recognizes a kernel limit by its traces. FFmpeg treats SIGXCPU like SIGTERM and exits with 255, so the
// used processor time decides. The kernel counts that time in two ways; on a busy machine the count that the limit uses
// may run far ahead, so half of the limit is enough.
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

// supervise waits until the program ends or there is a reason to end it. It then ends the program and returns the
// reason.
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

// signal signals the whole group. An error can only mean that the group is empty.
func (p *process) signal(s syscall.Signal) { _ = syscall.Kill(-p.cmd.Process.Pid, s) }
