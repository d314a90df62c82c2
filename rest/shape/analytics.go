package shape

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
)

// Analytics is the response with the figures of a video.
type Analytics struct {
	Summary       analyticsSummary          `json:"summary"`
	ViewsOverTime []analyticsDay            `json:"viewsOverTime"`
	Retention     []analyticsRetentionPoint `json:"retention"`
	Geography     []analyticsGeoPoint       `json:"geography"`
	Referrers     []analyticsReferrerPoint  `json:"referrers"`
}

// WorkspaceAnalytics is the response with the figures of many videos.
type WorkspaceAnalytics struct {
	Analytics

	TopVideos  []AnalyticsVideo `json:"topVideos"`
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

// AnalyticsVideo is a video in the list of the most viewed videos.
type AnalyticsVideo struct {
	VideoID          string  `json:"videoId"`
	Name             string  `json:"name"`
	Views            int64   `json:"views"`
	UniqueSessions   int64   `json:"uniqueSessions"`
	WatchTimeSeconds float64 `json:"watchTimeSeconds"`
}

// AnalyticsVideoOf returns the response for a video in the list of the most viewed videos.
func AnalyticsVideoOf(v *model.AnalyticsVideo) AnalyticsVideo {
	return AnalyticsVideo{
		VideoID: v.VideoID, Name: v.Name, Views: v.Views, UniqueSessions: v.UniqueSessions, WatchTimeSeconds: v.WatchTimeSeconds,
	}
}

// AnalyticsOf returns the response for the figures of a video.
func AnalyticsOf(ctx context.Context, a *model.VideoAnalytics) (out Analytics, err error) {
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

	return Analytics{
		Summary: analyticsSummary{
			AvgPercentViewed: SomeOrNull(summary.AveragePercentViewed),
			PageOpens:        summary.PageOpens, TotalViews: summary.TotalViews, TotalWatchTimeSeconds: summary.TotalWatchTimeSeconds,
			UniqueSessions: summary.UniqueSessions, Completions: summary.Completions,
			AverageWatchTimeSeconds: summary.AverageWatchTimeSeconds,
		},
		ViewsOverTime: Each(days, func(d *model.AnalyticsDay) analyticsDay { return analyticsDay(*d) }),
		Retention:     Each(retention, func(p *model.AnalyticsRetentionPoint) analyticsRetentionPoint { return analyticsRetentionPoint(*p) }),
		Geography: Each(geography, func(p *model.AnalyticsGeoPoint) analyticsGeoPoint {
			return analyticsGeoPoint{SomeOrNull(p.Country), p.Views, p.UniqueSessions}
		}),
		Referrers: Each(referrers, func(p *model.AnalyticsReferrerPoint) analyticsReferrerPoint {
			return analyticsReferrerPoint{SomeOrNull(p.ReferrerDomain), p.Views, p.UniqueSessions}
		}),
	}, err
}
