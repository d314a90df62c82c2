package analytics

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/lib/pq"

	"github.com/reelgraph/reelgraph/internal/analytics"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
)

// rolled is a session being rolled up.
type rolled struct {
	analytics.Session

	id, video, workspace string
	subjects             []string // the workspace, video and other subjects whose sums include the session
	origins              []analytics.Origin
	created, last        time.Time
	before, now          []analytics.Quarter
}

// sessions locks the sessions and reads them with their stored figures.
func (w *Roll) sessions(ctx context.Context, ids []string) (map[string]*rolled, error) {
	all := make(map[string]*rolled, len(ids))

	err := w.Store.Query(ctx, func(rows *sql.Rows) error {
		var (
			s                 rolled
			creator           string
			country, referrer string
			trashed, shared   bool
		)

		err := rows.Scan(&s.id, &s.video, &s.workspace, &s.Opened, &s.LengthMs, &s.created, &s.last, &country, &referrer, &creator,
			&trashed, &shared)
		s.subjects = []string{s.video}
		s.origins = []analytics.Origin{{Kind: analytics.Country, Name: country}, {Kind: analytics.Referrer, Name: referrer}}

		if !trashed { // otherwise the sums of the video follow it when it is restored
			s.subjects = append(s.subjects, creator)
		}

		if shared && !trashed {
			s.subjects = append(s.subjects, s.workspace)
		}

		all[s.id] = &s

		return err
	}, `SELECT s.id, s.video_id, s.workspace_id, s.opened_at, s.duration_ms, s.created_at, s.last_event_at,
			coalesce(s.country, ''), coalesce(s.referrer, ''), v.user_id, v.trashed_at IS NOT NULL, v.visibility = 'org'
		FROM view_sessions s JOIN videos v ON v.id = s.video_id WHERE s.id = ANY($1::text[]) ORDER BY s.id FOR UPDATE OF s`, pq.Array(ids))
	if err != nil {
		return nil, fmt.Errorf("lock sessions: %w", err)
	}

	err = w.Store.Query(ctx, func(rows *sql.Rows) error {
		var (
			id             string
			q              analytics.Quarter
			counts, played []byte
		)

		err := rows.Scan(&id, &q.At, &q.Opens, &q.Views, &q.WatchedMs, &q.DistinctMs, &q.Completed, &counts, &played)
		if err != nil {
			return err //nolint:wrapcheck // wrapped below
		}

		if err := json.Unmarshal(counts, &q.Slices); err != nil {
			return fmt.Errorf("read slices: %w", err)
		}

		if err := json.Unmarshal(played, &q.Ranges); err != nil {
			return fmt.Errorf("read ranges: %w", err)
		}

		q.At = q.At.UTC()
		all[id].before = append(all[id].before, q)

		return nil
	}, `SELECT session_id, quarter, opens, views, watched_ms, distinct_ms, completed, slices, ranges
		FROM view_quarters WHERE session_id = ANY($1::text[]) ORDER BY session_id, quarter`, pq.Array(ids))
	if err != nil {
		return nil, fmt.Errorf("read figures: %w", err)
	}

	return all, nil
}

// replay computes the quarters of the sessions from their reports. It reads the reports one by one because together
// they may not fit into memory.
func (w *Roll) replay(ctx context.Context, sessions map[string]*rolled) error {
	if len(sessions) == 0 {
		return nil
	}

	var (
		of       *rolled
		standing *analytics.Replay
	)

	done := func() {
		if of != nil {
			of.now = standing.Quarters()
		}
	}

	ids, from, until := bounds(sessions)

	err := w.Store.Query(ctx, func(rows *sql.Rows) error {
		var (
			id    string
			batch analytics.Batch
			text  []byte
		)

		if err := rows.Scan(&id, &batch.Received, &text); err != nil {
			return err //nolint:wrapcheck // wrapped below
		}

		if of == nil || of.id != id {
			done()

			of = sessions[id]
			standing = of.Replay()
		}

		if err := json.Unmarshal(text, &batch.Events); err != nil {
			return fmt.Errorf("read a report of %s: %w", id, err)
		}

		standing.Add(batch)

		return nil
	}, `SELECT session_id, created_at, events FROM playback_events
		WHERE session_id = ANY($1::text[]) AND created_at >= $2 AND created_at <= $3 ORDER BY session_id, seq`, pq.Array(ids), from, until)
	if err != nil {
		return fmt.Errorf("read reports: %w", err)
	}

	done()

	for _, s := range sessions {
		s.keepOld(w.now().Add(-jobs.ReportKept))
	}

	return nil
}

// early is how long before its session a report may be stamped: another server's clock may be slow, or the report was
// accepted at the same time as the one that opened the session.
const early = 24 * time.Hour

// bounds returns the ids of the sessions and the time range of their reports.
func bounds(sessions map[string]*rolled) (ids []string, from, until time.Time) {
	for id, s := range sessions {
		ids = append(ids, id)

		if from.IsZero() || s.created.Before(from) {
			from = s.created
		}

		if s.last.After(until) {
			until = s.last
		}
	}

	return ids, from.Add(-early), until
}

// keepOld keeps the stored figures of a session that is so old that some of its reports may have been deleted.
func (s *rolled) keepOld(horizon time.Time) {
	old := func(q analytics.Quarter) bool { return q.At.Before(horizon) }

	if !slices.ContainsFunc(s.before, old) {
		return
	}

	kept := slices.DeleteFunc(slices.Clone(s.before), func(q analytics.Quarter) bool { return !old(q) })
	s.now = slices.Concat(kept, slices.DeleteFunc(s.now, old))
}

// changed returns the quarters that differ from what is stored.
func (s *rolled) changed() []analytics.Quarter {
	return slices.DeleteFunc(slices.Clone(s.now), func(q analytics.Quarter) bool {
		return slices.ContainsFunc(s.before, func(b analytics.Quarter) bool { return reflect.DeepEqual(q, b) })
	})
}
