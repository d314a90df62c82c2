package rest

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/rest/shape"
)

type videoAnalyticsIn struct {
	videoPath `path:""`
	model.AnalyticsQuery
}

type workspaceAnalyticsIn struct {
	model.AnalyticsQuery

	Scope  values.AnalyticsScope `query:"scope" default:"workspace"`
	Cursor *string               `query:"cursor" check:"chars=1..2048"`
	Limit  int                   `query:"limit" check:"min=1,max=100" default:"20"`
}

func getVideoAnalytics(ctx context.Context, g Graph, in videoAnalyticsIn) (shape.Analytics, error) {
	q := in.AnalyticsQuery

	found, err := g.Query().VideoAnalytics(ctx, in.ID, q.StartDate, q.EndDate, q.Timezone)
	if err != nil {
		return shape.Analytics{}, err
	}

	return shape.AnalyticsOf(ctx, found)
}

func getWorkspaceAnalytics(ctx context.Context, g Graph, in workspaceAnalyticsIn) (shape.WorkspaceAnalytics, error) {
	q := in.AnalyticsQuery

	found, err := g.Query().WorkspaceAnalytics(ctx, in.Scope, q.StartDate, q.EndDate, q.Timezone)
	if err != nil {
		return shape.WorkspaceAnalytics{}, err
	}

	page, err := g.WorkspaceAnalytics().TopVideos(ctx, found, in.Limit, in.Cursor)
	if err != nil {
		return shape.WorkspaceAnalytics{}, err
	}

	all, err := shape.AnalyticsOf(ctx, &found.VideoAnalytics)

	return shape.WorkspaceAnalytics{
		Analytics:  all,
		TopVideos:  shape.Each(page.Nodes, shape.AnalyticsVideoOf),
		Pagination: shape.PaginationOf(page.PageInfo),
	}, err
}
