package analytics

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/analytics/calendar"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// figures computes the analytics of some subjects over some days. A subject is a video, or all videos of a scope. Each
// part is one statement over the sums of all subjects, and is read once.
type figures struct {
	*Service

	who      auth.Viewer
	period   period
	subjects []string              // videos, or the one subject of the scope
	scope    values.AnalyticsScope // empty for videos

	edges     func() (map[string]*edges, error) // by subject, like those below
	summary   func() (map[string]*model.AnalyticsSummary, error)
	days      func() (map[string]days, error)
	retention func() (map[string][]*model.AnalyticsRetentionPoint, error)
	countries func() (map[string][]place, error)
	referrers func() (map[string][]place, error)
}

// figuresOf returns the figures of videos, or of a scope if there are none.
func (s *Service) figuresOf(ctx context.Context, who auth.Viewer, p period, scope values.AnalyticsScope, videos ...string) *figures {
	f := &figures{Service: s, who: who, period: p, subjects: videos, scope: scope}

	switch scope {
	case values.AnalyticsScopeMine:
		f.subjects = []string{who.UserID}
	case values.AnalyticsScopeWorkspace:
		f.subjects = []string{who.WorkspaceID}
	}

	f.edges = sync.OnceValues(func() (map[string]*edges, error) { return f.readEdges(ctx) })
	f.summary = sync.OnceValues(func() (map[string]*model.AnalyticsSummary, error) { return f.readSummary(ctx) })
	f.days = sync.OnceValues(func() (map[string]days, error) { return f.readDays(ctx) })
	f.retention = sync.OnceValues(func() (map[string][]*model.AnalyticsRetentionPoint, error) { return f.readRetention(ctx) })
	f.countries = sync.OnceValues(func() (map[string][]place, error) { return f.readPlaces(ctx, Country) })
	f.referrers = sync.OnceValues(func() (map[string][]place, error) { return f.readPlaces(ctx, Referrer) })

	return f
}

// of returns the figures of one subject.
func (f *figures) of(subject string) subjectFigures { return subjectFigures{f, subject} }

// subjectFigures are the figures of one subject. It implements model.Figures.
type subjectFigures struct {
	*figures

	subject string
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
func (f *figures) name() string {
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

	may, err := s.maySee(ctx, who, v)
	if err != nil {
		return nil, err
	}

	if !may {
		return nil, fault.Forbidden("You may watch this video but not see its view figures: only its editors may see them.")
	}

	p, err := periodOf(asked)

	return &model.VideoAnalytics{Of: s.figuresOf(ctx, who, p, "", v.ID).of(v.ID)}, err
}

// maySee reports whether the viewer, who may read the video, may see its figures.
func (s *Service) maySee(ctx context.Context, who auth.Viewer, v *ent.Video) (bool, error) {
	if v.Visibility == values.VisibilityOrg {
		return true, nil
	}

	return s.Listing.Rights().MayEdit(ctx, who, v)
}

// AnalyticsOf returns the view figures of a video that the caller may read, or nil if the caller may not see them. The
// figures of videos that were read together are read together too.
func (s *Service) AnalyticsOf(ctx context.Context, v *ent.Video, asked model.AnalyticsQuery) (*model.VideoAnalytics, error) {
	if err := input.Validate(&asked); err != nil {
		return nil, err
	}

	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	may, err := s.maySee(ctx, who, v)
	if err != nil || !may {
		return nil, err
	}

	p, err := periodOf(asked)
	if err != nil {
		return nil, err
	}

	all := listing.SiblingsOf(v)
	key := [3]string{optional.Deref(asked.StartDate), optional.Deref(asked.EndDate), asked.Timezone}

	return &model.VideoAnalytics{Of: listing.Once(all, key, func() *figures {
		return s.figuresOf(ctx, who, p, "", all.IDs...)
	}).of(v.ID)}, nil
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

	f := s.figuresOf(ctx, who, p, scope)

	return &model.WorkspaceAnalytics{VideoAnalytics: model.VideoAnalytics{Of: f.of(f.subjects[0])}}, err
}
