package upload

import (
	"bytes"
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/video/mouse"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// PutPointer stores a file with pointer events, in the same format as uploaded pointer data.
func (svc *Service) PutPointer(ctx context.Context, events []mouse.Event) (File, error) {
	lines, err := mouse.Lines(events)
	if err != nil {
		return File{}, err
	}

	return svc.PutFile(ctx, ".jsonl", bytes.NewReader(lines))
}

// StorePointer creates a ready source from pointer events that PutPointer stored. So pointer data that was sent in a
// request is stored as a source, like uploaded pointer data.
func (svc *Service) StorePointer(ctx context.Context, userID string, put File, events []mouse.Event) (*ent.Source, error) {
	made, err := svc.SourceOf(ctx, put).SetUserID(userID).SetKind(values.SourceKindMouse).
		SetContentType("application/jsonl").SetDurationMs(events[len(events)-1].TimeMs).Save(ctx)
	if err != nil {
		return nil, fmt.Errorf("create mouse source: %w", err)
	}

	return made, nil
}
