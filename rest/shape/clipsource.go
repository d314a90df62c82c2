package shape

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

type ClipSourcesOut struct {
	Sources []clipSource `json:"sources"`
}

// clipSource is a source as a part of a clip.
type clipSource struct {
	source

	// Medium is absent of what the pointer did.
	Medium   *values.TrackMedium `json:"medium,omitempty"`
	OffsetMs int64               `json:"offsetMs"`
	URL      *string             `json:"url,omitempty"`
}

func ClipSourceOf(ctx context.Context, g Graph, t *model.ClipTrack) (clipSource, error) {
	of, err := SourceOf(ctx, g, t.Source)
	made := clipSource{source: of, OffsetMs: t.OffsetMs, URL: t.URL}

	if t.Medium != values.TrackMediumMouse {
		made.Medium = &t.Medium
	}

	return made, err
}

type MouseEventsOut struct {
	MouseEvents []*model.MouseEvent `json:"mouseEvents"`
}
