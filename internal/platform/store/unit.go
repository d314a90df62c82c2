package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/input"
)

// doubt is how long the outcome of a COMMIT without response is looked up before it counts as unknown.
const doubt = 5 * time.Second

// Unit is the single transaction of a request or a job. It begins with the first write, so that slow work before it,
// such as a probe or a decode, is outside the transaction. Reads after the first write see what the transaction has
// written.
type Unit struct {
	store *Store

	mu     sync.Mutex
	tx     *sql.Tx
	client *ent.Client
	failed bool
	done   bool
	after  []func() // called if the transaction is committed
	undo   []func() // called if the transaction is not committed

	turn sync.Mutex // serializes statements
}

type unitKey struct{}

func unitFrom(ctx context.Context) *Unit {
	u, _ := ctx.Value(unitKey{}).(*Unit)

	return u
}

// Writing reports whether the transaction of the context is open. An open transaction holds a connection of the pool
// and locks, so waiting for a job or for another connection may deadlock.
func (s *Store) Writing(ctx context.Context) bool {
	u := unitFrom(ctx)

	return u != nil && u.openClient() != nil
}

// Begin returns a context whose writes share one transaction. The caller commits it or rolls it back. Begin always
// starts a new transaction; InTx uses an existing one.
func (s *Store) Begin(ctx context.Context) (context.Context, *Unit) {
	u := &Unit{store: s}

	return context.WithValue(ctx, unitKey{}, u), u
}

// InTx runs fn in the transaction of the context. If the context has none, InTx runs fn in a new transaction. An error
// rolls back everything that the transaction has done.
func (s *Store) InTx(ctx context.Context, fn func(ctx context.Context) error) error {
	if u := unitFrom(ctx); u != nil {
		return u.run(ctx, fn)
	}

	ctx, u := s.Begin(ctx)
	defer u.Rollback()

	if err := u.run(ctx, fn); err != nil {
		return err
	}

	return u.Commit(ctx)
}

// Apart returns a context outside any transaction. Each write with it is committed on its own, even if the request
// fails.
func (s *Store) Apart(ctx context.Context) context.Context {
	return context.WithValue(ctx, unitKey{}, (*Unit)(nil))
}

// Write validates an input, if it is not nil, and then runs fn in the transaction that the whole operation
// shares. Every operation that changes something goes through Write.
func Write[T any](ctx context.Context, s *Store, in any, fn func(ctx context.Context) (T, error)) (T, error) {
	var out T

	if err := input.Validate(in); err != nil {
		return out, err //nolint:wrapcheck // the error is for the client
	}

	err := s.InTx(ctx, func(ctx context.Context) error {
		var err error

		out, err = fn(ctx)

		return err
	})
	if err != nil {
		var none T

		return none, err
	}

	return out, nil
}

// WithTx calls fn with the open transaction of the context. fn can pass it to a library that needs one, such as
// River. WithTx returns ErrNoTx outside a transaction.
func (s *Store) WithTx(ctx context.Context, fn func(tx *sql.Tx) error) error {
	if !s.Writing(ctx) {
		return ErrNoTx
	}

	u := unitFrom(ctx)
	u.turn.Lock()
	defer u.turn.Unlock()

	return fn(u.tx)
}

// Query runs plain SQL in the transaction of the context, or outside one, and passes each row to scan.
func (s *Store) Query(ctx context.Context, scan func(*sql.Rows) error, query string, args ...any) error {
	run := s.direct.QueryContext

	if u := unitFrom(ctx); u != nil && u.openClient() != nil {
		u.turn.Lock()
		defer u.turn.Unlock()

		run = s.traced(u.tx).QueryContext
	}

	rows, err := run(ctx, query, args...)
	if err != nil {
		return err //nolint:wrapcheck // the caller says what was attempted
	}
	defer rows.Close() //nolint:errcheck // Err returns the error

	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}

	return rows.Err() //nolint:wrapcheck // the caller says what was attempted
}

