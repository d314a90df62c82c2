package localpg

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	fastStop      = 10 * time.Second // for SIGINT to roll back and write everything
	immediateStop = 5 * time.Second  // for SIGQUIT; the next start recovers
	keptOutput    = 4 << 10
)

// NapTime is how often Postgres considers each table for vacuum and analyze. It is short because connections keep the
// plans of their prepared statements. A plan for a small table is kept until the table is analyzed.
const NapTime = "10s"

// durable are the settings of a server whose data matters: fsync and full_page_writes stay on.
func durable() []string {
	return []string{
		"shared_buffers=64MB", "work_mem=8MB", "maintenance_work_mem=64MB", "max_connections=200",
		"max_wal_size=512MB", "autovacuum_naptime=" + NapTime,
	}
}

// common are the settings of every private Postgres. SQL errors are not logged: the client gets them, and
// their text may contain what a user wrote.
func common() []string {
	return []string{
		"listen_addresses=", "unix_socket_permissions=0700", "timezone=UTC", "log_timezone=UTC",
		"lc_messages=C", "jit=off", "cluster_name=reelgraph", "logging_collector=off",
		"log_destination=stderr", "log_line_prefix=", "log_min_messages=log",
		"log_min_error_statement=panic", "log_checkpoints=off",
	}
}

// A process is a running postmaster.
type process struct {
	cmd    *exec.Cmd
	output *output
	done   chan struct{}
}

// A postmaster holds what postgres is started with.
type postmaster struct {
	programs         Programs
	who              account
	cluster, sockets string   // folders
	settings         []string // in addition to the common ones
	log              *slog.Logger
}

// launch starts postgres on a cluster and returns when it accepts connections. It retries while another
// postmaster, whose parent was just killed, is shutting down.
func (m postmaster) launch(ctx context.Context) (*process, error) {
	deadline := time.Now().Add(busyFor)

	for {
		proc, err := m.launchOnce(ctx)
		if err == nil || !errors.Is(err, ErrInUse) || time.Now().After(deadline) {
			return proc, err
		}

		if waitErr := pause(ctx); waitErr != nil {
			return nil, err
		}
	}
}

