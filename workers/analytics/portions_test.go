package analytics

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Whoever reports waits for a hundred sessions at most, and for one that holds much: it is by itself.
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
