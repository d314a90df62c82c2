package queue

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
)

// fairDriver is River's database/sql driver with a fair choice of jobs for fair queues. It listens through
// pgx, because lib/pq cannot. Without a listener a job waits for the next poll, and a running job cannot be
// canceled from elsewhere.
//
// River does not promise that these interfaces are stable. All its modules are therefore pinned to one
// version, and a test checks the behaviour.
type fairDriver struct {
	*riverdatabasesql.Driver

	db     *sql.DB
	shares map[string]int // the share of each fair queue
}

func newDriver(db *sql.DB, listening *pgxpool.Pool, shares map[string]int) *fairDriver {
	return &fairDriver{Driver: riverdatabasesql.NewWithPgxListener(db, listening), db: db, shares: shares}
}

// GetExecutor implements riverdriver.Driver.
func (d *fairDriver) GetExecutor() riverdriver.Executor {
	return &fairExecutor{Executor: d.Driver.GetExecutor(), db: d.db, shares: d.shares}
}

// listeningPool connects when River starts to listen. The address must contain sslmode, because lib/pq and
// pgx have different defaults.
func listeningPool(dsn string) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("read the address of the database: %w", err)
	}

	config.MinConns, config.MaxConns = 0, 1 // River takes its connection out of the pool and closes it

	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	if err != nil {
		return nil, fmt.Errorf("open the database for listening: %w", err)
	}

	return pool, nil
}
