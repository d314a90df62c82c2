// Package store opens Postgres for ent, River and plain SQL, and manages the transaction that they share: a row, its
// event and its job are committed together or not at all. Start with Store, InTx and Write.
package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	_ "github.com/reelgraph/reelgraph/ent/runtime" // registers hooks and interceptors
)

// ErrNoTx means that a write was attempted outside a transaction. Writes must use InTx, so that a change is never half
// done.
var ErrNoTx = errors.New("store: write outside a transaction")

const defaultConns = 16

// Options configure the pool. Zero values mean the defaults.
type Options struct {
	MaxConns int  // connections, default 16
	Trace    bool // creates a span for every statement of a traced request or job
}

// Store gives access to the database. It is safe for concurrent use.
type Store struct {
	// DB is the pool itself, for River and for session locks. Use Store for everything else.
	DB *sql.DB
	// Clock returns the current time. It is time.Now unless a test replaces it before the store is used.
	Clock func() time.Time

	direct entsql.ExecQuerier // outside transactions
	trace  bool
	reader *ent.Client
}

// Open connects to the database; the caller closes the Store.
func Open(ctx context.Context, dsn string, o Options) (*Store, error) {
	connector, err := Connector(dsn)
	if err != nil {
		return nil, err
	}

	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(cmp.Or(o.MaxConns, defaultConns))
	db.SetMaxIdleConns(cmp.Or(o.MaxConns, defaultConns))

	if err := checkVersion(ctx, db); err != nil {
		_ = db.Close()

		return nil, err
	}

	s := &Store{DB: db, Clock: time.Now, trace: o.Trace}
	s.direct = s.traced(db)
	s.reader = ent.NewClient(ent.Driver(reader{entsql.NewDriver(dialect.Postgres, entsql.Conn{ExecQuerier: s.direct})}))

	return s, nil
}

// traced returns a connection whose statements have spans, if the store traces.
func (s *Store) traced(conn entsql.ExecQuerier) entsql.ExecQuerier {
	if s.trace {
		return traced{conn}
	}

	return conn
}

// oldest is the oldest supported Postgres version.
const oldest = 15

// checkVersion connects to the database and checks that its version is supported.
func checkVersion(ctx context.Context, db *sql.DB) error {
	var version int
	if err := db.QueryRowContext(ctx, "SELECT current_setting('server_version_num')::int").Scan(&version); err != nil {
		return fmt.Errorf("reach database: %w", err)
	}

	if major := version / 10_000; major < oldest {
		return fmt.Errorf("the database is Postgres %d; version %d or newer is required", major, oldest)
	}

	return nil
}

// Close closes the pool.
func (s *Store) Close() error {
	if err := s.DB.Close(); err != nil {
		return fmt.Errorf("close database: %w", err)
	}

	return nil
}

// Now returns the current time in UTC. Its precision is one millisecond, as that of stored times.
func (s *Store) Now() time.Time { return s.Clock().UTC().Truncate(time.Millisecond) }

// Client returns the ent client of the open transaction. Outside a transaction it returns a client that can only
// read.
func (s *Store) Client(ctx context.Context) *ent.Client {
	if u := unitFrom(ctx); u != nil {
		if c := u.openClient(); c != nil {
			return c
		}
	}

	return s.reader
}

// reader is the driver outside transactions. It refuses every statement but SELECT.
type reader struct{ *entsql.Driver }

func (r reader) Query(ctx context.Context, query string, args, v any) error {
	if !strings.HasPrefix(query, "SELECT") {
		return ErrNoTx
	}

	return r.Driver.Query(ctx, query, args, v) //nolint:wrapcheck // ent's own error
}

func (reader) Exec(context.Context, string, any, any) error { return ErrNoTx }

func (reader) Tx(context.Context) (dialect.Tx, error) { return nil, ErrNoTx }

func (reader) BeginTx(context.Context, *sql.TxOptions) (dialect.Tx, error) { return nil, ErrNoTx }

// bound is the driver inside a transaction. The transaction belongs to the unit, so a nested one is the same.
// One statement runs at a time and holds the connection until its rows are read: resolvers run concurrently,
// and lib/pq cannot interleave.
type bound struct {
	*entsql.Driver

	turn *sync.Mutex
}

func (b bound) Query(ctx context.Context, query string, args, v any) error {
	b.turn.Lock()

	rows, ok := v.(*entsql.Rows)
	if !ok {
		defer b.turn.Unlock()

		return b.Driver.Query(ctx, query, args, v)
	}

	if err := b.Driver.Query(ctx, query, args, rows); err != nil {
		b.turn.Unlock()

		return err
	}

	rows.ColumnScanner = &turnRows{ColumnScanner: rows.ColumnScanner, release: sync.OnceFunc(b.turn.Unlock)}

	return nil
}

func (b bound) Exec(ctx context.Context, query string, args, v any) error {
	b.turn.Lock()
	defer b.turn.Unlock()

	return b.Driver.Exec(ctx, query, args, v)
}

// ExecContext lets ent's client run plain SQL in the transaction.
func (b bound) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	b.turn.Lock()
	defer b.turn.Unlock()

	return b.ExecQuerier.ExecContext(ctx, query, args...) //nolint:wrapcheck // returns the driver's error as it is
}

func (b bound) Tx(context.Context) (dialect.Tx, error) { return dialect.NopTx(b), nil }

func (b bound) BeginTx(context.Context, *sql.TxOptions) (dialect.Tx, error) {
	return dialect.NopTx(b), nil
}

// turnRows frees the connection when the rows are closed, which ent always does.
type turnRows struct {
	entsql.ColumnScanner

	release func()
}

func (r *turnRows) Close() error {
	defer r.release()

	return r.ColumnScanner.Close()
}
