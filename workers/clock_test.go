package workers_test

import (
	"context"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	rollup "github.com/reelgraph/reelgraph/workers/analytics"
	"github.com/reelgraph/reelgraph/workers/housekeeping"
	"github.com/reelgraph/reelgraph/workers/media"
)

// TestWrongClockDeletesNothing: a server whose clock differs from the database deletes nothing by age.
func TestWrongClockDeletesNothing(t *testing.T) {
	t.Parallel()

	dsn := testkit.Database(t)

	for _, statement := range []string{
		`CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS $$ SELECT pg_catalog.clock_timestamp() - interval '40 days' $$`,
		`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database()); END $$`,
	} {
		_, err := testkit.OpenAt(t, dsn).DB.ExecContext(t.Context(), statement)
		require.NoError(t, err)
	}

	s := testkit.OpenAt(t, dsn)
	m := testkit.NewMember(t, s, testkit.MemberOpts{})

	m.Do(t, s, func(ctx context.Context, c *ent.Client) {
		c.WebhookMessage.Create().SetBody("{}").SetEventType(values.EventTypeVideoCreated).
			SetOccurredAt(time.Now().Add(-jobs.MessageKept - time.Hour)).ExecX(ctx)
	})

	const off = "the clock is off by 960h0m0s"

	sweep := &housekeeping.Sweep{Deps: media.Deps{Clock: time.Now, Store: s}}
	require.ErrorContains(t, sweep.Work(t.Context(), nil), off)
	require.ErrorContains(t, (&rollup.Days{Store: s}).Work(t.Context(), &river.Job[jobs.Days]{}), off)

	m.Do(t, s, func(ctx context.Context, c *ent.Client) { require.Equal(t, 1, c.WebhookMessage.Query().CountX(ctx)) })
}
