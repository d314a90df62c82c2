package workers

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/webhook"
)

func TestLanes(t *testing.T) {
	t.Parallel()

	answer := webhook.Outcome{Duration: time.Millisecond}
	hang := webhook.Outcome{Duration: webhook.Timeout, Fault: domain.AttemptErrorTimeout}
	fill := func(l *lanes) (entered int) {
		for l.tryEnter("ep") {
			entered++
		}
		return entered
	}

	t.Run("an endpoint that answers gets more, up to eight", func(t *testing.T) {
		t.Parallel()

		l := newLanes()
		require.Equal(t, 2, fill(l))
		for range 10 {
			l.leave("ep", answer)
			fill(l)
		}
		require.Equal(t, 8, l.byEndpoint["ep"].running)
		require.Zero(t, fill(l))
	})

	t.Run("one that hangs gets a single place and nobody waits for it", func(t *testing.T) {
		t.Parallel()

		synctest.Test(t, func(t *testing.T) {
			l := newLanes()
			require.Equal(t, 2, fill(l))
			begun := time.Now()
			require.False(t, l.enter(t.Context(), "ep"), "it has shown nothing yet")
			require.Zero(t, l.leave("ep", hang))
			require.Equal(t, 1, l.leave("ep", hang))
			require.Equal(t, 1, fill(l))
			require.False(t, l.enter(t.Context(), "ep"))
			require.Zero(t, time.Since(begun))

			require.Positive(t, l.leave("ep", answer), "until it answers again")
			require.Equal(t, 2, fill(l))
		})
	})

	t.Run("deliveries wait for an endpoint that answers, but not for long", func(t *testing.T) {
		t.Parallel()

		synctest.Test(t, func(t *testing.T) {
			l := newLanes()
			fill(l)
			l.leave("ep", answer)
			require.Equal(t, 2, fill(l))

			got := make(chan bool)
			for range 3 * waitersPerPlace {
				go func() { got <- l.enter(t.Context(), "ep") }()
			}
			synctest.Wait()
			require.False(t, l.enter(t.Context(), "ep"), "as many wait as may")
			require.Zero(t, l.leave("ep", answer), "there are enough to go on with")
			require.True(t, <-got)
			require.True(t, <-got, "it got wider by one")

			for range 3*waitersPerPlace - 2 {
				require.False(t, <-got)
			}
			begun := time.Now()
			require.False(t, l.enter(t.Context(), "ep"), "who kept others waiting has to answer first")
			require.Zero(t, time.Since(begun))
			for range 4 {
				l.leave("ep", webhook.Outcome{})
			}
			require.Empty(t, l.byEndpoint, "a lane at rest is forgotten")
		})
	})

	t.Run("who leaves takes no place", func(t *testing.T) {
		t.Parallel()

		synctest.Test(t, func(t *testing.T) {
			l := newLanes()
			fill(l)
			l.leave("ep", answer)
			fill(l)
			ctx, cancel := context.WithCancel(t.Context())
			got := make(chan bool)
			go func() { got <- l.enter(ctx, "ep") }()
			synctest.Wait()
			cancel()
			require.False(t, <-got)
			require.Empty(t, l.byEndpoint["ep"].waiting)
		})
	})

	t.Run("places that other processes hold are made do without", func(t *testing.T) {
		t.Parallel()

		l := newLanes()
		fill(l)
		l.yield("ep")
		require.Zero(t, fill(l))
		l.leave("ep", answer)
		require.Equal(t, 2, fill(l))
	})
}
