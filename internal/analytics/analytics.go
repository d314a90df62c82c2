package analytics

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/analytics/calendar"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// figures computes the analytics of some videos over some days. Each part is one statement over the sums.
type figures struct {
	*Service

	who    auth.Viewer
	period period
	// the only video; empty for all videos of the scope
	video string
	scope values.AnalyticsScope
	// edges are read once, by the part that needs them first.
	edges func() (edges, error)
}

// figuresOf returns the figures of a video or of a scope.
func (s *Service) figuresOf(ctx context.Context, who auth.Viewer, p period, video string, scope values.AnalyticsScope) figures {
	f := figures{Service: s, who: who, period: p, video: video, scope: scope}
	f.edges = sync.OnceValues(func() (edges, error) { return f.readEdges(ctx) })

	return f
}

// period is a range of days in a time zone. A nil first or last leaves that side open.
type period struct {
	first, last *time.Time // midnights in UTC
	zone        *time.Location
}

// periodOf converts a validated query into a period.
func periodOf(q model.AnalyticsQuery) (period, error) {
	zone, known := calendar.Zone(q.Timezone)
	if !known {
		return period{}, fmt.Errorf("time zone %q is unknown", q.Timezone) // already validated
	}

	return period{dayOf(q.StartDate), dayOf(q.EndDate), zone}, nil
}

// dayOf converts a validated day, or returns nil.
func dayOf(text *string) *time.Time {
	if text == nil {
		return nil
	}

	day, _ := time.Parse(time.DateOnly, *text)

	return &day
}

// from returns the start of the range. It returns zero and false when the range is open there.
func (p period) from() (time.Time, bool) {
	if p.first == nil {
		return time.Time{}, false
	}

	return calendar.Begin(*p.first, p.zone), true
}

// until returns the end of the range. It returns zero and false when the range is open there.
func (p period) until() (time.Time, bool) {
	if p.last == nil {
		return time.Time{}, false
	}

	return calendar.Begin(p.last.AddDate(0, 0, 1), p.zone), true
}

// begin returns the instant at which a day begins.
func (p period) begin(day time.Time) time.Time { return calendar.Begin(day, p.zone) }

// days returns the days of the range. An open range begins on the day of the first event and ends today. A range with
// one open end has the same maximum length as one with two given ends.
func (p period) days(first time.Time, found bool, now time.Time) ([]time.Time, error) {
	begin, end := optional.Deref(p.first), optional.Deref(p.last)

	if p.first == nil {
		if !found {
			return nil, nil
		}

		begin = calendar.Of(first, p.zone)
	}

	if p.last == nil {
		end = calendar.Of(now, p.zone)
	}

	if given := p.first != nil || p.last != nil; given && end.After(begin.AddDate(0, 0, model.MaxDays-1)) {
		return nil, fault.Invalid([]fault.Field{{
			Path: "endDate", Rule: "and startDate must be at most 3660 days apart; a missing date counts as the first event or as today",
			Of: []string{"startDate", "endDate"},
		}})
	}

	return calendar.Days(begin, end), nil
}

// name identifies the figures in cursors.
func (f figures) name() string {
	return strings.Join([]string{
		"top videos", f.who.WorkspaceID, f.who.UserID, string(f.scope), f.period.zone.String(),
		optional.Deref(f.period.first).Format(time.DateOnly), optional.Deref(f.period.last).Format(time.DateOnly),
	}, "|")
}

// VideoAnalytics returns the view figures of a video. The video's editors may read the figures. If the video is
// visible to the organization, all members may read them.
func (s *Service) VideoAnalytics(ctx context.Context, id string, asked model.AnalyticsQuery) (*model.VideoAnalytics, error) {
	if err := input.Validate(&asked); err != nil {
		return nil, err
	}

	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	v, err := s.Listing.Rights().ReadableVideo(ctx, id, selection.Tree{})
	if err != nil {
		return nil, err
	}

	if v.Visibility != values.VisibilityOrg {
		may, err := s.Listing.Rights().MayEdit(ctx, who, v)
		if err != nil {
			return nil, err
		}

		if !may {
			return nil, fault.Forbidden("You may watch this video but not see its view figures: only its editors may see them.")
		}
	}

	p, err := periodOf(asked)

	return &model.VideoAnalytics{Of: s.figuresOf(ctx, who, p, v.ID, "")}, err
}

// WorkspaceAnalytics returns the view figures of all videos in a scope.
func (s *Service) WorkspaceAnalytics(
	ctx context.Context, scope values.AnalyticsScope, asked model.AnalyticsQuery,
) (*model.WorkspaceAnalytics, error) {
	if err := input.Validate(&asked); err != nil {
		return nil, err
	}

	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	p, err := periodOf(asked)

	return &model.WorkspaceAnalytics{
		VideoAnalytics: model.VideoAnalytics{Of: s.figuresOf(ctx, who, p, "", scope)},
	}, err
}
