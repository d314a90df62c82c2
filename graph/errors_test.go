package graph_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/graph"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// A failing storage is temporary and not the client's fault; a missing file is permanent.
func TestStorageFailuresAreRetryable(t *testing.T) {
	t.Parallel()

	for cause, after := range map[error]time.Duration{blob.ErrUnavailable: time.Second, blob.ErrNoSpace: time.Minute} {
		f := graph.Classify(fmt.Errorf("open file: %w", cause))
		require.Equal(t, fault.UnavailableCode, f.Code, cause)
		require.Equal(t, after, f.RetryAfter, cause)
		require.ErrorIs(t, f, cause)
	}

	require.Equal(t, fault.ServerErrorCode, graph.Classify(blob.ErrNotFound).Code)
}
