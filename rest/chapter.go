package rest

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/rest/shape"
)

func listChapters(ctx context.Context, g Graph, in videoPath) (shape.ChaptersOut, error) {
	v, err := g.Query().Video(asking(ctx, selection.Fields("id", "chapters")), in.ID)
	if err != nil {
		return shape.ChaptersOut{}, err
	}

	all, err := g.Video().Chapters(ctx, v)

	return shape.ChaptersOutOf(all), err
}

type replaceChaptersIn struct {
	videoPath

	Body model.ReplaceChaptersInput `body:"json"`
}

func replaceChapters(ctx context.Context, g Graph, in replaceChaptersIn) (shape.ChaptersOut, error) {
	replaced, err := g.Mutation().ReplaceChapters(ctx, in.ID, in.Body, nil)
	if err != nil {
		return shape.ChaptersOut{}, err
	}

	return shape.ChaptersOutOf(replaced.Chapters), nil
}
