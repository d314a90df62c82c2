package idempotency_test

import (
	"context"
	"database/sql"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/idempotency"
	"github.com/reelgraph/reelgraph/test/testkit"
)

// One user cannot take all connections for requests with a key.
func TestOneUserLeavesRoomForOthers(t *testing.T) {
	t.Parallel()

	b := setup(t)
	locks, err := sql.Open("postgres", b.dsn)
	require.NoError(t, err)
	locks.SetMaxOpenConns(3)
	t.Cleanup(func() { require.NoError(t, locks.Close()) })

	keys := idempotency.New(idempotency.Options{
		Begin: func(ctx context.Context) (context.Context, idempotency.Unit) { return b.store.Begin(ctx) },
		Store: b.store, Locks: locks, Each: 2,
	})
	other := testkit.NewMember(t, b.store, testkit.MemberOpts{})

	running, finish := make(chan struct{}, 5), make(chan struct{})
	ended := make(chan error, 5)

	for n := range 5 {
		go func() {
			_, err := keys.Run(b.member.Context(), request(fmt.Sprint(n), ""), func(context.Context) (idempotency.Answer, error) {
				running <- struct{}{}

				<-finish

				return okay("{}"), nil
			})
			ended <- err
		}()
	}

	<-running
	<-running

	_, err = keys.Run(other.Context(), request("k", ""), func(context.Context) (idempotency.Answer, error) { return okay("{}"), nil })
	require.NoError(t, err)
	require.Empty(t, running, "the user's further requests wait for the first")
	close(finish)

	for range 5 {
		require.NoError(t, <-ended)
	}
}
