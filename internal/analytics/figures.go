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

func (f *figures) statement() *statement { return &statement{args: []any{f.who.WorkspaceID}} }

// arg adds a parameter and returns its placeholder.
func (s *statement) arg(value any) string {
	s.args = append(s.args, value)

	return fmt.Sprintf("$%d", len(s.args))
}

// among returns the condition that a column holds one of the subjects.
func (f *figures) among(s *statement, column string) string {
	if len(f.subjects) == 1 {
		return column + " = " + s.arg(f.subjects[0])
	}

	return column + " = ANY((SELECT " + s.arg(pq.Array(f.subjects)) + "::varchar[])::varchar[])"
}

// ofWorkspace begins a condition that a video is one of the workspace's.
const ofWorkspace = " IN (SELECT id FROM videos WHERE workspace_id = $1 AND trashed_at IS NULL AND "

// videos returns the condition that a video is one of those requested.
func (f *figures) videos(s *statement, id string) string {
	switch f.scope {
	case values.AnalyticsScopeMine:
		return id + ofWorkspace + "user_id = " + s.arg(f.who.UserID) + ")"
	case values.AnalyticsScopeWorkspace:
		return id + ofWorkspace + "visibility = " + s.arg(string(values.VisibilityOrg)) + ")"
	default:
		return f.among(s, id)
	}
}

// subjectOf returns the subject to which a video belongs.
func (f *figures) subjectOf(video string) string {
	if f.scope == "" {
		return video
	}

	return f.subjects[0]
}

