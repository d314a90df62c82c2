package store_test

import (
	"context"
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/queue"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/test/testkit"
)

// newer simulates a migration of the next version.
func newer(t *testing.T, s *store.Store, description, change string) {
	t.Helper()

	_, err := s.DB.Exec(change)
	require.NoError(t, err)
	_, err = s.DB.Exec(`INSERT INTO schema_revisions VALUES ('99990101000000', $1, 2, 1, 1, now(), 0, 'x')`, description)
	require.NoError(t, err)
}

// A program keeps running, and can start, beside its successor until that removes something it needs.
func TestOldAndNewProgramsShareADatabase(t *testing.T) {
	t.Parallel()

	s := testkit.Open(t)
	require.NoError(t, makeWorkspaceNow(s))

	newer(t, s, "more_columns", `ALTER TABLE workspaces ADD COLUMN motto text NOT NULL DEFAULT ''; CREATE TABLE mottos (id int)`)
	require.NoError(t, makeWorkspaceNow(s), "earlier prepared statements still work")
	require.Equal(t, 2, workspaces(t, s))
	require.NoError(t, store.Migrate(t.Context(), s.DB, queue.Migrate))

	_, err := s.DB.Exec(`UPDATE schema_revisions SET description = 'contract_names' WHERE version = '99990101000000'`)
	require.NoError(t, err)
	require.ErrorIs(t, store.Migrate(t.Context(), s.DB, queue.Migrate), store.ErrNewer)
}

func makeWorkspaceNow(s *store.Store) error {
	return s.InTx(system(), func(ctx context.Context) error { return makeWorkspace(ctx, s) })
}

// Processes that start together migrate one after the other; all but the first find it done.
func TestMigrateInManyProcesses(t *testing.T) {
	t.Parallel()

	s := testkit.Open(t)
	ended := make(chan error, 8)

	for range cap(ended) {
		go func() { ended <- store.Migrate(t.Context(), s.DB, func(context.Context, *sql.Tx) error { return nil }) }()
	}

	for range cap(ended) {
		require.NoError(t, <-ended)
	}
}

func TestOnRollback(t *testing.T) {
	t.Parallel()

	s := testkit.Open(t)
	undone := 0
	undo := func(ctx context.Context) { require.NoError(t, s.OnRollback(ctx, func() { undone++ })) }

	require.ErrorIs(t, s.InTx(system(), func(ctx context.Context) error {
		undo(ctx)

		return errWanted
	}), errWanted)
	require.Equal(t, 1, undone)

	require.NoError(t, s.InTx(system(), func(ctx context.Context) error {
		undo(ctx)

		return makeWorkspace(ctx, s)
	}))
	require.Equal(t, 1, undone)
	require.ErrorIs(t, s.OnRollback(system(), func() {}), store.ErrNoTx)
}
