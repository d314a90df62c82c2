package graph

import (
	"context"
	stdsql "database/sql"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/lib/pq"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/domain"
)

// maxPlaces is how many countries and referrers are told apart.
const maxPlaces = 1000

const quartersSQL = `SELECT session_id, video_id, quarter, opens, views, watched_ms, distinct_ms, completed, slices, ranges
FROM view_quarters q`

// quarters begins a statement with q, the rollups of the range, and returns its parameters.
func (f figures) quarters() (string, []any) {
	args := []any{f.who.WorkspaceID}
	where := []string{"q.workspace_id = $1"}
	also := func(condition string, arg any) {
		args = append(args, arg)
		where = append(where, fmt.Sprintf(condition, len(args)))
	}

	if from, bound := f.period.from(); bound {
		also("q.quarter >= $%d", from)
	}

	if until, bound := f.period.until(); bound {
		also("q.quarter < $%d", until)
	}

	switch {
	case f.video != "":
		also("q.video_id = $%d", f.video)
	case f.scope == domain.AnalyticsScopeMine:
		also("q.video_id IN (SELECT id FROM videos WHERE workspace_id = $1 AND user_id = $%d)", f.who.UserID)
	default:
		also("q.video_id IN (SELECT id FROM videos WHERE workspace_id = $1 AND visibility = $%d)", string(domain.VisibilityOrg))
	}

	return "WITH q AS (" + quartersSQL + " WHERE " + strings.Join(where, " AND ") + ")", args
}

// read runs a statement over q. Each %d in it stands for one of more.
func (f figures) read(ctx context.Context, what string, scan func(*stdsql.Rows) error, query string, more ...any) error {
	begin, args := f.quarters()
	places := make([]any, len(more))

	for i := range more {
		places[i] = len(args) + i + 1
	}

	if err := f.Store.Query(ctx, scan, begin+fmt.Sprintf(query, places...), append(args, more...)...); err != nil {
		return fmt.Errorf("read %s: %w", what, err)
	}

	return nil
}

// summarySQL sums sessions. What a session played in several quarters counts once: its ranges are united.
const summarySQL = `,
sessions AS (
	SELECT session_id, sum(opens) AS opens, sum(views) AS views, sum(watched_ms) AS watched_ms, bool_or(completed) AS completed,
		CASE WHEN count(*) = 1 THEN sum(distinct_ms) ELSE (
			SELECT sum(upper(part) - lower(part)) FROM unnest((
				SELECT range_agg(int8range((played->>'startMs')::bigint, (played->>'endMs')::bigint))
				FROM unnest(array_agg(q.ranges)) AS held, jsonb_array_elements(held) AS played
			)) AS part
		) END AS distinct_ms
	FROM q GROUP BY session_id
)
SELECT count(*), coalesce(sum(opens), 0), coalesce(sum(views), 0), coalesce(sum(watched_ms), 0),
	count(*) FILTER (WHERE watched_ms > 0), count(*) FILTER (WHERE completed),
	round(100 * avg(s.distinct_ms::numeric / v.duration_ms) FILTER (WHERE s.distinct_ms > 0), 2)::float8
FROM sessions s JOIN view_sessions v ON v.id = s.session_id`

// Summary implements model.Figures, as the other methods do.
func (f figures) Summary(ctx context.Context) (*model.AnalyticsSummary, error) {
	var (
		s                  model.AnalyticsSummary
		watchedMs, watched int64
	)

	err := f.read(ctx, "summary", func(rows *stdsql.Rows) error {
		return rows.Scan(&s.UniqueSessions, &s.PageOpens, &s.TotalViews, &watchedMs, &watched, &s.Completions, &s.AvgPercentViewed)
	}, summarySQL)
	if err != nil {
		return nil, err
	}

	s.TotalWatchTimeSeconds = model.Seconds(watchedMs)
	if watched > 0 {
		s.AverageWatchTimeSeconds = math.Round(float64(watchedMs)/float64(watched)) / 1000
	}

	return &s, nil
}

// ViewsOverTime are the days of the range, each with what happened between its beginning and the next.
func (f figures) ViewsOverTime(ctx context.Context) ([]*model.AnalyticsDay, error) {
	dates, err := f.dates(ctx)
	if err != nil || len(dates) == 0 {
		return []*model.AnalyticsDay{}, err
	}

	days, begins := make([]*model.AnalyticsDay, len(dates)), make([]string, len(dates))
	for i, date := range dates {
		days[i] = &model.AnalyticsDay{Date: date.Format(time.DateOnly)}
		begins[i] = f.period.begin(date)
	}

	err = f.read(ctx, "views over time", func(rows *stdsql.Rows) error {
		var (
			at, views, sessions, watchedMs int64
		)

		if err := rows.Scan(&at, &views, &sessions, &watchedMs); err != nil {
			return err //nolint:wrapcheck // read says what was attempted
		}

		day := days[at-1]
		day.Views, day.UniqueSessions, day.WatchTimeSeconds = views, sessions, model.Seconds(watchedMs)

		return nil
	}, ` SELECT width_bucket(quarter, $%d::timestamptz[]) AS day, sum(views), count(DISTINCT session_id), sum(watched_ms)
		FROM q WHERE quarter >= ($%[1]d::timestamptz[])[1] GROUP BY day`, pq.Array(begins))

	return days, err
}

