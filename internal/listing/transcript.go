package listing

import (
	"context"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/transcripts"
)

// RefuseMoreWords answers conflict when a video has more words by now than it may have. What the caller
// has of them is not read again.
func (svc Words) RefuseMoreWords(ctx context.Context, videoID string, has ...*ent.Transcript) error {
	problem, err := transcripts.Overfull(ctx, svc.Store, videoID, has...)
	if err != nil || problem == "" {
		return err //nolint:wrapcheck // it says what it did
	}

	return fault.Conflict(problem)
}
