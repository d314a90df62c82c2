package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// sample is what one run took.
type sample struct {
	wall, cpu float64 // seconds
	memory    float64 // peak of all processes together, in megabytes
}

// errKilled means that a process was killed on purpose.
var errKilled = errors.New("killed")

// timed runs a program and measures it together with the programs that it starts. It returns errKilled if the program
// was killed.
func timed(ctx context.Context, name string, args ...string) (sample, error) {
	var said bytes.Buffer

	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}

	began := time.Now()

	if err := cmd.Start(); err != nil {
		return sample{}, fmt.Errorf("start %s: %w", name, err)
	}

	ended := make(chan struct{})
	peak := make(chan float64, 1)

	go func() { peak <- watchMemory(cmd.Process.Pid, ended) }()

	err := cmd.Wait()

	close(ended)

	took := sample{wall: time.Since(began).Seconds(), memory: <-peak}
	if used, isRusage := cmd.ProcessState.SysUsage().(*syscall.Rusage); isRusage {
		took.cpu = time.Duration(used.Utime.Nano() + used.Stime.Nano()).Seconds()
	}

	if status, isUnix := cmd.ProcessState.Sys().(syscall.WaitStatus); isUnix && status.Signal() == syscall.SIGKILL && ctx.Err() == nil {
		return took, errKilled
	}

	if err != nil {
		return took, fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, said.Bytes())
	}

	return took, nil
}

// watchMemory returns the peak memory in megabytes of a process and its descendants together. Shared pages count for
// each process.
func watchMemory(pid int, ended <-chan struct{}) float64 {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()

	var most float64

	for {
		select {
		case <-ended:
			return most
		case <-tick.C:
			most = max(most, memoryOf(pid))
		}
	}
}

func memoryOf(pid int) float64 {
	pages := 0

	if fields := strings.Fields(read(fmt.Sprintf("/proc/%d/statm", pid))); len(fields) > 1 {
		pages, _ = strconv.Atoi(fields[1])
	}

	total := float64(pages*os.Getpagesize()) / 1e6

	threads, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	for _, thread := range threads {
		for child := range strings.FieldsSeq(read(fmt.Sprintf("/proc/%d/task/%s/children", pid, thread.Name()))) {
			if below, err := strconv.Atoi(child); err == nil {
				total += memoryOf(below)
			}
		}
	}

	return total
}

// read returns a file's content, or nothing if the process has ended.
func read(path string) string {
	content, _ := os.ReadFile(path)

	return string(content)
}
