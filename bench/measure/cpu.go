package measure

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"
)

// tick is the unit in which Linux counts processor time: 1/100 s on every system that Go runs on.
const tick = 10 * time.Millisecond

// CPU returns the processor time that a process has used. It returns zero on systems without Linux's /proc.
func CPU(pid int) (time.Duration, error) {
	own, _, err := read(pid)

	return own, err
}

// FamilyCPU returns the processor time of a process and all its children, including those that have ended.
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

// read returns the processor time of a process, and of its children that have ended. For a process that has ended it
// returns zero.
func read(pid int) (own, ended time.Duration, err error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, 0, nil //nolint:nilerr // the process has ended, or there is no /proc
	}

	// The second field is a name in parentheses, which may contain anything. User and system time are fields 14 and 15,
	// those of waited-for children 16 and 17.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 15 {
		return 0, 0, fmt.Errorf("processor time of %d: unexpected format: %.200s", pid, stat)
	}

	var ticks [4]int64
	for i := range ticks {
		if ticks[i], err = strconv.ParseInt(string(fields[11+i]), 10, 64); err != nil {
			return 0, 0, fmt.Errorf("processor time of %d: %w", pid, err)
		}
	}

	return time.Duration(ticks[0]+ticks[1]) * tick, time.Duration(ticks[2]+ticks[3]) * tick, nil
}
