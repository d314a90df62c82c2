// Package memory sets the garbage collector as a server wants it.
package memory

import (
	"math"
	"runtime/debug"
)

const (
	usualPercent  = 100
	serverPercent = 400
	limit         = 2 << 30

	// unused is never touched, and so takes no memory, but counts as heap. What lives in the heap of a server is a
	// few megabytes: by its measure alone the collector would run several times a second under load, for a twelfth of
	// the processor time. With it, the heap may grow by 96 MiB more.
	unused = 24 << 20
)

// ballast is reachable as long as the process lives.
var ballast []byte //nolint:gochecknoglobals,unused // reachable is all it must be

// Tune trades memory for throughput, unless the operator has said something else about it by GOGC or GOMEMLIMIT.
func Tune() {
	if before := debug.SetGCPercent(serverPercent); before != usualPercent {
		debug.SetGCPercent(before)

		return
	}

	if debug.SetMemoryLimit(-1) == math.MaxInt64 { // against a limit, what is unused counts too
		debug.SetMemoryLimit(limit)

		ballast = make([]byte, unused)
	}
}
