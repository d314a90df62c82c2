package rest

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

type addClipIn struct {
	videoPath

	Body model.AddClipInput `body:"json"`
}

func addClip(ctx context.Context, g Graph, in addClipIn) (clipOut, error) {
	made, err := g.Mutation().AddClip(ctx, in.ID, in.Body, nil)
	if err != nil {
		return clipOut{}, err
	}

	return clipOutOf(ctx, g, made.Clip, made.Video)
}

func deleteClip(ctx context.Context, g Graph, in clipPath) (ok, error) {
	_, err := g.Mutation().DeleteClip(in.within(ctx), in.ClipID, nil)

	return done(), err
}

type duplicateClipIn struct {
	clipPath

	Body model.DuplicateClipInput `body:"json"`
}

func duplicateClip(ctx context.Context, g Graph, in duplicateClipIn) (clipOut, error) {
	made, err := g.Mutation().DuplicateClip(in.within(ctx), in.ClipID, &in.Body, nil)
	if err != nil {
		return clipOut{}, err
	}

	return clipOutOf(ctx, g, made.Clip, made.Video)
}

type reorderClipIn struct {
	clipPath

	Body model.ReorderClipInput `body:"json"`
}

func reorderClip(ctx context.Context, g Graph, in reorderClipIn) (clipOut, error) {
	moved, err := g.Mutation().ReorderClip(in.within(ctx), in.ClipID, in.Body, nil)
	if err != nil {
		return clipOut{}, err
	}

	return clipOutOf(ctx, g, moved.Clip, moved.Video)
}

type clipSourcesOut struct {
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

func listClipSources(ctx context.Context, g Graph, in clipPath) (clipSourcesOut, error) {
	c, err := g.Query().Clip(in.within(ctx), in.ClipID)
	if err != nil {
		return clipSourcesOut{}, err
	}

	tracks, err := g.Clip().Tracks(ctx, c)
	if err != nil {
		return clipSourcesOut{}, err
	}

	sources, err := shapes(ctx, g, tracks, clipSourceOf)

	return clipSourcesOut{Sources: sources}, err
}

func clipSourceOf(ctx context.Context, g Graph, t *model.ClipTrack) (clipSource, error) {
	of, err := sourceOf(ctx, g, t.Source)
	made := clipSource{source: of, OffsetMs: t.OffsetMs, URL: t.URL}

	if t.Medium != values.TrackMediumMouse {
		made.Medium = &t.Medium
	}

	return made, err
}

type listMouseEventsIn struct {
	clipPath
	model.MouseWindow

	Types []string `query:"types" check:"items=1..1" each:"oneof=clicks"`
}

type mouseEventsOut struct {
	MouseEvents []*model.MouseEvent `json:"mouseEvents"`
}

func listMouseEvents(ctx context.Context, g Graph, in listMouseEventsIn) (mouseEventsOut, error) {
	c, err := g.Query().Clip(in.within(ctx), in.ClipID)
	if err != nil {
		return mouseEventsOut{}, err
	}

	events, err := g.Clip().MouseEvents(ctx, c, in.StartTimeMs, in.EndTimeMs, in.IntervalMs, len(in.Types) > 0)

	return mouseEventsOut{MouseEvents: events}, err
}
