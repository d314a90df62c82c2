package server

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/graph/exec"
)

// TestWhatIsKeptOfDocumentsIsBounded: any number of different documents must not fill the memory.
func TestWhatIsKeptOfDocumentsIsBounded(t *testing.T) { //nolint:paralleltest // it measures the heap
	s := New(exec.NewExecutableSchema(exec.Config{}), Options{})
	heap := func() int64 {
		runtime.GC()

		var m runtime.MemStats

		runtime.ReadMemStats(&m)

		return int64(m.HeapAlloc)
	}

	before := heap()

	for n := range 20_000 {
		_, err := s.document(&request{Query: fmt.Sprintf(`{ a%d: video(id: "vid") { name } }`, n)})
		require.NoError(t, err)
	}

	require.Less(t, heap()-before, int64(10<<20))
	runtime.KeepAlive(s)
}
