package rest

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

type searchVideosIn struct {
	model.SearchQuery

	Cursor *string `query:"cursor" check:"chars=1..2048"`
	Limit  int     `query:"limit" check:"min=1,max=100" default:"20"`
}

type searchOut struct {
	Pagination pagination     `json:"pagination"`
	Results    []searchResult `json:"results"`
}

type searchResult struct {
	Video        videoListItem   `json:"video"`
	MatchedIn    values.SearchIn `json:"matchedIn"`
	Snippet      string          `json:"snippet"`
	StartSeconds *float64        `json:"startSeconds,omitempty"`
	EndSeconds   *float64        `json:"endSeconds,omitempty"`
}

func searchVideos(ctx context.Context, g Graph, in searchVideosIn) (searchOut, error) {
	fields := selection.Page(selection.Tree{}.Under("video", selection.Fields(itemFields...)))

	page, err := g.Query().SearchVideos(asking(ctx, fields), in.Query, in.SearchIn, in.Limit, in.Cursor)
	if err != nil {
		return searchOut{}, err
	}

	results, err := shapes(ctx, g, page.Nodes, searchResultOf)

	return searchOut{Pagination: paginationOf(page.PageInfo), Results: results}, err
}

func searchResultOf(ctx context.Context, g Graph, found *model.SearchResult) (searchResult, error) {
	item, err := videoListItemOf(ctx, g, found.Video)

	return searchResult{
		Video: item, MatchedIn: found.MatchedIn, Snippet: found.Snippet,
		StartSeconds: found.StartSeconds(), EndSeconds: found.EndSeconds(),
	}, err
}
