package store_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/graph"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/keyring"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

func TestMain(m *testing.M) { testkit.Main(m) }

var errWanted = errors.New("wanted")

func system() context.Context { return auth.AsSystem(context.Background()) }

// workspaces returns how many workspaces were committed, as another process sees it.
func workspaces(t *testing.T, s *store.Store) int {
	t.Helper()

	return s.Client(system()).Workspace.Query().CountX(system())
}

func makeWorkspace(ctx context.Context, s *store.Store) error {
	return s.Client(ctx).Workspace.Create().SetName("x").Exec(ctx)
}

func TestWritesNeedATransaction(t *testing.T) {
	t.Parallel()

	s := testkit.Open(t)

	require.ErrorIs(t, makeWorkspace(system(), s), store.ErrNoTx)
	require.ErrorIs(t, s.Client(system()).Workspace.Update().SetName("y").Exec(system()), store.ErrNoTx)
	require.ErrorIs(t, s.WithTx(system(), func(*sql.Tx) error { return nil }), store.ErrNoTx)
	require.ErrorIs(t, s.Notify(system(), "x"), store.ErrNoTx)
	require.Zero(t, workspaces(t, s))
}

func TestErrorRollsBackEverything(t *testing.T) {
	t.Parallel()

	s := testkit.Open(t)

	err := s.InTx(system(), func(ctx context.Context) error {
		require.NoError(t, makeWorkspace(ctx, s))

		// A nested InTx joins the transaction; its writes are rolled back with the rest.
		require.NoError(t, s.InTx(ctx, func(ctx context.Context) error { return makeWorkspace(ctx, s) }))
		require.Equal(t, 2, s.Client(ctx).Workspace.Query().CountX(ctx))

		return errWanted
	})
	require.ErrorIs(t, err, errWanted)
	require.Zero(t, workspaces(t, s))
}

// A unit in which something failed cannot be committed, even if the caller ignores the error.
func TestFailedUnitIsNotCommitted(t *testing.T) {
	t.Parallel()

	s := testkit.Open(t)
	ctx, unit := s.Begin(system())

	require.NoError(t, s.InTx(ctx, func(ctx context.Context) error { return makeWorkspace(ctx, s) }))
	require.Error(t, s.InTx(ctx, func(context.Context) error { return errWanted }))
	require.Error(t, unit.Commit(ctx))
	unit.Rollback()
	require.Zero(t, workspaces(t, s))
	require.Error(t, s.InTx(ctx, func(context.Context) error { return nil }), "the transaction has ended")
}

func TestUnitBeginsWithFirstWrite(t *testing.T) {
	t.Parallel()

	s := testkit.Open(t)
	ctx, unit := s.Begin(system())
	called := false

	require.ErrorIs(t, s.WithTx(ctx, func(*sql.Tx) error { return nil }), store.ErrNoTx)
	require.NoError(t, s.InTx(ctx, func(ctx context.Context) error { return makeWorkspace(ctx, s) }))
	require.NoError(t, s.AfterCommit(ctx, func() { called = true }))
	require.Equal(t, 1, s.Client(ctx).Workspace.Query().CountX(ctx), "the unit reads its own writes")
	require.Zero(t, workspaces(t, s), "other readers do not see them yet")
	require.False(t, called)

	require.NoError(t, unit.Commit(ctx))
	require.True(t, called)
	require.Equal(t, 1, workspaces(t, s))
}

// Resolvers run concurrently; their statements in a transaction run one at a time.
func TestStatementsOfATransactionTakeTurns(t *testing.T) {
	t.Parallel()

	s := testkit.Open(t)

	require.NoError(t, s.InTx(system(), func(ctx context.Context) error {
		for range 20 {
			require.NoError(t, makeWorkspace(ctx, s))
		}

		var all sync.WaitGroup
		for range 16 {
			all.Go(func() {
				require.Len(t, s.Client(ctx).Workspace.Query().AllX(ctx), 20)

				n := 0

				require.NoError(t, s.Query(ctx, func(*sql.Rows) error {
					n++

					return nil
				}, "SELECT id FROM workspaces WHERE name = $1", "x"))
				require.Equal(t, 20, n)
			})
		}

		all.Wait()

		return nil
	}))
}

