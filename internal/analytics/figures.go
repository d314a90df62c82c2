package analytics

import (
	"context"
	stdsql "database/sql"
	"fmt"
	"math"
	"math/big"
	"strings"
	"time"

	"github.com/lib/pq"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// instant formats a time for Postgres, including times before the year 1 and zones with second offsets.
func instant(at time.Time) string { return string(pq.FormatTimestamp(at)) }

// maxPlaces is the maximum number of countries and referrers in a result.
const maxPlaces = 1000

// statement is a query over the sums. Its first parameter is the workspace.
type statement struct {
	text string
	args []any
}

func (f figures) statement() *statement { return &statement{args: []any{f.who.WorkspaceID}} }

// arg adds a parameter and returns its placeholder.
func (s *statement) arg(value any) string {
	s.args = append(s.args, value)

	return fmt.Sprintf("$%d", len(s.args))
}

// subject returns whose sums are read.
func (f figures) subject() string {
	switch {
	case f.video != "":
		return f.video
	case f.scope == values.AnalyticsScopeMine:
		return f.who.UserID
	default:
		return f.who.WorkspaceID
	}
}

// videos returns the condition that a video is one of those requested.
func (f figures) videos(s *statement, id string) string {
	switch {
	case f.video != "":
		return id + " = " + s.arg(f.video)
	case f.scope == values.AnalyticsScopeMine:
		return id + " IN (SELECT id FROM videos WHERE workspace_id = $1 AND trashed_at IS NULL AND user_id = " + s.arg(f.who.UserID) + ")"
	default:
		return id + " IN (SELECT id FROM videos WHERE workspace_id = $1 AND trashed_at IS NULL AND visibility = " + s.arg(string(values.VisibilityOrg)) + ")"
	}
}

// within returns the UNION of one statement for each part of the range. Each statement consists of the given text and
// the condition that selects the part.
func (f figures) within(s *statement, what string) string {
	from, _ := f.period.from()
	until, _ := f.period.until()

	var parts []string

	for _, t := range Cover(from, until) {
		part := fmt.Sprintf("%s AND level = %d", what, t.Level)

		if !t.From.IsZero() {
			part += " AND at >= " + s.arg(t.From)
		}

		if !t.Until.IsZero() {
			part += " AND at < " + s.arg(t.Until)
		}

		parts = append(parts, part)
	}

	return strings.Join(parts, " UNION ALL ")
}

// sums applies within to a table of sums of the subject.
func (f figures) sums(s *statement, what, table string) string {
	return f.within(s, fmt.Sprintf("SELECT %s FROM %s WHERE workspace_id = $1 AND subject = %s", what, table, s.arg(f.subject())))
}

func (f figures) read(ctx context.Context, what string, s *statement, scan func(*stdsql.Rows) error) error {
	if err := f.Store.Query(ctx, scan, s.text, s.args...); err != nil {
		return fmt.Errorf("read %s: %w", what, err)
	}

	return nil
}

// Summary implements model.Figures, like the methods below.
func (f figures) Summary(ctx context.Context) (*model.AnalyticsSummary, error) {
	var (
		sum       model.AnalyticsSummary
		watchedMs int64
		began     Tally
		share     string
	)

	edges, err := f.edges()
	if err != nil {
		return nil, err
	}

	s := f.statement()
	s.text = `SELECT coalesce(sum(opens), 0), coalesce(sum(views), 0), coalesce(sum(watched_ms), 0), coalesce(sum(sessions), 0),
	coalesce(sum(watching), 0), coalesce(sum(completed), 0), coalesce(sum(share), 0) FROM (` + f.sums(s, "*", "view_totals") + `) t`

	err = f.read(ctx, "summary", s, func(rows *stdsql.Rows) error {
		return rows.Scan(&sum.PageOpens, &sum.TotalViews, &watchedMs, &began.Sessions, &began.Watching, &began.Completed, &share)
	})
	if err != nil {
		return nil, err
	}

	began.Add(edges.tally, 1)
	sum.UniqueSessions, sum.Completions = began.Sessions, began.Completed
	sum.TotalWatchTimeSeconds = model.Seconds(watchedMs)

	if began.Watching > 0 {
		sum.AverageWatchTimeSeconds = math.Round(float64(watchedMs)/float64(began.Watching)) / 1000
		sum.AveragePercentViewed = meanPercent(share, began)
	}

	return &sum, nil
}

// meanPercent returns the mean share of the video that watching sessions played, in percent with two decimals. It adds
// the stored shares to those of the tally. Each stored share is rounded, so a mean that is a half within that error is
// rounded up.
func meanPercent(stored string, t Tally) *float64 {
	sum, _ := new(big.Int).SetString(stored, 10)
	sum.Add(sum, big.NewInt(t.Share))

	whole := new(big.Int).Mul(big.NewInt(WholeShare), big.NewInt(t.Watching))
	hundredths := new(big.Rat).SetFrac(sum.Mul(sum, big.NewInt(10_000)), whole)
	hundredths.Add(hundredths, big.NewRat(500_000_001, 1_000_000_000))

	mean := float64(new(big.Int).Quo(hundredths.Num(), hundredths.Denom()).Int64()) / 100

	return &mean
}

// ViewsOverTime returns the figures of each day in the range. A day lasts until the start of the next day.
func (f figures) ViewsOverTime(ctx context.Context) ([]*model.AnalyticsDay, error) {
	dates, err := f.dates(ctx)
	if err != nil || len(dates) == 0 {
		return []*model.AnalyticsDay{}, err
	}

	days, begins := make([]*model.AnalyticsDay, len(dates)), make([]string, len(dates)+1)
	level := DayLevel

	for i := range begins {
		date := dates[0].AddDate(0, 0, i)
		if i < len(days) {
			days[i] = &model.AnalyticsDay{Date: date.Format(time.DateOnly)}
		}

		begin := f.period.begin(date)
		begins[i] = instant(begin)

		if !level.Floor(begin).Equal(begin) {
			level = QuarterLevel
		}
	}

	// A session that crosses the start of a day did something in the hour after it, or it would have ended. So it also
	// counts on that day.
	s := f.statement()
	all := s.arg(pq.Array(begins))
	s.text = fmt.Sprintf(`WITH d AS (
	SELECT n, begin FROM unnest((%[1]s::timestamptz[])[:%[2]d]) WITH ORDINALITY d(begin, n)
)
SELECT day, sum(views)::bigint, sum(sessions)::bigint, sum(watched_ms)::bigint FROM (
	SELECT width_bucket(at, %[1]s::timestamptz[]) AS day, views, sessions, watched_ms FROM view_totals
	WHERE workspace_id = $1 AND subject = %[3]s AND level = %[4]d
		AND at >= (%[1]s::timestamptz[])[1] AND at < (%[1]s::timestamptz[])[%[2]d + 1]
	UNION ALL
	SELECT n, 0, 1, 0 FROM d JOIN view_crossings c ON c.workspace_id = $1 AND c.at = d.begin AND %[5]s
) t GROUP BY day`, all, len(days), s.arg(f.subject()), level, f.videos(s, "c.video_id"))

	err = f.read(ctx, "views over time", s, func(rows *stdsql.Rows) error {
		var at, views, sessions, watchedMs int64

		if err := rows.Scan(&at, &views, &sessions, &watchedMs); err != nil {
			return err //nolint:wrapcheck // read says what was attempted
		}

		day := days[at-1]
		day.Views, day.UniqueSessions, day.WatchTimeSeconds = views, sessions, model.Seconds(watchedMs)

		return nil
	})

	return days, err
}

// dates returns the days of the range.
func (f figures) dates(ctx context.Context) ([]time.Time, error) {
	var first stdsql.NullTime

	if f.period.first == nil {
		s := f.statement()
		s.text = "SELECT min(at) FROM view_totals WHERE workspace_id = $1 AND level = 0 AND sessions > 0 AND subject = " + s.arg(f.subject())

		if until, bound := f.period.until(); bound {
			s.text += " AND at < " + s.arg(until)
		}

		if err := f.read(ctx, "first event", s, func(rows *stdsql.Rows) error { return rows.Scan(&first) }); err != nil {
			return nil, err
		}
	}

	return f.period.days(first.Time, first.Valid, f.Store.Now())
}

// Retention returns how many times each percent of the video was watched, and by how many sessions.
func (f figures) Retention(ctx context.Context) ([]*model.AnalyticsRetentionPoint, error) {
	edges, err := f.edges()
	if err != nil {
		return nil, err
	}

	var watches, viewers Percents

	s := f.statement()
	s.text = "SELECT coalesce(sum(watches), 0)::text, coalesce(sum(viewers), 0)::text FROM (" +
		f.sums(s, "watches, viewers", "view_slices") + ") t"

	err = f.read(ctx, "retention", s, func(rows *stdsql.Rows) (err error) {
		var packedWatches, packedViewers string

		if err := rows.Scan(&packedWatches, &packedViewers); err != nil {
			return err //nolint:wrapcheck // read says what was attempted
		}

		if watches, err = Unpacked(packedWatches); err == nil {
			viewers, err = Unpacked(packedViewers)
		}

		return err //nolint:wrapcheck // read says what was attempted
	})
	if err != nil {
		return nil, err
	}

	viewers.Add(edges.tally.Viewers, 1)

	points := []*model.AnalyticsRetentionPoint{}

	for percent, n := range watches {
		if n > 0 {
			points = append(points, &model.AnalyticsRetentionPoint{Percent: percent, WatchCount: n, UniqueViewers: viewers[percent]})
		}
	}

	return points, nil
}

// Geography returns the countries that views came from.
func (f figures) Geography(ctx context.Context) ([]*model.AnalyticsGeoPoint, error) {
	points := []*model.AnalyticsGeoPoint{}

	return points, f.places(ctx, Country, func(place *string, views, sessions int64) {
		points = append(points, &model.AnalyticsGeoPoint{Country: place, Views: views, UniqueSessions: sessions})
	})
}

// Referrers returns the domains that views came from.
func (f figures) Referrers(ctx context.Context) ([]*model.AnalyticsReferrerPoint, error) {
	points := []*model.AnalyticsReferrerPoint{}

	return points, f.places(ctx, Referrer, func(place *string, views, sessions int64) {
		points = append(points, &model.AnalyticsReferrerPoint{ReferrerDomain: place, Views: views, UniqueSessions: sessions})
	})
}

// places returns the origins of one kind, the most viewed first.
func (f figures) places(ctx context.Context, kind string, add func(place *string, views, sessions int64)) error {
	edges, err := f.edges()
	if err != nil {
		return err
	}

	names, sessions := edges.origins(kind)
	s := f.statement()
	what := fmt.Sprintf("SELECT place, views, sessions FROM view_places WHERE workspace_id = $1 AND subject = %s AND kind = %s",
		s.arg(f.subject()), s.arg(kind))
	s.text = fmt.Sprintf(`SELECT nullif(place, '') AS name, sum(views)::bigint AS views, sum(sessions)::bigint AS sessions FROM (
	%s UNION ALL SELECT place, 0, sessions FROM unnest(%s::text[], %s::bigint[]) e(place, sessions)
) t GROUP BY place HAVING sum(sessions) > 0 ORDER BY views DESC, sessions DESC, name NULLS LAST LIMIT %d`,
		f.within(s, what), s.arg(pq.Array(names)), s.arg(pq.Array(sessions)), maxPlaces)

	return f.read(ctx, kind, s, func(rows *stdsql.Rows) error {
		var (
			place           *string
			views, sessions int64
		)

		if err := rows.Scan(&place, &views, &sessions); err != nil {
			return err //nolint:wrapcheck // read says what was attempted
		}

		add(place, views, sessions)

		return nil
	})
}
