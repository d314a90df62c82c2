package analytics

import (
	"context"
	stdsql "database/sql"
	"fmt"

	"github.com/lib/pq"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/cursor"
)

// opened begins a statement with t, the videos of the scope that were opened in the range, each with its sums.
func (f *figures) opened(s *statement) (string, error) {
	edges, err := f.edges()
	if err != nil {
		return "", err
	}

	ids, sessions := edges[f.subjects[0]].videos()
	what := "SELECT subject, views, sessions, watched_ms FROM v JOIN view_totals ON subject = v.id WHERE workspace_id = $1"

	return fmt.Sprintf(`WITH v AS MATERIALIZED (SELECT id FROM videos WHERE %s), t AS (
	SELECT subject AS id, sum(views)::bigint AS views, sum(sessions)::bigint AS sessions, sum(watched_ms)::bigint AS watched_ms FROM (
		%s UNION ALL SELECT id, 0, sessions, 0 FROM unnest(%s::text[], %s::bigint[]) e(id, sessions)
	) part GROUP BY subject HAVING sum(sessions) > 0
)`, f.videos(s, "id"), f.within(s, what), s.arg(pq.Array(ids)), s.arg(pq.Array(sessions))), nil
}

// TopVideos returns a page of the videos that were opened in the range. The video with the most views comes first.
func (f *figures) TopVideos(ctx context.Context, first int, after *string) (*model.AnalyticsVideoConnection, error) {
	s := f.statement()

	opened, err := f.opened(s)
	if err != nil {
		return nil, err
	}

	where, turn := "", f.Listing.Paging.Turn(f.name())

	if after != nil {
		c, err := turn.Open(ctx, *after)
		if err != nil {
			return nil, err
		}

		where = fmt.Sprintf("WHERE (t.views, t.id) < (%s::bigint, %s::text)", s.arg(c.AtMs), s.arg(c.ID))
	}

	s.text = fmt.Sprintf(`%s SELECT t.id, videos.name, t.views, t.sessions, t.watched_ms FROM t JOIN videos USING (id)
%s ORDER BY t.views DESC, t.id DESC LIMIT %s`, opened, where, s.arg(first+1))

	videos := []*model.AnalyticsVideo{}

	err = f.read(ctx, "top videos", s, func(rows *stdsql.Rows) error {
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
	})
	if err != nil {
		return nil, err
	}

	if err := f.tellVideos(ctx, videos); err != nil {
		return nil, err
	}

	return paging.PageOf(turn, videos, first, func(v *model.AnalyticsVideo) cursor.Cursor {
		return cursor.Cursor{AtMs: v.Views, ID: v.VideoID}
	}, f.countVideos), nil
}

// tellVideos reads the videos of a page with the selected fields, if they are selected.
func (f *figures) tellVideos(ctx context.Context, page []*model.AnalyticsVideo) error {
	wanted := selection.Of(ctx).Items()
	if len(page) == 0 || !wanted.Has("video") {
		return nil
	}

	named, found := make([]string, len(page)), map[string]*ent.Video{}
	for i, v := range page {
		named[i] = v.VideoID
	}

	rows, err := f.Listing.Rights().VideosNamed(ctx, named, wanted.Below("video"))
	if err != nil {
		return err
	}

	for _, v := range rows {
		found[v.ID] = v
	}

	for _, v := range page {
		v.Video = found[v.VideoID]
	}

	return nil
}

func (f *figures) countVideos(ctx context.Context) (n int, err error) {
	s := f.statement()

	opened, err := f.opened(s)
	if err != nil {
		return 0, err
	}

	s.text = opened + " SELECT count(*) FROM t"
	err = f.read(ctx, "number of videos", s, func(rows *stdsql.Rows) error { return rows.Scan(&n) })

	return n, err
}
