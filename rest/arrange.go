package rest

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/rest/shape"
)

type addClipIn struct {
	videoPath

	Body model.AddClipInput `body:"json"`
}

func addClip(ctx context.Context, g Graph, in addClipIn) (shape.ClipOut, error) {
	made, err := g.Mutation().AddClip(ctx, in.ID, in.Body, nil)
	if err != nil {
		return shape.ClipOut{}, err
	}

	return shape.ClipOutOf(ctx, g, made.Clip, made.Video)
}

func deleteClip(ctx context.Context, g Graph, in clipPath) (shape.Ok, error) {
	_, err := g.Mutation().DeleteClip(in.within(ctx), in.ClipID, nil)

	return shape.Done(), err
}

type duplicateClipIn struct {
	clipPath

	Body model.DuplicateClipInput `body:"json"`
}

func duplicateClip(ctx context.Context, g Graph, in duplicateClipIn) (shape.ClipOut, error) {
	made, err := g.Mutation().DuplicateClip(in.within(ctx), in.ClipID, &in.Body, nil)
	if err != nil {
		return shape.ClipOut{}, err
	}

	return shape.ClipOutOf(ctx, g, made.Clip, made.Video)
}

type reorderClipIn struct {
	clipPath

	Body model.ReorderClipInput `body:"json"`
}

func reorderClip(ctx context.Context, g Graph, in reorderClipIn) (shape.ClipOut, error) {
	moved, err := g.Mutation().ReorderClip(in.within(ctx), in.ClipID, in.Body, nil)
	if err != nil {
		return shape.ClipOut{}, err
	}

	return shape.ClipOutOf(ctx, g, moved.Clip, moved.Video)
}

func listClipSources(ctx context.Context, g Graph, in clipPath) (shape.ClipSourcesOut, error) {
	c, err := g.Query().Clip(in.within(ctx), in.ClipID)
	if err != nil {
		return shape.ClipSourcesOut{}, err
	}

	tracks, err := g.Clip().Tracks(ctx, c)
	if err != nil {
		return shape.ClipSourcesOut{}, err
	}

	sources, err := shape.Shapes(ctx, g, tracks, shape.ClipSourceOf)

	return shape.ClipSourcesOut{Sources: sources}, err
}

type listMouseEventsIn struct {
	clipPath
	model.MouseWindow

	Types []string `query:"types" check:"items=1..1" each:"oneof=clicks"`
}

func listMouseEvents(ctx context.Context, g Graph, in listMouseEventsIn) (shape.MouseEventsOut, error) {
	c, err := g.Query().Clip(in.within(ctx), in.ClipID)
	if err != nil {
		return shape.MouseEventsOut{}, err
	}

	events, err := g.Clip().MouseEvents(ctx, c, in.StartTimeMs, in.EndTimeMs, in.IntervalMs, len(in.Types) > 0)

	return shape.MouseEventsOut{MouseEvents: events}, err
}