func (m postmaster) launchOnce(ctx context.Context) (*process, error) {
	cmd := m.who.command(filepath.Join(m.programs.Dir, "postgres"))

	data, err := m.who.tell(cmd, m.cluster)
	if err != nil {
		return nil, fmt.Errorf("open the cluster: %w", err)
	}

	socket, err := m.who.tell(cmd, m.sockets)
	if err != nil {
		return nil, fmt.Errorf("open the socket folder: %w", err)
	}

	cmd.Args = append(cmd.Args, "-D", data)

	quoted := `"` + strings.ReplaceAll(socket, `"`, `""`) + `"` // the setting is a list
	for _, s := range append(append(common(), "unix_socket_directories="+quoted), m.settings...) {
		cmd.Args = append(cmd.Args, "-c", s)
	}

	proc := &process{cmd: cmd, output: newOutput(m.log), done: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = proc.output, proc.output
	cmd.WaitDelay = time.Second
	dieWithParent(cmd, syscall.SIGINT)

	if err := proc.start(); err != nil {
		return nil, fmt.Errorf("start postgres: %w", err)
	}

	select {
	case <-proc.output.ready:
		return proc, nil
	case <-proc.done:
		return nil, fmt.Errorf("postgres ended while starting: %w", proc.output.failure())
	case <-ctx.Done():
		return nil, errors.Join(fmt.Errorf("start postgres: %w", ctx.Err()), proc.stop())
	}
}

// start runs the program from a thread that lives as long as the program, because the death signal follows
// the thread, not the process.
func (p *process) start() error {
	started := make(chan error)

	go func() {
		runtime.LockOSThread()

		defer runtime.UnlockOSThread()

		err := p.cmd.Start()
		for _, f := range p.cmd.ExtraFiles {
			_ = f.Close() // the program has its own copy
		}

		started <- err

		if err != nil {
			return
		}

		_ = p.cmd.Wait() // the output says how it ended; after a stop its exit code does not matter
		close(p.done)
	}()

	return <-started
}

// stop ends the postmaster, gracefully at first.
func (p *process) stop() error {
	for _, step := range []struct {
		sig  syscall.Signal
		wait time.Duration
	}{{syscall.SIGINT, fastStop}, {syscall.SIGQUIT, immediateStop}, {syscall.SIGKILL, immediateStop}} {
		select {
		case <-p.done:
			return nil
		default:
		}

		_ = p.cmd.Process.Signal(step.sig) // it may end between the check and the signal

		timer := time.NewTimer(step.wait)
		select {
		case <-p.done:
			timer.Stop()

			return nil
		case <-timer.C:
		}
	}

	return fmt.Errorf("stop postgres: process %d is still running after SIGINT and SIGQUIT", p.cmd.Process.Pid)
}

// run runs a short program to its end. The program is killed with this process and with ctx.
func run(ctx context.Context, cmd *exec.Cmd) error {
	out := newOutput(slog.New(slog.DiscardHandler))
	cmd.Stdout, cmd.Stderr = out, out
	cmd.WaitDelay = time.Second
	dieWithParent(cmd, syscall.SIGKILL)

	p := &process{cmd: cmd, output: out, done: make(chan struct{})}
	if err := p.start(); err != nil {
		return err
	}

	select {
	case <-p.done:
	case <-ctx.Done():
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // including the children in its process group

		<-p.done

		return ctx.Err()
	}

	if !cmd.ProcessState.Success() {
		return out.failure()
	}

	return nil
}

// An output passes a program's messages to the log, keeps the last lines, and detects when Postgres is ready.
type output struct {
	log   *slog.Logger
	ready chan struct{}

	mu      sync.Mutex
	partial []byte
	kept    []byte
	isReady bool
}

var _ io.Writer = (*output)(nil)

func newOutput(log *slog.Logger) *output { return &output{log: log, ready: make(chan struct{})} }

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()

	o.kept = append(o.kept, b...)
	if extra := len(o.kept) - keptOutput; extra > 0 {
		o.kept = append(o.kept[:0], o.kept[extra:]...)
	}

	o.partial = append(o.partial, b...)
	for {
		line, rest, found := bytes.Cut(o.partial, []byte("\n"))
		if !found {
			return len(b), nil
		}

		o.line(string(line))
		o.partial = rest
	}
}

func (o *output) line(text string) {
	severity, message, _ := strings.Cut(text, ":  ")

	level := slog.LevelDebug
	if severity == "PANIC" {
		level = slog.LevelError
	}

	o.log.Log(context.Background(), level, "postgres: "+text)

	if !o.isReady && message == "database system is ready to accept connections" {
		o.isReady = true
		close(o.ready)
	}
}

// failure returns the reason of an unexpected end: the known cause for the messages, and the last lines.
func (o *output) failure() error {
	o.mu.Lock()
	defer o.mu.Unlock()

	said := lastLines(string(o.kept), 6)
	switch {
	case strings.Contains(said, "No space left on device"), strings.Contains(said, "Disk quota exceeded"):
		return fmt.Errorf("%w: %s", ErrDiskFull, said)
	case strings.Contains(said, "Is another postmaster"), strings.Contains(said, "Is another postgres"),
		strings.Contains(said, "pre-existing shared memory block"):
		return fmt.Errorf("%w by another Postgres: %s", ErrInUse, said)
	}

	return errors.New(said)
}

func lastLines(s string, n int) string {
	var lines []string

	for sc := bufio.NewScanner(strings.NewReader(s)); sc.Scan(); {
		if t := strings.TrimSpace(sc.Text()); t != "" {
			lines = append(lines, t)
		}
	}

	if len(lines) > n {
		lines = lines[len(lines)-n:]
	}

	return strings.Join(lines, "; ")
}
