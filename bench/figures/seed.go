package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/values"
	rollup "github.com/reelgraph/reelgraph/workers/analytics"
)

const (
	// eventsEach is the number of events of a session: five reports of five.
	eventsEach = 25

	// stepQuarters is how many quarters of an hour each copy of a session is later.
	stepQuarters = 37
)

const videosSQL = `INSERT INTO videos (id, created_at, updated_at, workspace_id, user_id, name, description, visibility, revision, views,
	duration_ms, width, height, settings, editing, next_clip_number)
SELECT 'vid_' || lpad(n::text, 26, '0'), now(), CURRENT_TIMESTAMP, $1, $2, 'Video ' || n, '', 'org', 0, 0,
	300000 + n % 7 * 45000, 1920, 1080, $3::jsonb, $4::jsonb, 1
FROM generate_series(0, $5::int - 1) n`

// sessionsSQL creates sessions with numbers in a range, given the number of sessions in a copy. The number within the
// copy determines a session's video and time; the job replays its events. Some videos are viewed far more than others.
const sessionsSQL = `INSERT INTO view_sessions (id, created_at, workspace_id, video_id, duration_ms, country, referrer, private,
	opened_at, last_event_at, first_play_at, waiting_since, seqs)
SELECT 'vs_' || lpad(n::text, 26, '0'), at, $1, v.id, v.duration_ms,
	(ARRAY['DE','FR','US','BR','JP','IN','NP','GB','ES','IT',NULL])[1 + base % 11],
	(ARRAY['example.com','example.org','example.net',NULL])[1 + base % 4], false, at, at + interval '250 seconds', at, now(), '{[0,5)}'
FROM generate_series($2::bigint, $3::bigint - 1) n CROSS JOIN LATERAL (SELECT n % $4::bigint AS base, n / $4::bigint AS copy) c
	CROSS JOIN LATERAL (SELECT date_trunc('milliseconds', current_date - interval '89 days' + (base * 7919 % 7000000) * interval '1 second'
		+ copy * $5::int * interval '15 minutes') AS at) t
	JOIN videos v ON v.id = 'vid_' || lpad((power((base * 104729 % 10007) / 10007.0, 2) * $6::int)::int::text, 26, '0')`

// reportsSQL creates the reports of those sessions: they play, jump once, and play on.
const reportsSQL = `INSERT INTO playback_events (id, created_at, workspace_id, session_id, seq, events)
SELECT 'pev_' || lpad((right(s.id, 26)::bigint * 5 + seq)::text, 26, '0'), s.opened_at + (seq + 1) * interval '50 seconds', $1, s.id, seq, (
	SELECT jsonb_agg(CASE e WHEN 0 THEN jsonb_build_object('type', 'open', 'atMs', ms)
		WHEN 1 THEN jsonb_build_object('type', 'play', 'atMs', ms)
		WHEN 12 THEN jsonb_build_object('type', 'seek', 'atMs', ms)
		ELSE jsonb_build_object('type', 'progress', 'atMs', ms, 'fromSeconds', second, 'toSeconds', second + 10) END ORDER BY e)
	FROM generate_series(seq * 5, seq * 5 + 4) e, LATERAL (SELECT (extract(epoch FROM s.opened_at) * 1000)::bigint + (e + 1) * 10000 AS ms,
		(e - 2) * 10 + CASE WHEN e > 12 THEN (right(s.id, 26)::bigint % $4) * 31 % 90 ELSE 0 END AS second) p
)
FROM view_sessions s, generate_series(0, 4) seq
WHERE s.id >= 'vs_' || lpad($2::text, 26, '0') AND s.id < 'vs_' || lpad($3::text, 26, '0')`

// fill stores sessions with their reports.
func (b *bench) fill(ctx context.Context, from, to, each int) error {
	return errors.Join(
		b.exec(ctx, []any{b.workspace, from, to, each, stepQuarters, videos}, sessionsSQL),
		b.exec(ctx, []any{b.workspace, from, to, each}, reportsSQL),
	)
}

// seed stores the first copy.
func (b *bench) seed(ctx context.Context, sessions int) error {
	settings, err := json.Marshal(values.DefaultVideoSettings())
	if err != nil {
		return fmt.Errorf("encode settings: %w", err)
	}

	editing, err := json.Marshal(values.DefaultEditing())
	if err != nil {
		return fmt.Errorf("encode editing: %w", err)
	}

	err = b.exec(ctx, []any{b.workspace, b.user, string(settings), string(editing), videos}, videosSQL)
	if err != nil {
		return err
	}

	days := &rollup.Days{Clock: func() time.Time { return time.Now().AddDate(0, 0, -90) }, Store: b.store}

	for range 7 { // partitions for two weeks at a time
		if err := days.Work(ctx, &river.Job[jobs.Days]{}); err != nil {
			return err
		}

		was := days.Clock()
		days.Clock = func() time.Time { return was.AddDate(0, 0, 14) }
	}

	if err := b.fill(ctx, 0, sessions, sessions); err != nil {
		return err
	}

	return b.exec(ctx, nil, "VACUUM ANALYZE")
}

// roll computes the pending figures with the product's job.
func (b *bench) roll(ctx context.Context) (time.Duration, error) {
	began := time.Now()

	if err := (&rollup.Roll{Store: b.store}).Work(ctx, &river.Job[jobs.Roll]{}); err != nil {
		return 0, fmt.Errorf("roll up: %w", err)
	}

	took := time.Since(began)
	fmt.Fprintf(os.Stderr, "rolled up: %.1f s\n", took.Seconds())

	return took, b.exec(ctx, nil, "VACUUM ANALYZE")
}
