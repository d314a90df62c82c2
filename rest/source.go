package rest

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/rest/shape"
)

type createSourceIn struct {
	Body createSourceInput `body:"json"`
}

// createSourceInput is the graph's input, except for the name of the length, which is in seconds in both.
type createSourceInput struct {
	model.SourceDeclared

	Duration *float64 `json:"duration" check:"gt=0,max=604800"`
}

func createSource(ctx context.Context, g Graph, in createSourceIn) (shape.CreateSourceOut, error) {
	declared := model.CreateSourceInput{SourceDeclared: in.Body.SourceDeclared, DurationSeconds: in.Body.Duration}

	made, err := g.Mutation().CreateSource(ctx, declared)
	if err != nil {
		return shape.CreateSourceOut{}, err
	}

	return shape.CreateSourceOut{SourceID: made.Source.ID, UploadURL: made.UploadURL, ExpiresAt: shape.DatetimeOf(made.ExpiresAt)}, nil
}

type sourcePath struct {
	SourceID string `path:"sourceId"`
}

func getSource(ctx context.Context, g Graph, in sourcePath) (shape.SourceOut, error) {
	s, err := g.Query().Source(ctx, in.SourceID)
	if err != nil {
		return shape.SourceOut{}, err
	}

	return shape.SourceOutOf(ctx, g, s)
}

type listSourcesIn struct {
	Status []values.SourceStatus `query:"status" check:"items=1..5"`
	Kind   *values.SourceKind    `query:"kind"`
	Cursor *string               `query:"cursor" check:"chars=1..2048"`
	Limit  int                   `query:"limit" check:"min=1,max=100" default:"20"`
}

func listSources(ctx context.Context, g Graph, in listSourcesIn) (shape.SourcesOut, error) {
	page, err := g.Query().Sources(ctx, in.Status, in.Kind, in.Limit, in.Cursor)
	if err != nil {
		return shape.SourcesOut{}, err
	}

	all, err := shape.Shapes(ctx, g, page.Nodes, shape.SourceOf)

	return shape.SourcesOut{Pagination: shape.PaginationOf(page.PageInfo), Sources: all}, err
}

type updateSourceIn struct {
	sourcePath

	Body model.UpdateSourceInput `body:"json"`
}

func updateSource(ctx context.Context, g Graph, in updateSourceIn) (shape.SourceOut, error) {
	changed, err := g.Mutation().UpdateSource(ctx, in.SourceID, in.Body)
	if err != nil {
		return shape.SourceOut{}, err
	}

	return shape.SourceOutOf(ctx, g, changed.Source)
}

func deleteSource(ctx context.Context, g Graph, in sourcePath) (shape.Ok, error) {
	_, err := g.Mutation().DeleteSource(ctx, in.SourceID)

	return shape.Done(), err
}

type completeSourceIn struct {
	sourcePath

	Body model.CompleteSourceInput `body:"json"`
}

func completeSource(ctx context.Context, g Graph, in completeSourceIn) (shape.SourceOut, error) {
	done, err := g.Mutation().CompleteSource(ctx, in.SourceID, &in.Body)
	if err != nil {
		return shape.SourceOut{}, err
	}

	return shape.SourceOutOf(ctx, g, done.Source)
}
