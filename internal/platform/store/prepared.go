package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"strings"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/lib/pq"
)

// keptStatements is how many statements a connection keeps, the least recently used thrown away first.
const keptStatements = 256

// longestKept is how many bytes of text a statement may have to be kept. Those that write many rows at once are longer:
// each number of rows is another statement, and a large one in every connection.
const longestKept = 8 << 10

// session is what the driver's connections can do, and database/sql asks of one.
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

// prepared is a connection that keeps the statements it has executed prepared, in transactions and outside them,
// whoever asks: ent, River or plain SQL. By itself the driver has Postgres parse and plan every statement with
// arguments anew, in a round trip of its own. A pooler that gives each transaction another connection cannot stand
// between. database/sql uses a connection for one caller at a time, so it has no lock; whoever sends a statement in a
// transaction whose rows are still being read loses the connection.
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

	return &prepared{session: s, kept: kept}, err //nolint:wrapcheck // only for a size below one
}

// QueryContext implements driver.QueryerContext.
func (p *prepared) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if len(args) == 0 || len(query) > longestKept {
		return p.session.QueryContext(ctx, query, args) //nolint:wrapcheck // the driver's own, which callers tell by
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
		return p.session.ExecContext(ctx, query, args) //nolint:wrapcheck // the driver's own, which callers tell by
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

// checked turns the error of a statement that can no longer be used, for a migration has changed its columns or
// somebody has thrown it away, into that of a connection that cannot: database/sql takes another one and asks
// again, and a transaction fails as it does when its connection is lost. One that does not take its arguments is
// forgotten: the types of arguments stay what they were when it was prepared, whatever becomes of the columns.
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
