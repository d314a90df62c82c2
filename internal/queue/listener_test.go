package queue_test

import (
	"context"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/queue"
)

func TestListenerTakesAFloodWhileItAsks(t *testing.T) {
	t.Parallel()

	const flood = 5000
	b := setup(t)
	listener := queue.NewListener(b.db, b.dsn)
	require.NoError(t, listener.Connect(t.Context()))
	t.Cleanup(func() { require.NoError(t, listener.Close(context.WithoutCancel(t.Context()))) })
	require.Equal(t, "public", listener.Schema())
	require.NoError(t, listener.Listen(t.Context(), "river_insert"))

	_, err := b.db.ExecContext(t.Context(), "SELECT pg_notify('public.river_insert', i::text) FROM generate_series(1, $1::int) i", flood)
	require.NoError(t, err)
	require.NoError(t, listener.Ping(t.Context()))
	for i := range flood {
		notification, err := listener.WaitForNotification(t.Context())
		require.NoError(t, err)
		require.Equal(t, "river_insert", notification.Topic)
		require.Equal(t, strconv.Itoa(i+1), notification.Payload)
	}
	require.NoError(t, listener.Unlisten(t.Context(), "river_insert"))
}

func TestListenerEndsWithItsConnectionAndBeginsAnew(t *testing.T) {
	t.Parallel()

	b := setup(t)
	listener := queue.NewListener(b.db, b.dsn)
	require.Error(t, listener.Ping(t.Context()), "not connected yet")
	require.NoError(t, listener.Connect(t.Context()))
	require.NoError(t, listener.Listen(t.Context(), "river_insert"))

	_, err := b.db.ExecContext(t.Context(), "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN %'")
	require.NoError(t, err)
	_, err = listener.WaitForNotification(t.Context())
	require.Error(t, err)
	require.Error(t, listener.Ping(t.Context()))
	require.NoError(t, listener.Close(t.Context()))
	require.NoError(t, listener.Close(t.Context()), "closing twice is harmless")

	require.NoError(t, listener.Connect(t.Context()))
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = listener.WaitForNotification(canceled)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, listener.Ping(canceled), context.Canceled)
	require.NoError(t, listener.Listen(t.Context(), "river_insert"))
	require.NoError(t, listener.Close(t.Context()))
}

// A program that stops while its database is gone stops: River, told of another fault than the end of the
// context, would connect again and again without a pause.
func TestNobodyConnectsAfterTheEnd(t *testing.T) {
	t.Parallel()

	ended, cancel := context.WithCancel(t.Context())
	cancel()

	listener := queue.NewListener(setup(t).db, "postgres://127.0.0.1:1/nobody?sslmode=disable")
	require.ErrorIs(t, listener.Connect(ended), context.Canceled)

	err := listener.Connect(t.Context())
	require.Error(t, err)
	require.NotErrorIs(t, err, context.Canceled)
}