// within returns the UNION of one statement for each part of the range. Each statement consists of the given text and
// the condition that selects the part.
func (f *figures) within(s *statement, what string) string {
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

// sums applies within to a table of sums of the subjects.
func (f *figures) sums(s *statement, what, table string) string {
	return f.within(s, fmt.Sprintf("SELECT subject, %s FROM %s WHERE workspace_id = $1 AND %s", what, table, f.among(s, "subject")))
}

func (f *figures) read(ctx context.Context, what string, s *statement, scan func(*stdsql.Rows) error) error {
	if err := f.Store.Query(ctx, scan, s.text, s.args...); err != nil {
		return fmt.Errorf("read %s: %w", what, err)
	}

	return nil
}

// Summary implements model.Figures, like the methods of subjectFigures below.
func (f subjectFigures) Summary(context.Context) (*model.AnalyticsSummary, error) {
	all, err := f.summary()

	return all[f.subject], err
}

func (f *figures) readSummary(ctx context.Context) (map[string]*model.AnalyticsSummary, error) {
	edges, err := f.edges()
	if err != nil {
		return nil, err
	}

	type total struct {
		model.AnalyticsSummary

		watchedMs int64
		began     Tally
		share     string
	}

	stored := map[string]*total{}
	s := f.statement()
	s.text = `SELECT subject, sum(opens), sum(views), sum(watched_ms), sum(sessions), sum(watching), sum(completed), sum(share) FROM (` +
		f.sums(s, "opens, views, watched_ms, sessions, watching, completed, share", "view_totals") + `) t GROUP BY subject`

	err = f.read(ctx, "summary", s, func(rows *stdsql.Rows) error {
		var (
			subject string
			t       total
		)

		if err := rows.Scan(&subject, &t.PageOpens, &t.TotalViews, &t.watchedMs, &t.began.Sessions, &t.began.Watching, &t.began.Completed,
			&t.share); err != nil {
			return err //nolint:wrapcheck // read says what was attempted
		}

		stored[subject] = &t

		return nil
	})
	if err != nil {
		return nil, err
	}

	all := make(map[string]*model.AnalyticsSummary, len(f.subjects))

	for _, subject := range f.subjects {
		t := stored[subject]
		if t == nil {
			t = &total{share: "0"}
		}

		if part := edges[subject]; part != nil {
			t.began.Add(part.tally, 1)
		}

		t.UniqueSessions, t.Completions = t.began.Sessions, t.began.Completed
		t.TotalWatchTimeSeconds = model.Seconds(t.watchedMs)

		if t.began.Watching > 0 {
			t.AverageWatchTimeSeconds = math.Round(float64(t.watchedMs)/float64(t.began.Watching)) / 1000
			t.AveragePercentViewed = meanPercent(t.share, t.began)
		}

		all[subject] = &t.AnalyticsSummary
	}

	return all, nil
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

// days are the figures of the days of one subject, or why there are none.
type days struct {
	all []*model.AnalyticsDay
	err error
}

// ViewsOverTime returns the figures of each day in the range. A day lasts until the start of the next day.
func (f subjectFigures) ViewsOverTime(context.Context) ([]*model.AnalyticsDay, error) {
	all, err := f.days()
	if err != nil {
		return nil, err
	}

	return all[f.subject].all, all[f.subject].err
}

func (f *figures) readDays(ctx context.Context) (map[string]days, error) {
	all, first, end, err := f.dates(ctx)
	if err != nil || first.IsZero() {
		return all, err
	}

	begins := []string{}
	level := DayLevel

	for date := first; !date.After(end.AddDate(0, 0, 1)); date = date.AddDate(0, 0, 1) {
		begin := f.period.begin(date)
		begins = append(begins, instant(begin))

		if !level.Floor(begin).Equal(begin) {
			level = QuarterLevel
		}
	}

	subject := "c.video_id"

	// A session that crosses the start of a day did something in the hour after it, or it would have ended. So it also
	// counts on that day.
	s := f.statement()
	bounds := s.arg(pq.Array(begins))

	if f.scope != "" {
		subject = s.arg(f.subjects[0]) + "::text"
	}

	s.text = fmt.Sprintf(`WITH d AS (
	SELECT n, begin FROM unnest((%[1]s::timestamptz[])[:%[2]d]) WITH ORDINALITY d(begin, n)
)
SELECT subject, day, sum(views)::bigint, sum(sessions)::bigint, sum(watched_ms)::bigint FROM (
	SELECT subject, width_bucket(at, %[1]s::timestamptz[]) AS day, views, sessions, watched_ms FROM view_totals
	WHERE workspace_id = $1 AND %[3]s AND level = %[4]d
		AND at >= (%[1]s::timestamptz[])[1] AND at < (%[1]s::timestamptz[])[%[2]d + 1]
	UNION ALL
	SELECT %[6]s, n, 0, 1, 0 FROM d JOIN view_crossings c ON c.workspace_id = $1 AND c.at = d.begin AND %[5]s
) t GROUP BY subject, day`, bounds, len(begins)-1, f.among(s, "subject"), level, f.videos(s, "c.video_id"), subject)

	err = f.read(ctx, "views over time", s, func(rows *stdsql.Rows) error {
		var (
			of                             string
			at, views, sessions, watchedMs int64
		)

		if err := rows.Scan(&of, &at, &views, &sessions, &watchedMs); err != nil {
			return err //nolint:wrapcheck // read says what was attempted
		}

		// The days of a subject end with the last day of all.
		own := all[of].all
		if i := int(at) - 1 - (len(begins) - 1 - len(own)); i >= 0 {
			own[i].Views, own[i].UniqueSessions, own[i].WatchTimeSeconds = views, sessions, model.Seconds(watchedMs)
		}

		return nil
	})

	return all, err
}

// dates returns the days of each subject, and the first and the last day of all. Without days the first is zero.
func (f *figures) dates(ctx context.Context) (all map[string]days, first, last time.Time, err error) {
	begun := map[string]time.Time{}

	if f.period.first == nil {
		s := f.statement()
		s.text = "SELECT subject, min(at) FROM view_totals WHERE workspace_id = $1 AND level = 0 AND sessions > 0 AND " + f.among(s, "subject")

		if until, bound := f.period.until(); bound {
			s.text += " AND at < " + s.arg(until)
		}

		s.text += " GROUP BY subject"

		err := f.read(ctx, "first event", s, func(rows *stdsql.Rows) error {
			var (
				subject string
				at      time.Time
			)

			err := rows.Scan(&subject, &at)
			begun[subject] = at

			return err //nolint:wrapcheck // read says what was attempted
		})
		if err != nil {
			return nil, first, last, err
		}
	}

	now := f.Store.Now()
	all = make(map[string]days, len(f.subjects))

	for _, subject := range f.subjects {
		at, found := begun[subject]
		dates, err := f.period.days(at, found, now)
		own := days{all: make([]*model.AnalyticsDay, len(dates)), err: err}

		for i, date := range dates {
			own.all[i] = &model.AnalyticsDay{Date: date.Format(time.DateOnly)}
		}

		if n := len(dates); n > 0 {
			last = dates[n-1]

			if first.IsZero() || dates[0].Before(first) {
				first = dates[0]
			}
		}

		all[subject] = own
	}

	return all, first, last, nil
}

// Retention returns how many times each percent of the video was watched, and by how many sessions.
func (f subjectFigures) Retention(context.Context) ([]*model.AnalyticsRetentionPoint, error) {
	all, err := f.retention()

	return all[f.subject], err
}

func (f *figures) readRetention(ctx context.Context) (map[string][]*model.AnalyticsRetentionPoint, error) {
	edges, err := f.edges()
	if err != nil {
		return nil, err
	}

	type counts struct{ watches, viewers Percents }

	stored := map[string]counts{}
	s := f.statement()
	s.text = "SELECT subject, sum(watches)::text, sum(viewers)::text FROM (" + f.sums(s, "watches, viewers", "view_slices") +
		") t GROUP BY subject"

	err = f.read(ctx, "retention", s, func(rows *stdsql.Rows) (err error) {
		var (
			subject, packedWatches, packedViewers string
			c                                     counts
		)

		if err := rows.Scan(&subject, &packedWatches, &packedViewers); err != nil {
			return err //nolint:wrapcheck // read says what was attempted
		}

		if c.watches, err = Unpacked(packedWatches); err == nil {
			c.viewers, err = Unpacked(packedViewers)
		}

		stored[subject] = c

		return err //nolint:wrapcheck // read says what was attempted
	})
	if err != nil {
		return nil, err
	}

	all := make(map[string][]*model.AnalyticsRetentionPoint, len(f.subjects))

	for _, subject := range f.subjects {
		c, points := stored[subject], []*model.AnalyticsRetentionPoint{}

		if part := edges[subject]; part != nil {
			c.viewers.Add(part.tally.Viewers, 1)
		}

		for percent, n := range c.watches {
			if n > 0 {
				points = append(points, &model.AnalyticsRetentionPoint{Percent: percent, WatchCount: n, UniqueViewers: c.viewers[percent]})
			}
		}

		all[subject] = points
	}

	return all, nil
}

// place is an origin of views. Its name is nil if it is unknown.
type place struct {
	name            *string
	views, sessions int64
}

// Geography returns the countries that views came from.
func (f subjectFigures) Geography(context.Context) ([]*model.AnalyticsGeoPoint, error) {
	all, err := f.countries()
	points := []*model.AnalyticsGeoPoint{}

	for _, p := range all[f.subject] {
		points = append(points, &model.AnalyticsGeoPoint{Country: p.name, Views: p.views, UniqueSessions: p.sessions})
	}

	return points, err
}

// Referrers returns the domains that views came from.
func (f subjectFigures) Referrers(context.Context) ([]*model.AnalyticsReferrerPoint, error) {
	all, err := f.referrers()
	points := []*model.AnalyticsReferrerPoint{}

	for _, p := range all[f.subject] {
		points = append(points, &model.AnalyticsReferrerPoint{ReferrerDomain: p.name, Views: p.views, UniqueSessions: p.sessions})
	}

	return points, err
}

// readPlaces returns the origins of one kind, the most viewed first.
func (f *figures) readPlaces(ctx context.Context, kind string) (map[string][]place, error) {
	edges, err := f.edges()
	if err != nil {
		return nil, err
	}

	var (
		subjects, names []string
		sessions        []int64
	)

	for subject, part := range edges {
		some, more := part.origins(kind)
		for range some {
			subjects = append(subjects, subject)
		}

		names, sessions = append(names, some...), append(sessions, more...)
	}

	s := f.statement()
	what := fmt.Sprintf("SELECT subject, place, views, sessions FROM view_places WHERE workspace_id = $1 AND %s AND kind = %s",
		f.among(s, "subject"), s.arg(kind))
	s.text = fmt.Sprintf(`SELECT subject, name, views, sessions FROM (
	SELECT subject, nullif(place, '') AS name, sum(views)::bigint AS views, sum(sessions)::bigint AS sessions,
		row_number() OVER (PARTITION BY subject ORDER BY sum(views) DESC, sum(sessions) DESC, nullif(place, '') NULLS LAST) AS nth FROM (
		%s UNION ALL SELECT subject, place, 0, sessions FROM unnest(%s::text[], %s::text[], %s::bigint[]) e(subject, place, sessions)
	) t GROUP BY subject, place HAVING sum(sessions) > 0
) p WHERE nth <= %d ORDER BY subject, nth`,
		f.within(s, what), s.arg(pq.Array(subjects)), s.arg(pq.Array(names)), s.arg(pq.Array(sessions)), maxPlaces)

	all := map[string][]place{}

	err = f.read(ctx, kind, s, func(rows *stdsql.Rows) error {
		var (
			subject string
			p       place
		)

		err := rows.Scan(&subject, &p.name, &p.views, &p.sessions)
		all[subject] = append(all[subject], p)

		return err //nolint:wrapcheck // read says what was attempted
	})

	return all, err
}
