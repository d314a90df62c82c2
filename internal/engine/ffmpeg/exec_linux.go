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

// attributes puts the child into its own group and makes the kernel kill it when the server dies.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// wait reaps the child. It calls ended once, after the child ended and before it is reaped.
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

// limited wraps a program in a shell that sets the limits and then becomes the program. So the program never runs
// without limits; with prlimit after the start there would be a gap. The script holds only numbers; arguments stay
// arguments.
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

// atMost caps a limit at the server's own hard limit, which cannot be raised.
func atMost(resource int, value int64) int64 {
	var have unix.Rlimit
	if err := unix.Getrlimit(resource, &have); err != nil || have.Max > uint64(value) {
		return value
	}

	return int64(have.Max)
}

// usedBy returns the processor time that a process has used; 0 if it cannot be read.
func usedBy(pid int) (used time.Duration) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}

	// The second field is a name in parentheses; user and system time are fields 14 and 15, in hundredths of a second.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])

	for i := 11; i < min(13, len(fields)); i++ {
		ticks, _ := strconv.ParseInt(string(fields[i]), 10, 64)
		used += time.Duration(ticks) * (10 * time.Millisecond)
	}

	return used
}

// lowerPriority lowers the priority of a process. Linux keeps a priority per thread, so it lowers each; new threads
// inherit it.
func lowerPriority(pid int) {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))

	for _, thread := range threads {
		if id, err := strconv.Atoi(filepath.Base(thread)); err == nil {
			_ = unix.Setpriority(unix.PRIO_PROCESS, id, lowNice) // the thread may have ended
		}
	}
}