// A connection prepares each statement once, inside and outside transactions, and drops the least recently used one.
func TestStatementsStayPrepared(t *testing.T) {
	t.Parallel()

	s, err := store.Open(context.Background(), testkit.Database(t), store.Options{MaxConns: 1})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })

	plus := func(ctx context.Context, n int) {
		got := 0

		require.NoError(t, s.Query(ctx, func(rows *sql.Rows) error { return rows.Scan(&got) },
			fmt.Sprintf("SELECT $1::int + %d", n), 1))
		require.Equal(t, n+1, got)
	}

	plus(context.Background(), 0)
	plus(context.Background(), 0)
	require.NoError(t, s.InTx(system(), func(ctx context.Context) error {
		require.NoError(t, makeWorkspace(ctx, s)) // the transaction opens
		plus(ctx, 0)
		plus(ctx, 0)

		return s.WithTx(ctx, func(tx *sql.Tx) error {
			got := 0
			require.NoError(t, tx.QueryRow("SELECT $1::int + 0", 1).Scan(&got))

			return nil
		})
	}))

	var executed int
	require.NoError(t, s.DB.QueryRow(`
SELECT generic_plans + custom_plans FROM pg_prepared_statements WHERE statement = 'SELECT $1::int + 0'`).Scan(&executed))
	require.Equal(t, 5, executed)

	for n := range 300 {
		plus(context.Background(), n)
	}

	var kept int
	require.NoError(t, s.DB.QueryRow(`SELECT count(*) FROM pg_prepared_statements`).Scan(&kept))
	require.Equal(t, 256, kept)
	require.Error(t, s.Query(context.Background(), nil, "SELECT nonsense($1)", 1))
	plus(context.Background(), 0)

	require.NoError(t, s.Query(context.Background(), func(*sql.Rows) error { return nil },
		"SELECT $1::int -- "+strings.Repeat("long ", 2_000), 1))
	require.NoError(t, s.DB.QueryRow(`SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%long%'`).Scan(&kept))
	require.Zero(t, kept, "long statements are not kept")
}

// A migration may change the columns of a statement's result, and statements may be deallocated. A read outside a
// transaction does not notice; a transaction fails once, as if its connection were lost.
func TestStaleStatements(t *testing.T) {
	t.Parallel()

	s, err := store.Open(context.Background(), testkit.Database(t), store.Options{MaxConns: 1})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })

	exec := func(statement string) {
		_, err := s.DB.Exec(statement)
		require.NoError(t, err)
	}
	all := func(ctx context.Context) error {
		return s.Query(ctx, func(*sql.Rows) error { return nil }, "SELECT size FROM changing WHERE id > $1", 0)
	}
	write := func() error {
		return s.InTx(system(), func(ctx context.Context) error {
			require.NoError(t, makeWorkspace(ctx, s))

			return all(ctx)
		})
	}

	exec("CREATE TABLE changing (id int, size int)")

	for i, change := range []string{"ALTER TABLE changing ALTER COLUMN size TYPE bigint", "DEALLOCATE ALL"} {
		require.NoError(t, all(context.Background()))
		exec(change)
		require.NoError(t, all(context.Background()), i)
	}

	require.NoError(t, write())
	exec("ALTER TABLE changing ALTER COLUMN size TYPE text")
	require.ErrorIs(t, write(), driver.ErrBadConn)
	require.NoError(t, write())

	named := func() error {
		return s.Query(context.Background(), func(*sql.Rows) error { return nil }, "SELECT id FROM changing WHERE size = $1", "large")
	}

	exec("ALTER TABLE changing ALTER COLUMN size TYPE int USING 0")
	require.Error(t, named(), "a text is not an int")
	exec("ALTER TABLE changing ALTER COLUMN size TYPE text")
	require.NoError(t, named(), "argument types are looked up again")
}

func TestNotificationsComeWithTheCommit(t *testing.T) {
	t.Parallel()

	dsn := testkit.Database(t)
	s := testkit.OpenAt(t, dsn)

	topics, err := store.Listen(dsn)
	require.NoError(t, err)

	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})

	go func() { topics.Run(ctx); close(ended) }()

	wake, unsubscribe := topics.Subscribe("export:1")
	other, unsubscribeOther := topics.Subscribe("export:2")

	require.NoError(t, s.InTx(system(), func(ctx context.Context) error {
		require.NoError(t, s.Notify(ctx, "export:1"))
		require.Empty(t, wake)

		return nil
	}))
	<-wake
	require.Empty(t, other)

	unsubscribe()
	unsubscribeOther()
	stop()
	<-ended
	require.NoError(t, topics.Close())
}

