package workers_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/viewsession"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/queue"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/workers"
	rollup "github.com/reelgraph/reelgraph/workers/analytics"
)

// TestRollEndsDespiteNewReports: the job ends even if reports keep arriving; the next job handles them.
func TestRollEndsDespiteNewReports(t *testing.T) {
	t.Parallel()

	s := testkit.Open(t)
	m := testkit.NewMember(t, s, testkit.MemberOpts{})
	v := testkit.NewVideo(t, s, m, testkit.VideoOpts{})

	var idle *ent.ViewSession

	m.Do(t, s, func(ctx context.Context, c *ent.Client) {
		at := time.Now().UTC()
		busy := c.ViewSession.Create().SetVideo(v).SetDurationMs(1000).SetOpenedAt(at).SetWaitingSince(at.Add(-time.Hour)).SaveX(ctx)
		idle = c.ViewSession.Create().SetVideo(v).SetDurationMs(1000).SetOpenedAt(at).SetWaitingSince(at.Add(-time.Minute)).SaveX(ctx)

		// Each time its figures are written, the next report arrives.
		_, err := c.ExecContext(ctx, `CREATE FUNCTION report() RETURNS trigger LANGUAGE plpgsql AS
			$$ BEGIN NEW.waiting_since := clock_timestamp(); RETURN NEW; END $$`)
		require.NoError(t, err)
		_, err = c.ExecContext(ctx, `CREATE TRIGGER report BEFORE UPDATE ON view_sessions FOR EACH ROW
			WHEN (NEW.waiting_since IS NULL AND NEW.id = '`+busy.ID+`') EXECUTE FUNCTION report()`)
		require.NoError(t, err)
	})

	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()

	require.NoError(t, (&rollup.Roll{Store: s}).Work(ctx, &river.Job[jobs.Roll]{}))

	m.Do(t, s, func(ctx context.Context, c *ent.Client) {
		require.Nil(t, c.ViewSession.GetX(ctx, idle.ID).WaitingSince)
		require.Equal(t, 1, c.ViewSession.Query().Where(viewsession.WaitingSinceNotNil()).CountX(ctx))
	})
}

// TestOneSessionDelaysNoOther: a session that cannot be rolled up does not delay others and moves to the end of the
// queue.
func TestOneSessionDelaysNoOther(t *testing.T) {
	t.Parallel()

	s := testkit.Open(t)
	m := testkit.NewMember(t, s, testkit.MemberOpts{})
	v := testkit.NewVideo(t, s, m, testkit.VideoOpts{})
	begin := time.Now().UTC().Add(-time.Hour)

	var broken *ent.ViewSession

	m.Do(t, s, func(ctx context.Context, c *ent.Client) {
		for i := range 150 {
			at := begin.Add(time.Duration(i) * time.Second)
			session := c.ViewSession.Create().SetVideo(v).SetDurationMs(1000).SetOpenedAt(at).SetCreatedAt(at).SetWaitingSince(at).SaveX(ctx)
			events := `[{"type":"open","atMs":0}]`

			if broken == nil {
				broken, events = session, `"nothing that a replay can read"`
			}

			c.PlaybackEvent.Create().SetSessionID(session.ID).SetSeq(0).SetCreatedAt(at).SetEvents([]byte(events)).ExecX(ctx)
		}
	})

	work := func() error { return (&rollup.Roll{Store: s}).Work(t.Context(), &river.Job[jobs.Roll]{}) }
	require.ErrorContains(t, work(), broken.ID)

	m.Do(t, s, func(ctx context.Context, c *ent.Client) {
		require.Equal(t, 149, c.ViewQuarter.Query().CountX(ctx))

		waits := c.ViewSession.Query().Where(viewsession.WaitingSinceNotNil()).OnlyX(ctx)
		require.Equal(t, broken.ID, waits.ID)
		require.WithinRange(t, *waits.WaitingSince, begin.Add(30*time.Minute), time.Now().Add(time.Minute))

		_, err := c.ExecContext(ctx, `UPDATE playback_events SET events = '[{"type":"open","atMs":0}]' WHERE session_id = $1`, broken.ID)
		require.NoError(t, err)
	})

	require.NoError(t, work())

	m.Do(t, s, func(ctx context.Context, c *ent.Client) {
		require.Equal(t, 150, c.ViewQuarter.Query().CountX(ctx))
	})
}

// TestRollDelaysNoOtherJob: a long roll-up delays neither a second job nor uploads.
func TestRollDelaysNoOtherJob(t *testing.T) {
	t.Parallel()

	s := testkit.Open(t)
	client, err := queue.NewInserter(s.DB, slog.New(slog.DiscardHandler))
	require.NoError(t, err)

	for range 3 {
		_, err = client.Insert(t.Context(), jobs.Roll{}, nil)
		require.NoError(t, err)
		_, err = client.Insert(t.Context(), jobs.Days{}, nil)
		require.NoError(t, err)
	}

	var n, elsewhere int
	require.NoError(t, s.DB.QueryRowContext(t.Context(), "SELECT count(*), count(*) FILTER (WHERE queue <> $1) FROM river_job",
		jobs.QueueFigures).Scan(&n, &elsewhere))
	require.Equal(t, 2, n)
	require.Zero(t, elsewhere)

	worked, err := workers.Queues(nil)
	require.NoError(t, err)
	require.Equal(t, 2, worked[jobs.QueueFigures].MaxWorkers)
}
