package model

import (
	"context"
	"slices"
	"time"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/analytics/calendar"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// MaxDays is the maximum number of days in a date range that has both a start and an end.
const MaxDays = 3660

// AnalyticsQuery selects a range of days for view figures, and the time zone in which days start.
type AnalyticsQuery struct {
	StartDate *string `json:"startDate" query:"startDate"`
	EndDate   *string `json:"endDate" query:"endDate"`
	Timezone  string  `json:"timezone" query:"timezone" default:"UTC"`
}

// Check implements input.Checker.
func (q *AnalyticsQuery) Check() []fault.Field {
	start, badStart := dayAt("startDate", q.StartDate)
	end, badEnd := dayAt("endDate", q.EndDate)
	faults := slices.Concat(badStart, badEnd)

	if _, known := calendar.Zone(q.Timezone); !known {
		faults = append(faults, fault.Field{
			Path: "timezone", Rule: "must be the IANA name of a time zone, such as Europe/Paris", Of: []string{"timezone"},
		})
	}

	if q.StartDate == nil || q.EndDate == nil || len(badStart)+len(badEnd) > 0 {
		return faults
	}

	switch days := end.Sub(start).Hours()/24 + 1; {
	case days < 1:
		faults = append(faults, fault.Field{Path: "endDate", Rule: "must not be before startDate", Of: []string{"startDate", "endDate"}})
	case days > MaxDays:
		faults = append(faults, fault.Field{
			Path: "endDate", Rule: "must be at most 3660 days after startDate", Of: []string{"startDate", "endDate"},
		})
	}

	return faults
}

func dayAt(path string, text *string) (time.Time, []fault.Field) {
	if text == nil {
		return time.Time{}, nil
	}

	day, err := time.Parse(time.DateOnly, *text)
	if err != nil {
		return day, []fault.Field{{Path: path, Rule: "must be a day such as 2026-01-31", Of: []string{path}}}
	}

	return day, nil
}

// Figures reads view figures. Figures are read only when their method is called.
type Figures interface {
	Summary(ctx context.Context) (*AnalyticsSummary, error)
	ViewsOverTime(ctx context.Context) ([]*AnalyticsDay, error)
	Retention(ctx context.Context) ([]*AnalyticsRetentionPoint, error)
	Geography(ctx context.Context) ([]*AnalyticsGeoPoint, error)
	Referrers(ctx context.Context) ([]*AnalyticsReferrerPoint, error)
	TopVideos(ctx context.Context, first int, after *string) (*AnalyticsVideoConnection, error)
}

// VideoAnalytics holds the figures of a video.
type VideoAnalytics struct{ Of Figures }

// Summary returns the totals of the date range. Each method of VideoAnalytics resolves the GraphQL field of the same
// name.
func (a *VideoAnalytics) Summary(ctx context.Context) (*AnalyticsSummary, error) {
	return a.Of.Summary(ctx)
}

// ViewsOverTime returns the figures of each day.
func (a *VideoAnalytics) ViewsOverTime(ctx context.Context) ([]*AnalyticsDay, error) {
	return a.Of.ViewsOverTime(ctx)
}

// Retention returns how many times each percent of the video was watched.
func (a *VideoAnalytics) Retention(ctx context.Context) ([]*AnalyticsRetentionPoint, error) {
	return a.Of.Retention(ctx)
}

// Geography returns the countries of the viewers.
func (a *VideoAnalytics) Geography(ctx context.Context) ([]*AnalyticsGeoPoint, error) {
	return a.Of.Geography(ctx)
}

// Referrers returns the domains that viewers came from.
func (a *VideoAnalytics) Referrers(ctx context.Context) ([]*AnalyticsReferrerPoint, error) {
	return a.Of.Referrers(ctx)
}

// WorkspaceAnalytics holds the figures of many videos.
type WorkspaceAnalytics struct{ VideoAnalytics }

// AnalyticsSummary holds the totals of a range.
type AnalyticsSummary struct {
	AveragePercentViewed    *float64
	PageOpens               int64
	TotalViews              int64
	TotalWatchTimeSeconds   float64
	UniqueSessions          int64
	Completions             int64
	AverageWatchTimeSeconds float64
}

// AnalyticsDay holds the figures of one day.
type AnalyticsDay struct {
	Date             string
	Views            int64
	UniqueSessions   int64
	WatchTimeSeconds float64
}

// AnalyticsRetentionPoint holds how many times one percent of a video was watched.
type AnalyticsRetentionPoint struct {
	Percent       int
	WatchCount    int64
	UniqueViewers int64
}

// AnalyticsGeoPoint holds the figures of one country.
type AnalyticsGeoPoint struct {
	Country        *string
	Views          int64
	UniqueSessions int64
}

// AnalyticsReferrerPoint holds the figures of one referring domain.
type AnalyticsReferrerPoint struct {
	ReferrerDomain *string
	Views          int64
	UniqueSessions int64
}

// AnalyticsVideo is a video in the list of the most viewed videos.
type AnalyticsVideo struct {
	VideoID          string
	Video            *ent.Video // nil unless it is selected and there
	Name             string
	Views            int64
	UniqueSessions   int64
	WatchTimeSeconds float64
}

// The connection of videos by views.
type (
	// AnalyticsVideoConnection is a page of videos by views.
	AnalyticsVideoConnection = Connection[*AnalyticsVideo]
	// AnalyticsVideoEdge is a video in such a page.
	AnalyticsVideoEdge = Edge[*AnalyticsVideo]
)
