package workers_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/workers"
)

// Operators see every queue that a process works, also while it has no jobs.
func TestQueueNames(t *testing.T) {
	t.Parallel()

	worked, err := workers.Queues(nil)
	require.NoError(t, err)
	require.Equal(t, slices.Sorted(maps.Keys(worked)), jobs.QueueNames())
}
