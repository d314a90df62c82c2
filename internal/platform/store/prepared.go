package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"strings"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/lib/pq"
)

// keptStatements is how many prepared statements a connection keeps. The least recently used one is dropped
// first.
const keptStatements = 256

// longestKept is the maximum text length, in bytes, of a statement that is kept. Statements that write many
// rows at once are longer: each number of rows is another statement, and large in every connection.
const longestKept = 8 << 10

// session lists the interfaces of the driver's connections that database/sql uses.
type session interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.NamedValueChecker
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// prepared is a connection that keeps its statements prepared, inside and outside transactions, for ent,
// River and plain SQL. By default the driver has Postgres parse and plan every statement with arguments each time,
// in an extra round trip. A pooler in transaction mode cannot be used. database/sql uses a connection for one
// caller at a time, so there is no lock; sending a statement in a transaction while rows are still being read
// closes the connection.
type prepared struct {
	session

	kept  *simplelru.LRU[string, statement]
	stale bool
}

type statement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

func newPrepared(s session) (*prepared, error) {
	kept, err := simplelru.NewLRU(keptStatements, func(_ string, st statement) { _ = st.Close() })

	return &prepared{session: s, kept: kept}, err //nolint:wrapcheck // fails only for a size below one
}

// QueryContext implements driver.QueryerContext.
func (p *prepared) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if len(args) == 0 || len(query) > longestKept {
		return p.session.QueryContext(ctx, query, args) //nolint:wrapcheck // the driver's own error, which callers recognise
	}

	st, err := p.statement(ctx, query)
	if err != nil {
		return nil, err
	}

	rows, err := st.QueryContext(ctx, args)

	return rows, p.checked(query, err)
}

// ExecContext implements driver.ExecerContext.
func (p *prepared) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if len(args) == 0 || len(query) > longestKept {
		return p.session.ExecContext(ctx, query, args) //nolint:wrapcheck // the driver's own error, which callers recognise
	}

	st, err := p.statement(ctx, query)
	if err != nil {
		return nil, err
	}

	result, err := st.ExecContext(ctx, args)

	return result, p.checked(query, err)
}

func (p *prepared) statement(ctx context.Context, query string) (statement, error) {
	if st, found := p.kept.Get(query); found {
		return st, nil
	}

	made, err := p.PrepareContext(ctx, query)
	if err != nil {
		return nil, err //nolint:wrapcheck // the driver's own, which callers tell by
	}

	st, is := made.(statement)
	if !is {
		return nil, errors.Join(errNotOurs, made.Close())
	}

	p.kept.Add(query, st)

	return st, nil
}

// checked handles the error of a prepared statement that is no longer valid, because a migration changed its
// columns or it was deallocated. It returns the error of a bad connection: database/sql then retries on
// another one, and a transaction fails as for a lost connection. A statement that does not accept its
// arguments is forgotten, because its argument types stay as prepared, whatever happens to the columns.
func (p *prepared) checked(query string, err error) error {
	var e *pq.Error
	if !errors.As(err, &e) {
		return err
	}

	switch {
	case e.Routine == "RevalidateCachedQuery", e.Code == "26000":
		p.stale = true

		return driver.ErrBadConn
	case strings.HasPrefix(string(e.Code), "22"), strings.HasPrefix(string(e.Code), "42"):
		p.kept.Remove(query)
	}

	return err
}

// IsValid implements driver.Validator.
func (p *prepared) IsValid() bool { return !p.stale && p.session.IsValid() }
