package listing

import (
	"context"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/transcripts"
)

// RefuseMoreWords returns a conflict if a video has more words than allowed. The caller can pass transcripts that it
// has already loaded. RefuseMoreWords does not read these again.
func (svc Words) RefuseMoreWords(ctx context.Context, videoID string, has ...*ent.Transcript) error {
	problem, err := transcripts.Overfull(ctx, svc.Store, videoID, has...)
	if err != nil || problem == "" {
		return err //nolint:wrapcheck // already wrapped
	}

	return fault.Conflict(problem)
}
