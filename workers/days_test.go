package workers_test

import (
	"context"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/playbackevent"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/test/testkit"
	rollup "github.com/reelgraph/reelgraph/workers/analytics"
)

// TestDays: each day's reports go to its partition, whenever that is created, and are dropped with it.
func TestDays(t *testing.T) {
	t.Parallel()

	s := testkit.Open(t)
	m := testkit.NewMember(t, s, testkit.MemberOpts{})
	v := testkit.NewVideo(t, s, m, testkit.VideoOpts{})
	begin := time.Date(2026, 3, 1, 15, 0, 0, 0, time.UTC)

	work := func(at time.Time) {
		require.NoError(t, (&rollup.Days{Clock: func() time.Time { return at }, Store: s}).Work(context.Background(), &river.Job[jobs.Days]{}))
	}

	parts := func() (kept map[int]string) {
		kept = map[int]string{}

		m.Do(t, s, func(ctx context.Context, c *ent.Client) {
			rows, err := c.QueryContext(ctx, "SELECT seq, tableoid::regclass::text FROM playback_events")
			require.NoError(t, err)

			defer rows.Close()

			for rows.Next() {
				var (
					seq  int
					part string
				)

				require.NoError(t, rows.Scan(&seq, &part))
				kept[seq] = part
			}

			require.NoError(t, rows.Err())
		})

		return kept
	}

	var session *ent.ViewSession

	report := func(seq int64, at time.Time) {
		m.Do(t, s, func(ctx context.Context, c *ent.Client) {
			c.PlaybackEvent.Create().SetSessionID(session.ID).SetSeq(seq).SetCreatedAt(at).SetEvents([]byte("[]")).ExecX(ctx)
		})
	}

	m.Do(t, s, func(ctx context.Context, c *ent.Client) {
		session = c.ViewSession.Create().SetVideo(v).SetDurationMs(1000).SetOpenedAt(begin).SaveX(ctx)
	})

	report(0, begin.AddDate(0, 0, -1)) // its partition is missing
	report(1, begin)
	work(begin)
	work(begin)
	report(2, begin.AddDate(0, 0, 14))
	report(3, begin.AddDate(0, 0, 15))
	require.Equal(t, map[int]string{
		0: "playback_events_rest", 1: "playback_events_20260301", 2: "playback_events_20260315", 3: "playback_events_rest",
	}, parts())

	work(begin.AddDate(0, 0, 95)) // 90 days are kept
	require.Equal(t, map[int]string{2: "playback_events_20260315", 3: "playback_events_rest"}, parts())

	m.Do(t, s, func(ctx context.Context, c *ent.Client) {
		c.Video.DeleteOneID(v.ID).ExecX(ctx)
		require.Zero(t, c.PlaybackEvent.Query().Where(playbackevent.SessionID(session.ID)).CountX(ctx))
	})
}

// TestDaysWaitForReports: the job waits for open transactions with reports. If that takes too long, the job fails and
// is retried.
func TestDaysWaitForReports(t *testing.T) {
	t.Parallel()

	s := testkit.Open(t)
	m := testkit.NewMember(t, s, testkit.MemberOpts{})
	v := testkit.NewVideo(t, s, m, testkit.VideoOpts{})
	made := make(chan error, 1)
	work := func() error {
		return (&rollup.Days{Store: s}).Work(context.Background(), &river.Job[jobs.Days]{})
	}

	var session *ent.ViewSession

	m.Do(t, s, func(ctx context.Context, c *ent.Client) {
		session = c.ViewSession.Create().SetVideo(v).SetDurationMs(1000).SetOpenedAt(time.Now()).SaveX(ctx)
	})

	m.Do(t, s, func(ctx context.Context, c *ent.Client) {
		c.ViewSession.UpdateOne(session).SetLastEventAt(time.Now()).ExecX(ctx)

		go func() { made <- work() }()

		require.Eventually(t, func() bool {
			waiting := false
			err := s.DB.QueryRowContext(ctx, `SELECT EXISTS (SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
				WHERE d.datname = current_database() AND NOT l.granted)`).Scan(&waiting)

			return err == nil && waiting || len(made) > 0
		}, time.Minute, time.Millisecond)

		c.PlaybackEvent.Create().SetSessionID(session.ID).SetSeq(1).SetCreatedAt(time.Now()).SetEvents([]byte("[]")).ExecX(ctx)
	})

	if err := <-made; err != nil {
		require.ErrorContains(t, err, "lock timeout")
		require.NoError(t, work())
	}
}
