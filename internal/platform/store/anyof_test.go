package store_test

import (
	"database/sql"
	"testing"

	entsql "entgo.io/ent/dialect/sql"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/test/testkit"
)

// Reads by few ids are planned once: otherwise Postgres would find a plan for the actual number cheaper than its
// generic plan for ten, and plan each time.
func TestReadsByIDsArePlannedOnce(t *testing.T) {
	t.Parallel()

	connector, err := store.Connector(testkit.Database(t))
	require.NoError(t, err)

	db := sql.OpenDB(connector)

	t.Cleanup(func() { require.NoError(t, db.Close()) })
	db.SetMaxOpenConns(1) // pg_prepared_statements lists those of one connection

	for _, statement := range []string{
		"CREATE TEMP TABLE rows AS SELECT n::varchar AS id FROM generate_series(1, 20000) AS n",
		"CREATE UNIQUE INDEX ON rows (id)", "ANALYZE rows",
	} {
		_, err := db.ExecContext(t.Context(), statement)
		require.NoError(t, err)
	}

	for _, named := range [][]string{{"7"}, {"1", "2", "3"}} {
		query, args := entsql.Dialect("postgres").Select("id").From(entsql.Table("rows")).Where(store.Among("id", named)).Query()

		for range 20 {
			var count int
			require.NoError(t, db.QueryRowContext(t.Context(), "SELECT count(*) FROM ("+query+") AS found", args...).Scan(&count))
			require.Len(t, named, count)
		}
	}

	var anew, kept int
	require.NoError(t, db.QueryRowContext(t.Context(), `SELECT custom_plans, generic_plans FROM pg_prepared_statements
		WHERE statement LIKE '%FROM "rows"%'`).Scan(&anew, &kept))
	require.Equal(t, 5, anew, "Postgres plans the first five runs before it compares costs")
	require.Equal(t, 35, kept)
}
