package analytics

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/lib/pq"

	"github.com/reelgraph/reelgraph/internal/analytics"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
)

const (
	keepQuartersSQL = `
INSERT INTO view_quarters (id, created_at, updated_at, workspace_id, video_id, session_id, quarter,
	opens, views, watched_ms, distinct_ms, completed, slices, ranges)
SELECT id, now(), CURRENT_TIMESTAMP,
	workspace_id, video_id, session_id, quarter, opens, views, watched_ms, distinct_ms, completed, slices, ranges
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[],
	$6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::boolean[], $11::jsonb[], $12::jsonb[])
	q(id, workspace_id, video_id, session_id, quarter, opens, views, watched_ms, distinct_ms, completed, slices, ranges)
ON CONFLICT (session_id, quarter) DO UPDATE SET updated_at = EXCLUDED.updated_at, opens = EXCLUDED.opens, views = EXCLUDED.views,
	watched_ms = EXCLUDED.watched_ms, distinct_ms = EXCLUDED.distinct_ms, completed = EXCLUDED.completed,
	slices = EXCLUDED.slices, ranges = EXCLUDED.ranges`

	keepCrossingsSQL = `
INSERT INTO view_crossings (workspace_id, at, session_id, video_id)
SELECT workspace_id, at, session_id, video_id
FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[]) s(workspace_id, session_id, video_id, first, last),
	generate_series(first + interval '15 minutes', last, interval '15 minutes') at
ON CONFLICT DO NOTHING`

	addTotalsSQL = `
INSERT INTO view_totals AS t (workspace_id, subject, level, at, opens, views, watched_ms, sessions, watching, completed, share)
SELECT workspace_id, subject, level, at, opens, views, watched_ms, sessions, watching, completed, share
FROM unnest($1::text[], $2::text[], $3::smallint[], $4::timestamptz[],
	$5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::numeric[])
	s(workspace_id, subject, level, at, opens, views, watched_ms, sessions, watching, completed, share)
ON CONFLICT (workspace_id, subject, level, at) DO UPDATE SET opens = t.opens + EXCLUDED.opens, views = t.views + EXCLUDED.views,
	watched_ms = t.watched_ms + EXCLUDED.watched_ms, sessions = t.sessions + EXCLUDED.sessions,
	watching = t.watching + EXCLUDED.watching, completed = t.completed + EXCLUDED.completed, share = t.share + EXCLUDED.share`

	addSlicesSQL = `
INSERT INTO view_slices AS t (workspace_id, subject, level, at, watches, viewers)
SELECT workspace_id, subject, level, at, watches, viewers
FROM unnest($1::text[], $2::text[], $3::smallint[], $4::timestamptz[], $5::numeric[], $6::numeric[])
	s(workspace_id, subject, level, at, watches, viewers)
ON CONFLICT (workspace_id, subject, level, at) DO UPDATE SET watches = t.watches + EXCLUDED.watches, viewers = t.viewers + EXCLUDED.viewers`

	addPlacesSQL = `
INSERT INTO view_places AS t (workspace_id, subject, level, at, kind, place, views, sessions)
SELECT workspace_id, subject, level, at, kind, place, views, sessions
FROM unnest($1::text[], $2::text[], $3::smallint[], $4::timestamptz[], $5::text[], $6::text[], $7::bigint[], $8::bigint[])
	s(workspace_id, subject, level, at, kind, place, views, sessions)
ON CONFLICT (workspace_id, subject, kind, level, at, place)
DO UPDATE SET views = t.views + EXCLUDED.views, sessions = t.sessions + EXCLUDED.sessions`
)

