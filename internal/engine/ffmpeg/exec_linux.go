package ffmpeg

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// attributes put the child into a group of its own and let it die with the server.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// wait returns when the child was reaped, and calls ended once between its end and that.
func (p *process) wait(ended func()) error {
	for {
		err := unix.Waitid(unix.P_PID, p.cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}

	ended()

	return p.cmd.Wait()
}

// limited wraps a program in a shell that sets the limits and becomes the program: nothing of it
// ever runs without them, as it could between the start of a child and a prlimit call of ours. The
// script holds numbers only; the arguments stay arguments.
func limited(program string, args []string, l Limits) (string, []string) {
	var script strings.Builder

	set := func(option string, resource int, value, unit int64) {
		if value <= 0 {
			return
		}

		fmt.Fprintf(&script, "ulimit %s %d && ", option, max(1, atMost(resource, value)/unit))
	}
	set("-v", unix.RLIMIT_AS, l.Memory, 1<<10)
	set("-f", unix.RLIMIT_FSIZE, l.FileSize, 512)
	set("-n", unix.RLIMIT_NOFILE, int64(l.OpenFiles), 1)

	if l.CPU > 0 {
		// SIGXCPU at the soft limit, SIGKILL at the hard one.
		seconds := max(1, int64(l.CPU/time.Second))
		set("-t", unix.RLIMIT_CPU, seconds+2, 1)
		set("-S -t", unix.RLIMIT_CPU, seconds, 1)
	}

	script.WriteString(`exec "$@"`)

	return "/bin/sh", append([]string{"-c", script.String(), "sh", program}, args...)
}

// atMost keeps a limit below the hard one that the server itself lives under, which cannot be raised.
func atMost(resource int, value int64) int64 {
	var have unix.Rlimit
	if err := unix.Getrlimit(resource, &have); err != nil || have.Max > uint64(value) {
		return value
	}

	return int64(have.Max)
}

// usedBy is the processor time that a process has used; 0 when that cannot be read.
func usedBy(pid int) (used time.Duration) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}

	// The second field is a name in parentheses; user and system time are the 14th and the 15th, in hundredths.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])

	for i := 11; i < min(13, len(fields)); i++ {
		ticks, _ := strconv.ParseInt(string(fields[i]), 10, 64)
		used += time.Duration(ticks) * (10 * time.Millisecond)
	}

	return used
}

// lowerPriority lowers the priority of a process: of each of its threads, since Linux has one for each. New threads inherit it.
func lowerPriority(pid int) {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))

	for _, thread := range threads {
		if id, err := strconv.Atoi(filepath.Base(thread)); err == nil {
			_ = unix.Setpriority(unix.PRIO_PROCESS, id, lowNice) // it may have ended
		}
	}
}
