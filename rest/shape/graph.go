package shape

import (
	"github.com/reelgraph/reelgraph/graph/exec"
)

// Graph is what shapes and operations ask: the generated resolver interfaces, and nothing below them.
type Graph = exec.ResolverRoot