// dates are the days of the range.
func (f figures) dates(ctx context.Context) ([]time.Time, error) {
	var first stdsql.NullTime

	if f.period.first.IsZero() {
		err := f.read(ctx, "first event", func(rows *stdsql.Rows) error { return rows.Scan(&first) }, " SELECT min(quarter) FROM q")
		if err != nil {
			return nil, err
		}
	}

	return f.period.days(first.Time, first.Valid, f.now()), nil
}

// Retention is how often each percent was watched, and by how many sessions.
func (f figures) Retention(ctx context.Context) ([]*model.AnalyticsRetentionPoint, error) {
	points := []*model.AnalyticsRetentionPoint{}

	err := f.read(ctx, "retention", func(rows *stdsql.Rows) error {
		var p model.AnalyticsRetentionPoint

		points = append(points, &p)

		return rows.Scan(&p.Percent, &p.WatchCount, &p.UniqueViewers) //nolint:wrapcheck // read says what was attempted
	}, ` SELECT slice.key::int AS percent, sum(slice.value::bigint), count(DISTINCT session_id)
		FROM q, jsonb_each_text(slices) slice GROUP BY percent ORDER BY percent`)

	return points, err
}

// Geography is where viewers are.
func (f figures) Geography(ctx context.Context) ([]*model.AnalyticsGeoPoint, error) {
	points := []*model.AnalyticsGeoPoint{}

	return points, f.places(ctx, "country", func(place *string, views, sessions int64) {
		points = append(points, &model.AnalyticsGeoPoint{Country: place, Views: views, UniqueSessions: sessions})
	})
}

// Referrers are the domains that viewers came from.
func (f figures) Referrers(ctx context.Context) ([]*model.AnalyticsReferrerPoint, error) {
	points := []*model.AnalyticsReferrerPoint{}

	return points, f.places(ctx, "referrer", func(place *string, views, sessions int64) {
		points = append(points, &model.AnalyticsReferrerPoint{ReferrerDomain: place, Views: views, UniqueSessions: sessions})
	})
}

// places groups sessions by a column of theirs, the most viewed first.
func (f figures) places(ctx context.Context, column string, add func(place *string, views, sessions int64)) error {
	return f.read(ctx, column, func(rows *stdsql.Rows) error {
		var (
			place           *string
			views, sessions int64
		)

		if err := rows.Scan(&place, &views, &sessions); err != nil {
			return err //nolint:wrapcheck // read says what was attempted
		}

		add(place, views, sessions)

		return nil
	}, fmt.Sprintf(` SELECT s.%s AS place, sum(q.views) AS views, count(DISTINCT q.session_id) AS sessions
		FROM q JOIN view_sessions s ON s.id = q.session_id
		GROUP BY place ORDER BY views DESC, sessions DESC, place NULLS LAST LIMIT %d`, column, maxPlaces))
}

// TopVideos is a page of the videos that anybody opened, by views.
func (f figures) TopVideos(ctx context.Context, first int, after *string) (*model.AnalyticsVideoConnection, error) {
	having, more := "", []any{}

	if after != nil {
		c, err := f.open(*after, f.name())
		if err != nil {
			return nil, err
		}

		having, more = " HAVING (sum(q.views), q.video_id) < ($%d::bigint, $%d::text)", []any{c.AtMs, c.ID}
	}

	videos := []*model.AnalyticsVideo{}

	err := f.read(ctx, "top videos", func(rows *stdsql.Rows) error {
		var (
			v         model.AnalyticsVideo
			watchedMs int64
		)

		if err := rows.Scan(&v.VideoID, &v.Name, &v.Views, &v.UniqueSessions, &watchedMs); err != nil {
			return err //nolint:wrapcheck // read says what was attempted
		}

		v.WatchTimeSeconds = model.Seconds(watchedMs)
		videos = append(videos, &v)

		return nil
	}, `, top AS (
		SELECT q.video_id AS id, sum(q.views) AS views, count(DISTINCT q.session_id) AS sessions, sum(q.watched_ms) AS watched_ms
		FROM q GROUP BY q.video_id`+having+` ORDER BY views DESC, id DESC LIMIT $%d
	) SELECT top.id, v.name, top.views, top.sessions, top.watched_ms FROM top JOIN videos v USING (id) ORDER BY top.views DESC, top.id DESC`,
		append(more, first+1)...)
	if err != nil {
		return nil, err
	}

	return pageOf(videos, first, func(v *model.AnalyticsVideo) string {
		return f.seal(cursor{MadeMs: f.now().UnixMilli(), AtMs: v.Views, ID: v.VideoID}, f.name())
	}, f.countVideos), nil
}

func (f figures) countVideos(ctx context.Context) (n int, err error) {
	err = f.read(ctx, "number of videos", func(rows *stdsql.Rows) error { return rows.Scan(&n) }, " SELECT count(DISTINCT video_id) FROM q")

	return n, err
}
