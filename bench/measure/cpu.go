package measure

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"
)

// tick is what Linux counts processor time in: 100 in a second on every system that Go runs on.
const tick = 10 * time.Millisecond

// CPU is the processor time that a process has used so far. Systems without Linux's /proc answer zero.
func CPU(pid int) (time.Duration, error) {
	own, _, err := read(pid)

	return own, err
}

// FamilyCPU is that of a process and of all its children, also of those that have ended.
func FamilyCPU(pid int) (time.Duration, error) {
	total, ended, err := read(pid)
	if err != nil {
		return 0, err
	}

	total += ended

	children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return 0, fmt.Errorf("children of %d: %w", pid, err)
	}

	for field := range bytes.FieldsSeq(children) {
		child, err := strconv.Atoi(string(field))
		if err != nil {
			return 0, fmt.Errorf("children of %d: %w", pid, err)
		}

		own, _, err := read(child)
		if err != nil {
			return 0, err
		}

		total += own
	}

	return total, nil
}

// read is the processor time of a process, and of those of its children that have ended. A process that has
// ended itself has none.
func read(pid int) (own, ended time.Duration, err error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, 0, nil //nolint:nilerr // it has ended, or there is no /proc
	}

	// The second field is a name in parentheses, which may hold anything; user and system time are the 14th and
	// the 15th, those of children that were waited for the 16th and the 17th.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 15 {
		return 0, 0, fmt.Errorf("processor time of %d: not as expected: %.200s", pid, stat)
	}

	var ticks [4]int64
	for i := range ticks {
		if ticks[i], err = strconv.ParseInt(string(fields[11+i]), 10, 64); err != nil {
			return 0, 0, fmt.Errorf("processor time of %d: %w", pid, err)
		}
	}

	return time.Duration(ticks[0]+ticks[1]) * tick, time.Duration(ticks[2]+ticks[3]) * tick, nil
}
