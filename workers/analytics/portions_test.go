package analytics

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPortions: a batch has at most a hundred sessions, and a large session gets its own batch.
func TestPortions(t *testing.T) {
	t.Parallel()

	all := make([]waiting, 250)
	for i := range all {
		all[i].events = 10
	}

	all[7].events = rollEvents

	var (
		sizes []int
		again []waiting
	)

	for _, some := range portions(all) {
		sizes = append(sizes, len(some))
		again = append(again, some...)
	}

	require.Equal(t, []int{7, 1, 100, 100, 42}, sizes)
	require.Equal(t, all, again)
	require.Empty(t, portions(nil))
}
