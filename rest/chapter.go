package rest

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
)

type chapter struct {
	Title            string  `json:"title"`
	Description      string  `json:"description"`
	TimestampSeconds float64 `json:"timestampSeconds"`
}

type chaptersOut struct {
	Chapters []chapter `json:"chapters"`
}

func chaptersOutOf(all []*model.Chapter) chaptersOut {
	return chaptersOut{Chapters: each(all, func(c *model.Chapter) chapter {
		return chapter{Title: c.Title, Description: c.Description, TimestampSeconds: c.TimestampSeconds()}
	})}
}

func listChapters(ctx context.Context, g Graph, in videoPath) (chaptersOut, error) {
	v, err := g.Query().Video(asking(ctx, selection.Fields("id", "chapters")), in.ID)
	if err != nil {
		return chaptersOut{}, err
	}

	all, err := g.Video().Chapters(ctx, v)

	return chaptersOutOf(all), err
}

type replaceChaptersIn struct {
	videoPath

	Body model.ReplaceChaptersInput `body:"json"`
}

func replaceChapters(ctx context.Context, g Graph, in replaceChaptersIn) (chaptersOut, error) {
	replaced, err := g.Mutation().ReplaceChapters(ctx, in.ID, in.Body, nil)
	if err != nil {
		return chaptersOut{}, err
	}

	return chaptersOutOf(replaced.Chapters), nil
}
