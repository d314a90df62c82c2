package rendering

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// Main runs the tests of a package and fails if they leave goroutines or programs behind. It returns the exit status.
func Main(m *testing.M) int {
	code := m.Run()

	if err := goleak.Find(); err != nil {
		fmt.Fprintln(os.Stderr, err)

		code = 1
	}

	if left := Children(os.Getpid()); len(left) > 0 {
		fmt.Fprintln(os.Stderr, "children left after all tests:", left)

		code = 1
	}

	return code
}

// Children returns the child processes of pid, including zombies.
func Children(pid int) []string {
	var all []string

	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		stat, err := os.ReadFile(path)
		if err != nil {
			continue
		}

		_, rest, _ := strings.Cut(string(stat), ") ")
		if f := strings.Fields(rest); len(f) > 1 && f[1] == strconv.Itoa(pid) {
			all = append(all, string(stat))
		}
	}

	return all
}
