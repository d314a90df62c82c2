// Package memory configures the garbage collector for a server.
package memory

import (
	"math"
	"runtime/debug"
)

const (
	usualPercent = 100

	// serverPercent is this high because a server's live heap is a few megabytes: with 400 the collector takes a ninth of the
	// processor time of a list (decision 0085).
	serverPercent = 800

	// limit bounds what a large heap may grow to.
	limit = 2 << 30
)

// Tune makes the garbage collector run less often, which uses more memory and less processor time. It does nothing if
// the operator has set GOGC, and sets no memory limit if the operator has set GOMEMLIMIT.
func Tune() {
	if before := debug.SetGCPercent(serverPercent); before != usualPercent {
		debug.SetGCPercent(before)

		return
	}

	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(limit)
	}
}
