package rest

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/rest/shape"
)

type searchVideosIn struct {
	model.SearchQuery

	Cursor *string `query:"cursor" check:"chars=1..2048"`
	Limit  int     `query:"limit" check:"min=1,max=100" default:"20"`
}

func searchVideos(ctx context.Context, g Graph, in searchVideosIn) (shape.SearchOut, error) {
	fields := selection.Page(selection.Tree{}.Under("video", selection.Fields(shape.ItemFields...)))

	page, err := g.Query().SearchVideos(asking(ctx, fields), in.Query, in.SearchIn, in.Limit, in.Cursor, nil)
	if err != nil {
		return shape.SearchOut{}, err
	}

	results, err := shape.Shapes(ctx, g, page.Nodes, shape.SearchResultOf)

	return shape.SearchOut{Pagination: shape.PaginationOf(page.PageInfo), Results: results}, err
}