// Processes that start together agree on one secret. The operator's own secret replaces it, and the previous one
// stays accepted.
func TestSecrets(t *testing.T) {
	t.Parallel()

	dsn := testkit.Database(t)
	first := make([][][]byte, 4)

	var all sync.WaitGroup

	for i := range first {
		s := testkit.OpenAt(t, dsn)

		all.Go(func() {
			var err error

			first[i], err = s.Secrets(context.Background(), nil, nil)
			require.NoError(t, err)
		})
	}

	all.Wait()

	for _, secrets := range first {
		require.Equal(t, first[0], secrets)
		require.Len(t, secrets, 1)
	}

	s, own := testkit.OpenAt(t, dsn), keyring.NewSecret()

	now, err := s.Secrets(context.Background(), own, nil)
	require.NoError(t, err)
	require.Equal(t, [][]byte{own, first[0][0]}, now)

	again, err := s.Secrets(context.Background(), own, nil)
	require.NoError(t, err)
	require.Equal(t, now, again)
}

// Values sealed with a secret are sealed again before that secret is dropped.
func TestRetiredSecrets(t *testing.T) {
	t.Parallel()

	var (
		s       = testkit.Open(t)
		secrets = [][]byte{keyring.NewSecret(), keyring.NewSecret(), keyring.NewSecret(), keyring.NewSecret()}
		retired [][][]byte
	)

	for i, given := range secrets {
		_, err := s.Secrets(context.Background(), given, func(_ context.Context, kept [][]byte) error {
			retired = append(retired, kept)

			return nil
		})
		require.NoError(t, err, i)
	}

	require.Equal(t, [][][]byte{{secrets[1], secrets[0]}, {secrets[2], secrets[1]}}, retired)
}

// If the response to a COMMIT is lost, its outcome is looked up. If it cannot be determined, the error is
// ServerError, never one that says that nothing was executed.
func TestCommitInDoubtIsSettled(t *testing.T) {
	t.Parallel()

	for name, one := range map[string]struct {
		breaks api.Fault
		code   fault.Code
		made   int
	}{
		"the COMMIT is lost":          {api.LosesCommit, fault.UnavailableCode, 0},
		"the response is lost":        {api.LosesAnswer, "", 1},
		"the database is unreachable": {api.Vanishes, fault.ServerErrorCode, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			dsn := testkit.Database(t)
			wire := api.NewWire(t, dsn)
			s := testkit.OpenAt(t, wire.DSN)
			ctx, unit := s.Begin(system())

			require.NoError(t, s.InTx(ctx, func(ctx context.Context) error { return makeWorkspace(ctx, s) }))
			wire.Break(one.breaks)

			err := unit.Commit(ctx)
			if one.code == "" {
				require.NoError(t, err)
			} else {
				require.True(t, fault.Is(err, one.code), "%v", err)
				require.Equal(t, one.code, graph.Classify(err).Code)
			}

			require.Equal(t, one.made, workspaces(t, testkit.OpenAt(t, dsn)))
		})
	}
}

// A connection that ends before the COMMIT rolls everything back.
func TestLostConnectionRollsBack(t *testing.T) {
	t.Parallel()

	s := testkit.Open(t)
	ctx, unit := s.Begin(system())

	require.NoError(t, s.InTx(ctx, func(ctx context.Context) error {
		require.NoError(t, makeWorkspace(ctx, s))

		// The connection ends before the COMMIT, so the transaction is certainly aborted.
		return s.WithTx(ctx, func(tx *sql.Tx) error {
			var pid int
			require.NoError(t, tx.QueryRowContext(ctx, "SELECT pg_backend_pid()").Scan(&pid))

			_, err := s.DB.ExecContext(ctx, "SELECT pg_terminate_backend($1, 5000)", pid)

			return err
		})
	}))
	require.Error(t, unit.Commit(ctx))
	require.Zero(t, workspaces(t, s))
}
