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
	"github.com/reelgraph/reelgraph/internal/queue"
	"github.com/reelgraph/reelgraph/internal/testkit"
	"github.com/reelgraph/reelgraph/workers"
	"github.com/reelgraph/reelgraph/workers/jobs"
)

// Figures are made to an end however many reports come meanwhile: what they change waits for the next job.
func TestRollEndsWhileReportsCome(t *testing.T) {
	t.Parallel()

	s := testkit.Open(t)
	m := testkit.NewMember(t, s, testkit.MemberOpts{})
	v := testkit.NewVideo(t, s, m, testkit.VideoOpts{})

	var idle *ent.ViewSession

	m.Do(t, s, func(ctx context.Context, c *ent.Client) {
		at := time.Now().UTC()
		busy := c.ViewSession.Create().SetVideo(v).SetDurationMs(1000).SetOpenedAt(at).SetWaitingSince(at.Add(-time.Hour)).SaveX(ctx)
		idle = c.ViewSession.Create().SetVideo(v).SetDurationMs(1000).SetOpenedAt(at).SetWaitingSince(at.Add(-time.Minute)).SaveX(ctx)

		// Whenever its figures are made, the next report is there.
		_, err := c.ExecContext(ctx, `CREATE FUNCTION report() RETURNS trigger LANGUAGE plpgsql AS
			$$ BEGIN NEW.waiting_since := clock_timestamp(); RETURN NEW; END $$`)
		require.NoError(t, err)
		_, err = c.ExecContext(ctx, `CREATE TRIGGER report BEFORE UPDATE ON view_sessions FOR EACH ROW
			WHEN (NEW.waiting_since IS NULL AND NEW.id = '`+busy.ID+`') EXECUTE FUNCTION report()`)
		require.NoError(t, err)
	})

	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()

	require.NoError(t, (&workers.Roll{Store: s}).Work(ctx, &river.Job[jobs.Roll]{}))

	m.Do(t, s, func(ctx context.Context, c *ent.Client) {
		require.Nil(t, c.ViewSession.GetX(ctx, idle.ID).WaitingSince)
		require.Equal(t, 1, c.ViewSession.Query().Where(viewsession.WaitingSinceNotNil()).CountX(ctx))
	})
}

// However long figures take, no second job waits for them, nor do uploads.
func TestFiguresKeepNobodyWaiting(t *testing.T) {
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
