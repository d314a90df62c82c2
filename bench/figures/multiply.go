package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	rollup "github.com/reelgraph/reelgraph/workers/analytics"
)

// multiply stores the other copies of the sessions and their part of the figures: those of their originals, shifted by
// whole quarters.
func (b *bench) multiply(ctx context.Context, sessions int) error {
	if err := b.fill(ctx, sessions, sessions*growth, sessions); err != nil {
		return err
	}

	later := fmt.Sprintf("k * %d * interval '15 minutes'", stepQuarters)
	copied := fmt.Sprintf("'vs_' || lpad((right(session_id, 26)::bigint + k * %d)::text, 26, '0')", sessions)

	return b.exec(ctx, nil,
		fmt.Sprintf(`INSERT INTO view_quarters (id, created_at, updated_at, workspace_id, video_id, session_id, quarter, opens, views, watched_ms,
				distinct_ms, completed, slices, ranges)
			SELECT id || '_' || k, created_at, updated_at, workspace_id, video_id, %s, quarter + %s, opens, views, watched_ms,
				distinct_ms, completed, slices, ranges
			FROM view_quarters, generate_series(1, %d) k`, copied, later, growth-1),
		fmt.Sprintf(`INSERT INTO view_crossings (workspace_id, at, session_id, video_id) SELECT workspace_id, at + %s, %s, video_id
			FROM view_crossings, generate_series(1, %d) k`, later, copied, growth-1),
		levels(later, "view_totals", "subject", "opens", "views", "watched_ms", "sessions", "watching", "completed", "share"),
		levels(later, "view_slices", "subject", "watches", "viewers"),
		levels(later, "view_places", "subject, kind, place", "views", "sessions"),
		"UPDATE view_sessions SET waiting_since = NULL WHERE waiting_since IS NOT NULL",
		"VACUUM FULL view_sessions", // the product never updates all rows at once
		"VACUUM ANALYZE",
	)
}

// levels builds a table of sums from its lowest level by adding up what each copy shifts.
func levels(later, table, keys string, counts ...string) string {
	names := strings.Join(counts, ", ")
	sums := "sum(" + strings.Join(counts, "), sum(") + ")"

	return fmt.Sprintf(`WITH low AS (DELETE FROM %[1]s RETURNING workspace_id, %[2]s, level, at, %[3]s)
INSERT INTO %[1]s (workspace_id, %[2]s, level, at, %[3]s)
SELECT workspace_id, %[2]s, l, date_bin((ARRAY['15 minutes', '1 day', '16 days'])[l + 1]::interval, at + %[5]s, 'epoch') AS bin, %[4]s
FROM low, generate_series(0, %[6]d) k, generate_series(0, 2) l WHERE level = 0 GROUP BY workspace_id, %[2]s, l, bin`,
		table, keys, names, sums, later, growth-1)
}

// proved is the number of copies that the product's job replays.
const proved = 2000

// prove lets the job replay some of the copies, which must not change any figure, and compares the sums of each level
// with the sessions.
func (b *bench) prove(ctx context.Context, sessions int) error {
	err := b.exec(ctx, nil, fmt.Sprintf(`UPDATE view_sessions SET waiting_since = now() WHERE id IN (
		SELECT 'vs_' || lpad((%[1]d + n * 7919::bigint %% (%[1]d * %[2]d))::text, 26, '0') FROM generate_series(1, %[3]d) n)`,
		sessions, growth-1, proved))
	if err != nil {
		return err
	}

	before, err := b.count(ctx, "SELECT clock_timestamp()::text")
	if err != nil {
		return err
	}

	if err := (&rollup.Roll{Store: b.store}).Work(ctx, &river.Job[jobs.Roll]{}); err != nil {
		return fmt.Errorf("roll up a sample: %w", err)
	}

	changed, err := b.count(ctx, "SELECT count(*) FROM view_quarters WHERE updated_at >= $1::timestamptz", before)
	if err != nil {
		return err
	}

	if changed != "0" {
		return fmt.Errorf("the job changed the figures of %s quarters", changed)
	}

	want, err := b.count(ctx, `SELECT concat_ws(' ', sum(opens), sum(views), sum(watched_ms), count(DISTINCT session_id)) FROM view_quarters`)
	if err != nil {
		return err
	}

	for level := range 3 {
		got, err := b.count(ctx, `SELECT concat_ws(' ', sum(opens), sum(views), sum(watched_ms), sum(sessions)) FROM view_totals
			WHERE subject = $1 AND level = $2`, b.workspace, level)
		if err != nil {
			return err
		}

		if got != want {
			return fmt.Errorf("the sums of level %d are %s, want %s", level, got, want)
		}
	}

	return nil
}
