package listing

import (
	"context"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/transcripts"
)

// RefuseMoreWords returns a conflict if a video has more words than allowed. The caller can pass transcripts of the
// video that it has already loaded in has; they are not read again.
func (svc Words) RefuseMoreWords(ctx context.Context, videoID string, has ...*ent.Transcript) error {
	problem, err := transcripts.Overfull(ctx, svc.Store, videoID, has...)
	if err != nil || problem == "" {
		return err //nolint:wrapcheck // already wrapped
	}

	return fault.Conflict(problem)
}
