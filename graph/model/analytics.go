package model

import (
	"context"
	"slices"
	"time"

	"github.com/reelgraph/reelgraph/internal/analytics/calendar"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// MaxDays is the longest range of days that its ends name.
const MaxDays = 3660

// AnalyticsQuery says which days figures are of, and in which time zone days begin.
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
			Path: "endDate", Rule: "must be at most 3660 days behind startDate", Of: []string{"startDate", "endDate"},
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

// Figures reads what viewers did. Each part is read when it is asked for.
type Figures interface {
	Summary(ctx context.Context) (*AnalyticsSummary, error)
	ViewsOverTime(ctx context.Context) ([]*AnalyticsDay, error)
	Retention(ctx context.Context) ([]*AnalyticsRetentionPoint, error)
	Geography(ctx context.Context) ([]*AnalyticsGeoPoint, error)
	Referrers(ctx context.Context) ([]*AnalyticsReferrerPoint, error)
	TopVideos(ctx context.Context, first int, after *string) (*AnalyticsVideoConnection, error)
}

// VideoAnalytics are the figures of a video.
type VideoAnalytics struct{ Of Figures }

// Summary implements the field of the graph, as the other methods do theirs.
func (a *VideoAnalytics) Summary(ctx context.Context) (*AnalyticsSummary, error) {
	return a.Of.Summary(ctx)
}

// ViewsOverTime are the days of the range.
func (a *VideoAnalytics) ViewsOverTime(ctx context.Context) ([]*AnalyticsDay, error) {
	return a.Of.ViewsOverTime(ctx)
}

// Retention is how often each slice was watched.
func (a *VideoAnalytics) Retention(ctx context.Context) ([]*AnalyticsRetentionPoint, error) {
	return a.Of.Retention(ctx)
}

// Geography is where viewers are.
func (a *VideoAnalytics) Geography(ctx context.Context) ([]*AnalyticsGeoPoint, error) {
	return a.Of.Geography(ctx)
}

// Referrers are where viewers came from.
func (a *VideoAnalytics) Referrers(ctx context.Context) ([]*AnalyticsReferrerPoint, error) {
	return a.Of.Referrers(ctx)
}

// WorkspaceAnalytics are the figures of many videos.
type WorkspaceAnalytics struct{ VideoAnalytics }

// AnalyticsSummary is a range in one line.
type AnalyticsSummary struct {
	AveragePercentViewed    *float64
	PageOpens               int64
	TotalViews              int64
	TotalWatchTimeSeconds   float64
	UniqueSessions          int64
	Completions             int64
	AverageWatchTimeSeconds float64
}

// AnalyticsDay is a day of a range.
type AnalyticsDay struct {
	Date             string
	Views            int64
	UniqueSessions   int64
	WatchTimeSeconds float64
}

// AnalyticsRetentionPoint is a percent of a video.
type AnalyticsRetentionPoint struct {
	Percent       int
	WatchCount    int64
	UniqueViewers int64
}

// AnalyticsGeoPoint is a country.
type AnalyticsGeoPoint struct {
	Country        *string
	Views          int64
	UniqueSessions int64
}

// AnalyticsReferrerPoint is a domain that led to videos.
type AnalyticsReferrerPoint struct {
	ReferrerDomain *string
	Views          int64
	UniqueSessions int64
}

// AnalyticsVideo is a video in the list of the most viewed.
type AnalyticsVideo struct {
	VideoID          string
	Name             string
	Views            int64
	UniqueSessions   int64
	WatchTimeSeconds float64
}

// The connection of videos by views.
type (
	// AnalyticsVideoConnection is a page of videos by views.
	AnalyticsVideoConnection = Connection[*AnalyticsVideo]
	// AnalyticsVideoEdge is a video in a page.
	AnalyticsVideoEdge = Edge[*AnalyticsVideo]
)
