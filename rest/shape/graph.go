package shape

import (
	"github.com/reelgraph/reelgraph/graph/exec"
)

// Graph is the set of resolver interfaces that gqlgen generates. The REST shapes and operations call them.
type Graph = exec.ResolverRoot
