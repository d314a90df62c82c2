package shape

import (
	"github.com/reelgraph/reelgraph/graph/exec"
)

// Graph is the set of generated resolver interfaces that shapes and operations call.
type Graph = exec.ResolverRoot