// AfterCommit registers fn to be called after the transaction of the context is committed. Use it to wake waiting
// goroutines of this process. Anything that must not be lost must be written in the transaction instead.
func (s *Store) AfterCommit(ctx context.Context, fn func()) error {
	u := unitFrom(ctx)
	if u == nil {
		return ErrNoTx
	}

	u.mu.Lock()
	defer u.mu.Unlock()

	u.after = append(u.after, fn)

	return nil
}

// OnRollback registers fn to be called if the transaction of the context is not committed, to undo changes
// outside the database. It is not called when the process dies, or when the outcome of a COMMIT stays
// unknown.
func (s *Store) OnRollback(ctx context.Context, fn func()) error {
	u := unitFrom(ctx)
	if u == nil {
		return ErrNoTx
	}

	u.mu.Lock()
	defer u.mu.Unlock()

	u.undo = append(u.undo, fn)

	return nil
}

func (u *Unit) openClient() *ent.Client {
	u.mu.Lock()
	defer u.mu.Unlock()

	return u.client
}

func (u *Unit) run(ctx context.Context, fn func(ctx context.Context) error) error {
	if err := u.open(ctx); err != nil {
		return err
	}

	if err := fn(ctx); err != nil {
		u.mu.Lock()
		u.failed = true
		u.mu.Unlock()

		return err
	}

	return nil
}

func (u *Unit) open(ctx context.Context) error {
	u.mu.Lock()
	defer u.mu.Unlock()

	switch {
	case u.done:
		return errors.New("store: the transaction has ended")
	case u.tx != nil:
		return nil
	}

	tx, err := u.store.DB.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}

	drv := bound{entsql.NewDriver(dialect.Postgres, entsql.Conn{ExecQuerier: u.store.traced(tx)}), &u.turn}
	u.tx, u.client = tx, ent.NewClient(ent.Driver(drv))

	return nil
}

// Rollback rolls the unit back if it is still open. It is safe to defer.
func (u *Unit) Rollback() {
	u.mu.Lock()
	defer u.mu.Unlock()

	if u.done {
		return
	}

	u.done = true

	if u.tx != nil {
		_ = u.tx.Rollback()
	}

	for _, fn := range u.undo {
		fn()
	}
}

// Commit commits the unit. A unit without writes has nothing to commit. If the connection is lost before the response
// to COMMIT arrives, Commit looks up the outcome on a new connection. It returns nil if the transaction was
// committed, fault.Unavailable if it was aborted, and fault.ServerError if the outcome stays unknown.
func (u *Unit) Commit(ctx context.Context) error {
	u.mu.Lock()
	defer u.mu.Unlock()

	switch {
	case u.done:
		return errors.New("store: the transaction has ended")
	case u.tx == nil:
		u.done = true

		return nil
	case u.failed:
		return errors.New("store: the transaction has failed and can only be rolled back")
	}

	var xid sql.NullString
	if err := u.tx.QueryRowContext(ctx, "SELECT pg_current_xact_id_if_assigned()::text").Scan(&xid); err != nil {
		return fmt.Errorf("commit: %w", err)
	}

	u.done = true

	if err := u.tx.Commit(); err != nil {
		if err := u.store.settle(ctx, xid, err); err != nil {
			if fault.Is(err, fault.UnavailableCode) { // aborted, so the outcome is known
				for _, fn := range u.undo {
					fn()
				}
			}

			return err
		}
	}

	for _, fn := range u.after {
		fn()
	}

	return nil
}

// settle finds out the outcome of a COMMIT that returned an error.
func (s *Store) settle(ctx context.Context, xid sql.NullString, cause error) error {
	if !xid.Valid {
		return nil // it wrote nothing
	}

	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), doubt)
	defer cancel()

	for {
		var status sql.NullString

		err := s.DB.QueryRowContext(ctx, "SELECT pg_xact_status($1::text::xid8)", xid.String).Scan(&status)

		switch {
		case err == nil && status.String == "committed":
			return nil
		case err == nil && status.String == "aborted":
			return fault.Unavailable(time.Second).Because(fmt.Errorf("commit aborted: %w", cause))
		}

		select {
		case <-ctx.Done():
			return fault.ServerError(fmt.Errorf("commit in doubt: %w", cause)) // must not claim that nothing was executed
		case <-time.After(50 * time.Millisecond):
		}
	}
}
