package queue_test

import (
	"database/sql"
	"testing"

	"github.com/lib/pq"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/queue"
)

func TestMigrationsEqualRivers(t *testing.T) {
	t.Parallel()

	shape := func(db *sql.DB) string {
		var shape string
		require.NoError(t, db.QueryRowContext(t.Context(), `SELECT string_agg(line, E'\n' ORDER BY line) FROM (
			SELECT concat_ws(' ', table_name, ordinal_position, column_name, udt_name, is_nullable, column_default) AS line
				FROM information_schema.columns WHERE table_schema = 'public'
			UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
			UNION ALL SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace
			UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
			UNION ALL SELECT enum_range(NULL::river_job_state)::text) shape`).Scan(&shape))

		return shape
	}
	ours, theirs := setup(t), database(t)
	migrator, err := rivermigrate.New(riverdatabasesql.New(theirs.db), &rivermigrate.Config{Logger: theirs.logger})
	require.NoError(t, err)
	_, err = migrator.Migrate(t.Context(), rivermigrate.DirectionUp, nil)
	require.NoError(t, err)
	_, err = theirs.db.ExecContext(t.Context(), "DROP INDEX river_job_args_index; DROP INDEX river_job_metadata_index")
	require.NoError(t, err, "River no longer creates them: check that its migration still runs after they were dropped")
	require.Equal(t, shape(theirs.db), shape(ours.db))
}

func TestRebuiltIndexesExist(t *testing.T) {
	t.Parallel()

	var there []string
	require.NoError(t, setup(t).db.QueryRowContext(t.Context(),
		"SELECT array_agg(indexname::text) FROM pg_indexes WHERE schemaname = 'public'").Scan(pq.Array(&there)))
	require.NotEmpty(t, queue.Indexes())
	require.Subset(t, there, queue.Indexes())
}

// A dump locks every table for a long time: the indexes stay, and everything else is migrated.
func TestMigratingDoesNotWaitForADump(t *testing.T) {
	t.Parallel()

	b := database(t)
	migrate := func() {
		b.inTx(t, func(tx *sql.Tx) {
			_, err := tx.ExecContext(t.Context(), "SET LOCAL lock_timeout = '100ms'")
			require.NoError(t, err)
			require.NoError(t, queue.Migrate(t.Context(), tx))
		})
	}
	left := func() (n int) {
		require.NoError(t, b.db.QueryRowContext(t.Context(),
			"SELECT count(*) FROM pg_indexes WHERE indexname LIKE 'river_job_metadata_index%'").Scan(&n))

		return n
	}

	migrate()

	_, err := b.db.ExecContext(t.Context(), `CREATE INDEX river_job_metadata_index ON river_job USING gin (metadata);
		CREATE INDEX river_job_metadata_index_ccnew ON river_job USING gin (metadata)`)
	require.NoError(t, err)

	dump, err := b.db.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	_, err = dump.ExecContext(t.Context(), "LOCK TABLE river_job IN ACCESS SHARE MODE")
	require.NoError(t, err)
	migrate()
	require.Equal(t, 2, left())

	require.NoError(t, dump.Rollback())
	migrate()
	require.Zero(t, left())
}

func TestMigrateAgainChangesNothing(t *testing.T) {
	t.Parallel()

	b := setup(t)
	b.inTx(t, func(tx *sql.Tx) { require.NoError(t, queue.Migrate(t.Context(), tx)) })
	_, err := b.inserter(t).Insert(t.Context(), probe{}, nil)
	require.NoError(t, err)
}
