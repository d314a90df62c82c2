package rest

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/values"
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

type analytics struct {
	Summary       analyticsSummary          `json:"summary"`
	ViewsOverTime []analyticsDay            `json:"viewsOverTime"`
	Retention     []analyticsRetentionPoint `json:"retention"`
	Geography     []analyticsGeoPoint       `json:"geography"`
	Referrers     []analyticsReferrerPoint  `json:"referrers"`
}

type workspaceAnalytics struct {
	analytics

	TopVideos  []analyticsVideo `json:"topVideos"`
	Pagination pagination       `json:"pagination"`
}

type analyticsSummary struct {
	AvgPercentViewed        Optional[float64] `json:"avgPercentViewed"`
	PageOpens               int64             `json:"pageOpens"`
	TotalViews              int64             `json:"totalViews"`
	TotalWatchTimeSeconds   float64           `json:"totalWatchTimeSeconds"`
	UniqueSessions          int64             `json:"uniqueSessions"`
	Completions             int64             `json:"completions"`
	AverageWatchTimeSeconds float64           `json:"averageWatchTimeSeconds"`
}

type analyticsDay struct {
	Date             string  `json:"date"`
	Views            int64   `json:"views"`
	UniqueSessions   int64   `json:"uniqueSessions"`
	WatchTimeSeconds float64 `json:"watchTimeSeconds"`
}

type analyticsRetentionPoint struct {
	Percent       int   `json:"percent"`
	WatchCount    int64 `json:"watchCount"`
	UniqueViewers int64 `json:"uniqueViewers"`
}

type analyticsGeoPoint struct {
	Country        Optional[string] `json:"country"`
	Views          int64            `json:"views"`
	UniqueSessions int64            `json:"uniqueSessions"`
}

type analyticsReferrerPoint struct {
	ReferrerDomain Optional[string] `json:"referrerDomain"`
	Views          int64            `json:"views"`
	UniqueSessions int64            `json:"uniqueSessions"`
}

type analyticsVideo struct {
	VideoID          string  `json:"videoId"`
	Name             string  `json:"name"`
	Views            int64   `json:"views"`
	UniqueSessions   int64   `json:"uniqueSessions"`
	WatchTimeSeconds float64 `json:"watchTimeSeconds"`
}

func getVideoAnalytics(ctx context.Context, g Graph, in videoAnalyticsIn) (analytics, error) {
	q := in.AnalyticsQuery

	found, err := g.Query().VideoAnalytics(ctx, in.ID, q.StartDate, q.EndDate, q.Timezone)
	if err != nil {
		return analytics{}, err
	}

	return analyticsOf(ctx, found)
}

func getWorkspaceAnalytics(ctx context.Context, g Graph, in workspaceAnalyticsIn) (workspaceAnalytics, error) {
	q := in.AnalyticsQuery

	found, err := g.Query().WorkspaceAnalytics(ctx, in.Scope, q.StartDate, q.EndDate, q.Timezone)
	if err != nil {
		return workspaceAnalytics{}, err
	}

	page, err := g.WorkspaceAnalytics().TopVideos(ctx, found, in.Limit, in.Cursor)
	if err != nil {
		return workspaceAnalytics{}, err
	}

	all, err := analyticsOf(ctx, &found.VideoAnalytics)

	return workspaceAnalytics{
		analytics:  all,
		TopVideos:  each(page.Nodes, func(v *model.AnalyticsVideo) analyticsVideo { return analyticsVideo(*v) }),
		Pagination: paginationOf(page.PageInfo),
	}, err
}

func analyticsOf(ctx context.Context, a *model.VideoAnalytics) (out analytics, err error) {
	summary, err := a.Summary(ctx)
	if err != nil {
		return out, err
	}

	days, err := a.ViewsOverTime(ctx)
	if err != nil {
		return out, err
	}

	retention, err := a.Retention(ctx)
	if err != nil {
		return out, err
	}

	geography, err := a.Geography(ctx)
	if err != nil {
		return out, err
	}

	referrers, err := a.Referrers(ctx)

	return analytics{
		Summary: analyticsSummary{
			AvgPercentViewed: SomeOrNull(summary.AveragePercentViewed),
			PageOpens:        summary.PageOpens, TotalViews: summary.TotalViews, TotalWatchTimeSeconds: summary.TotalWatchTimeSeconds,
			UniqueSessions: summary.UniqueSessions, Completions: summary.Completions,
			AverageWatchTimeSeconds: summary.AverageWatchTimeSeconds,
		},
		ViewsOverTime: each(days, func(d *model.AnalyticsDay) analyticsDay { return analyticsDay(*d) }),
		Retention:     each(retention, func(p *model.AnalyticsRetentionPoint) analyticsRetentionPoint { return analyticsRetentionPoint(*p) }),
		Geography: each(geography, func(p *model.AnalyticsGeoPoint) analyticsGeoPoint {
			return analyticsGeoPoint{SomeOrNull(p.Country), p.Views, p.UniqueSessions}
		}),
		Referrers: each(referrers, func(p *model.AnalyticsReferrerPoint) analyticsReferrerPoint {
			return analyticsReferrerPoint{SomeOrNull(p.ReferrerDomain), p.Views, p.UniqueSessions}
		}),
	}, err
}