// keep writes the changed quarters of the sessions and adds the differences to the sums.
func (w *Roll) keep(ctx context.Context, sessions map[string]*rolled) error {
	sums := analytics.Sums{}
	quarters, crossings := columns{}, columns{}

	for _, id := range slices.Sorted(maps.Keys(sessions)) {
		s := sessions[id]

		changed := s.changed()
		if len(changed) == 0 {
			continue
		}

		sums.Add(s.workspace, s.subjects, s.Session, s.origins, s.now, 1)
		sums.Add(s.workspace, s.subjects, s.Session, s.origins, s.before, -1)

		if first, last := s.now[0].At, s.now[len(s.now)-1].At; first.Before(last) {
			crossings.add(s.workspace, s.id, s.video, stamp(first), stamp(last))
		}

		for _, q := range changed {
			counts, err := json.Marshal(q.Slices)
			if err != nil {
				return fmt.Errorf("encode slices: %w", err)
			}

			ranges, err := json.Marshal(q.Ranges)
			if err != nil {
				return fmt.Errorf("encode ranges: %w", err)
			}

			quarters.add(ids.New(ids.ViewRollup), s.workspace, s.video, s.id, stamp(q.At),
				q.Opens, q.Views, q.WatchedMs, q.DistinctMs, q.Completed, string(counts), string(ranges))
		}
	}

	if err := w.write(ctx, "figures", keepQuartersSQL, quarters); err != nil {
		return err
	}

	if err := w.write(ctx, "crossings", keepCrossingsSQL, crossings); err != nil {
		return err
	}

	return w.add(ctx, sums)
}

// add adds to the stored sums. Rows are updated in a fixed order so that two writers cannot deadlock.
func (w *Roll) add(ctx context.Context, sums analytics.Sums) error {
	totals, counts, places := columns{}, columns{}, columns{}

	for _, at := range slices.SortedFunc(maps.Keys(sums), order) {
		sum, key := sums[at], []any{at.Workspace, at.Subject, int(at.Level), stamp(at.At)}

		totals.add(append(key, sum.Opens, sum.Views, sum.WatchedMs,
			sum.Began.Sessions, sum.Began.Watching, sum.Began.Completed, sum.Began.Share)...)

		if sum.Watches != (analytics.Percents{}) || sum.Began.Viewers != (analytics.Percents{}) {
			counts.add(append(key, sum.Watches.Packed(), sum.Began.Viewers.Packed())...)
		}

		for _, o := range slices.SortedFunc(maps.Keys(sum.Origins), func(a, b analytics.Origin) int {
			return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Name, b.Name))
		}) {
			if visits := sum.Origins[o]; visits != (analytics.Visits{}) {
				places.add(append(key, o.Kind, o.Name, visits.Views, visits.Sessions)...)
			}
		}
	}

	for _, part := range []struct {
		what, statement string
		rows            columns
	}{{"totals", addTotalsSQL, totals}, {"slices", addSlicesSQL, counts}, {"places", addPlacesSQL, places}} {
		if err := w.write(ctx, part.what, part.statement, part.rows); err != nil {
			return err
		}
	}

	return nil
}

func order(a, b analytics.Cell) int {
	return cmp.Or(strings.Compare(a.Workspace, b.Workspace), strings.Compare(a.Subject, b.Subject),
		cmp.Compare(a.Level, b.Level), a.At.Compare(b.At))
}

// stamp formats a time for an array argument.
func stamp(at time.Time) string { return at.UTC().Format(time.RFC3339) }

// columns holds rows, column by column, as arguments of unnest.
type columns struct{ of [][]any }

func (c *columns) add(row ...any) {
	if c.of == nil {
		c.of = make([][]any, len(row))
	}

	for i, value := range row {
		c.of[i] = append(c.of[i], value)
	}
}

func (w *Roll) write(ctx context.Context, what, statement string, rows columns) error {
	if len(rows.of) == 0 {
		return nil
	}

	args := make([]any, len(rows.of))
	for i, column := range rows.of {
		args[i] = pq.Array(column)
	}

	if err := w.exec(ctx, statement, args...); err != nil {
		return fmt.Errorf("keep %s: %w", what, err)
	}

	return nil
}
