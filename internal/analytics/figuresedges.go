package analytics

import (
	"context"
	stdsql "database/sql"
	"encoding/json"
	"fmt"

	"github.com/lib/pq"
)

// edges holds corrections to the sums of a range. The sums count a session once, in the period in which it began. But
// if a session crosses the start or the end of the range, only a part of it is in the range.
type edges struct {
	tally    Tally
	byOrigin map[Origin]int64 // sessions
	byVideo  map[string]int64
}

// crossing is a session that crosses an edge of the range.
type crossing struct {
	Session

	video    string
	origins  []Origin
	quarters []Quarter
}

const crossingsSQL = `SELECT q.session_id, q.video_id, s.duration_ms, coalesce(s.country, ''), coalesce(s.referrer, ''),
	q.quarter, q.completed, q.slices, q.ranges
FROM view_quarters q JOIN view_sessions s ON s.id = q.session_id
WHERE q.session_id IN (SELECT session_id FROM view_crossings WHERE workspace_id = $1 AND at = ANY(%s::timestamptz[]) AND %s)
ORDER BY q.session_id, q.quarter`

func (f *figures) readEdges(ctx context.Context) (map[string]*edges, error) {
	found := map[string]*edges{}

	var at []string

	from, since := f.period.from()
	if since {
		at = append(at, instant(from))
	}

	until, ends := f.period.until()
	if ends {
		at = append(at, instant(until))
	}

	if len(at) == 0 {
		return found, nil
	}

	crossings, err := f.crossings(ctx, at)
	if err != nil {
		return found, err
	}

	for _, c := range crossings {
		subject := f.subjectOf(c.video)
		if found[subject] == nil {
			found[subject] = &edges{byOrigin: map[Origin]int64{}, byVideo: map[string]int64{}}
		}

		var inside []Quarter

		for _, q := range c.quarters {
			if (!since || !q.At.Before(from)) && (!ends || q.At.Before(until)) {
				inside = append(inside, q)
			}
		}

		found[subject].add(c, inside, 1)

		if begin := c.quarters[0].At; (!since || !begin.Before(from)) && (!ends || begin.Before(until)) {
			found[subject].add(c, c.quarters, -1)
		}
	}

	return found, nil
}

func (e *edges) add(c *crossing, quarters []Quarter, sign int64) {
	t := c.Tally(quarters)
	e.tally.Add(t, sign)
	e.byVideo[c.video] += sign * t.Sessions

	for _, o := range c.origins {
		e.byOrigin[o] += sign * t.Sessions
	}
}

// origins returns the origins of one kind, with the sessions to add to each.
func (e *edges) origins(kind string) (names []string, sessions []int64) {
	for o, n := range e.byOrigin {
		if o.Kind == kind {
			names, sessions = append(names, o.Name), append(sessions, n)
		}
	}

	return names, sessions
}

// videos returns the videos whose session counts need a correction, with what to add.
func (e *edges) videos() (ids []string, sessions []int64) {
	if e == nil {
		return nil, nil
	}

	for id, n := range e.byVideo {
		ids, sessions = append(ids, id), append(sessions, n)
	}

	return ids, sessions
}

// crossings returns the sessions that were running at these times.
func (f *figures) crossings(ctx context.Context, at []string) (all []*crossing, err error) {
	last := ""
	s := f.statement()
	s.text = fmt.Sprintf(crossingsSQL, s.arg(pq.Array(at)), f.videos(s, "video_id"))

	err = f.read(ctx, "sessions at the edges", s, func(rows *stdsql.Rows) error {
		var (
			c                     crossing
			id, country, referrer string
			q                     Quarter
			counts, played        []byte
		)

		if err := rows.Scan(&id, &c.video, &c.LengthMs, &country, &referrer, &q.At, &q.Completed, &counts, &played); err != nil {
			return err //nolint:wrapcheck // read says what was attempted
		}

		if err := json.Unmarshal(counts, &q.Slices); err != nil {
			return fmt.Errorf("slices of %s: %w", id, err)
		}

		if err := json.Unmarshal(played, &q.Ranges); err != nil {
			return fmt.Errorf("ranges of %s: %w", id, err)
		}

		if id != last {
			c.origins = []Origin{{Kind: Country, Name: country}, {Kind: Referrer, Name: referrer}}
			all, last = append(all, &c), id
		}

		all[len(all)-1].quarters = append(all[len(all)-1].quarters, q)

		return nil
	})

	return all, err
}
