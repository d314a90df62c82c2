// Package testkit gives each test a real database, users, and rows to work with. Only tests import it. Start with Open,
// NewMember and NewVideo.
package testkit

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lib/pq"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent/migrate"
	"github.com/reelgraph/reelgraph/internal/platform/localpg"
	"github.com/reelgraph/reelgraph/internal/platform/queue"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// template is the migrated database that the databases of tests are copied from.
const template = "template_reelgraph"

// cluster is the Postgres of this test process, started by the first test that needs it.
type cluster struct {
	once   sync.Once
	server *localpg.Server
	admin  *sql.DB
	err    error
	made   atomic.Int64
}

var shared cluster //nolint:gochecknoglobals // one Postgres for each test process; one for each test would cost minutes

// Main runs the tests of a package and stops the Postgres they used. Call it from TestMain.
func Main(m *testing.M) {
	code := m.Run()

	if shared.server != nil {
		_ = shared.admin.Close()

		if err := shared.server.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, "testkit:", err)
		}
	}

	os.Exit(code)
}

// Database creates a migrated, empty database for the test and returns its address. The database is dropped at the
// end of the test.
func Database(tb testing.TB) string {
	tb.Helper()

	shared.once.Do(func() { shared.err = shared.start(context.Background()) })
	require.NoError(tb, shared.err)

	name := "test_" + strconv.FormatInt(shared.made.Add(1), 10)
	ctx := context.Background()

	_, err := shared.admin.ExecContext(ctx, "CREATE DATABASE "+name+" TEMPLATE "+template+" STRATEGY file_copy")
	require.NoError(tb, err)

	tb.Cleanup(func() {
		_, err := shared.admin.ExecContext(ctx, "DROP DATABASE "+pq.QuoteIdentifier(name)+" WITH (FORCE)")
		require.NoError(tb, err)
	})

	return named(shared.server.DSN(), name)
}

// Open creates a database for the test and opens a store on it.
func Open(tb testing.TB) *store.Store {
	tb.Helper()

	return OpenAt(tb, Database(tb))
}

// OpenAt opens a store on a database that Database created, as another process would.
func OpenAt(tb testing.TB, dsn string) *store.Store {
	tb.Helper()

	s, err := store.Open(context.Background(), dsn, store.Options{})
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, s.Close()) })

	return s
}

// AwaitLock waits until any session in the store's database is waiting for a lock.
func AwaitLock(tb testing.TB, s *store.Store) {
	tb.Helper()

	require.Eventually(tb, func() bool {
		var waiting bool

		err := s.DB.QueryRowContext(context.Background(), `SELECT EXISTS (SELECT FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock')`).Scan(&waiting)

		return err == nil && waiting
	}, time.Minute, time.Millisecond)
}

func (c *cluster) start(ctx context.Context) error {
	version, err := schemaVersion()
	if err != nil {
		return err
	}

	content := localpg.Content{Version: version, Fill: makeTemplate}
	if c.server, err = localpg.StartTempWith(ctx, content); err != nil {
		return fmt.Errorf("start postgres: %w", err)
	}

	if c.admin, err = sql.Open("postgres", c.server.DSN()); err != nil {
		return fmt.Errorf("open postgres: %w", err)
	}

	// One copy at a time: Postgres refuses to copy a template that a second session is copying from.
	c.admin.SetMaxOpenConns(1)

	// Migrations in code, without a file, do not change the version.
	return migrateTemplate(ctx, c.server.DSN())
}

// schemaVersion changes with our migrations and with River's.
func schemaVersion() (string, error) {
	sum, err := migrate.Files.ReadFile("migrations/atlas.sum")
	if err != nil {
		return "", fmt.Errorf("read the checksum of the migrations: %w", err)
	}

	river, err := queue.SchemaVersion()
	if err != nil {
		return "", err
	}

	return fmt.Sprintf("%s-%x", template, sha256.Sum256(append(sum, river...))), nil
}

func makeTemplate(ctx context.Context, dsn string) error {
	db, err := sql.Open("postgres", dsn)
	if err != nil {
		return fmt.Errorf("open postgres: %w", err)
	}
	defer db.Close() //nolint:errcheck // nothing is left open

	if _, err := db.ExecContext(ctx, "CREATE DATABASE "+template); err != nil {
		return fmt.Errorf("create the template database: %w", err)
	}

	return migrateTemplate(ctx, dsn)
}

func migrateTemplate(ctx context.Context, dsn string) error {
	db, err := sql.Open("postgres", named(dsn, template))
	if err != nil {
		return fmt.Errorf("open the template: %w", err)
	}
	defer db.Close() //nolint:errcheck // nothing is left open

	return store.Migrate(ctx, db, queue.Migrate)
}

func named(dsn, database string) string {
	u, err := url.Parse(dsn)
	if err != nil {
		panic(err) // localpg produced this DSN
	}

	u.Path = "/" + database

	return u.String()
}
