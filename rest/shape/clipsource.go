package shape

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// ClipSourcesOut is the response with the sources of a clip.
type ClipSourcesOut struct {
	Sources []clipSource `json:"sources"`
}

// clipSource is a source as part of a clip.
type clipSource struct {
	source

	// Medium is absent for pointer data.
	Medium   *values.TrackMedium `json:"medium,omitempty"`
	OffsetMs int64               `json:"offsetMs"`
	URL      *string             `json:"url,omitempty"`
}

// ClipSourceOf converts a source of a clip to its JSON form.
func ClipSourceOf(ctx context.Context, g Graph, t *model.ClipTrack) (clipSource, error) {
	of, err := SourceOf(ctx, g, t.Source)
	made := clipSource{source: of, OffsetMs: t.OffsetMs, URL: t.URL}

	if t.Medium != values.TrackMediumMouse {
		made.Medium = &t.Medium
	}

	return made, err
}

// MouseEventsOut is the response with pointer events.
type MouseEventsOut struct {
	MouseEvents []*model.MouseEvent `json:"mouseEvents"`
}
