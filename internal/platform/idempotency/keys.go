package idempotency

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

const (
	kept     = 24 * time.Hour
	patience = 5 * time.Second // with the lock pool and its statements
)

// Unit is the transaction of one request; it opens with the first write.
type Unit interface {
	Commit(ctx context.Context) error
	Rollback()
}

// Store lends the transaction of the context. The product's is store.Store.
type Store interface {
	InTx(ctx context.Context, fn func(ctx context.Context) error) error
	WithTx(ctx context.Context, fn func(tx *sql.Tx) error) error
}

// Box encrypts stored answers that hold a secret. The product's is keyring.Box.
type Box interface {
	Seal(plain, about []byte) []byte
	Open(sealed, about []byte) ([]byte, error)
}

// Answer is what a request is answered with.
type Answer struct {
	Status int
	Header map[string]string // those that belong to the answer itself, such as Content-Type
	Body   []byte
	Secret bool // stored encrypted
	// Undone is an answer whose effects are rolled back and which is never stored, whatever its
	// status: a graph answer with errors is 200.
	Undone bool
}

// final reports whether the answer stands for an effect that must not happen twice.
func (a Answer) final() bool {
	return !a.Undone && a.Status >= http.StatusOK && a.Status < http.StatusMultipleChoices
}

// Options configure Keys; all are required.
type Options struct {
	Begin func(ctx context.Context) (context.Context, Unit)
	Store Store
	// Locks is a pool of its own: every keyed request holds one of its connections while it runs, and
	// must not hold one that its own transaction may be waiting for.
	Locks *sql.DB
	Box   Box
	// Each is how many of those connections one user may hold in this process; 0 is all of them. A further
	// request waits for one of its own to end.
	Each int
}

// Keys runs mutating requests, REST's and the graph's, each in one unit, and repeats of keyed ones
// not at all. It is safe for concurrent use, and any number of Keys over one database act as one.
type Keys struct {
	o     Options
	turns turns
}

// New makes Keys.
func New(o Options) *Keys { return &Keys{o: o, turns: turns{each: o.Each, byUser: map[string]*turn{}}} }

// errTaken is returned when another request stored its answer under the key first. The lock makes it
// rare, the unique index makes it impossible to miss.
var errTaken = errors.New("idempotency: the key was taken meanwhile")

// Run has produce make the answer inside a unit and commits both. req is nil for a request without a
// key. For one with a key that has been answered, the answer is that one, replayed; while another
// request with the key runs, the error is fault.Conflict with a RetryAfter; a key used for another
// request is fault.BadRequest. Whatever is not stored leaves the key free.
func (k *Keys) Run(ctx context.Context, req *Request, produce func(ctx context.Context) (Answer, error)) (Answer, error) {
	if req == nil {
		return k.unit(ctx, produce, nil)
	}

	viewer, ok := auth.From(ctx)
	if !ok {
		return Answer{}, fault.Unauthorized()
	}

	id := req.identity(viewer)

	done, err := k.turns.await(ctx, viewer.UserID)
	if err != nil {
		return Answer{}, err
	}
	defer done()

	conn, err := k.connect(ctx)
	if err != nil {
		return Answer{}, err
	}
	defer conn.Close() //nolint:errcheck // back to the pool

	if answer, found, err := k.find(ctx, conn, id); found || err != nil {
		return answer, err
	}

	locked, err := lock(ctx, conn, id)
	if err != nil {
		return Answer{}, err
	}

	if locked {
		defer unlock(ctx, conn, id)
	}

	// Whoever held the lock until now has stored its answer before letting go.
	answer, found, err := k.find(ctx, conn, id)

	switch {
	case found || err != nil:
		return answer, err
	case !locked:
		return Answer{}, running()
	}

	return k.first(ctx, conn, id, produce)
}

// first runs a request that nobody has run before.
func (k *Keys) first(
	ctx context.Context, conn *sql.Conn, id identity, produce func(ctx context.Context) (Answer, error),
) (Answer, error) {
	answer, err := k.unit(ctx, produce, func(ctx context.Context, a Answer) error { return k.keep(ctx, id, a) })
	if !errors.Is(err, errTaken) {
		return answer, err
	}

	answer, found, err := k.find(ctx, conn, id)
	if !found && err == nil {
		err = running()
	}

	return answer, err
}

func running() error {
	f := fault.Conflict("A request with this Idempotency-Key is still running. Repeat it once that one has been answered.")
	f.RetryAfter = time.Second

	return f
}

// unit produces an answer in a transaction and has keep write it down in the same one.
func (k *Keys) unit(
	ctx context.Context, produce func(ctx context.Context) (Answer, error), keep func(ctx context.Context, a Answer) error,
) (Answer, error) {
	ctx, unit := k.o.Begin(ctx)
	defer unit.Rollback()

	answer, err := produce(ctx)
	if err != nil {
		return Answer{}, err
	}

	if !answer.final() {
		return answer, nil
	}

	if keep != nil {
		if err := keep(ctx, answer); err != nil {
			return Answer{}, err
		}
	}

	if err := unit.Commit(ctx); err != nil {
		return Answer{}, fmt.Errorf("commit the request: %w", err)
	}

	return answer, nil
}

func (k *Keys) connect(ctx context.Context) (*sql.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()

	conn, err := k.o.Locks.Conn(ctx)
	if err != nil {
		return nil, fault.Unavailable(time.Second).Because(fmt.Errorf("connection for an idempotency lock: %w", err))
	}

	return conn, nil
}

// lock takes the session lock that says the request is running. It ends with the connection, so a
// process that dies leaves the key free at once.
func lock(ctx context.Context, conn *sql.Conn, id identity) (bool, error) {
	var got bool
	if err := conn.QueryRowContext(ctx, `SELECT pg_try_advisory_lock($1)`, id.lock()).Scan(&got); err != nil {
		discard(conn) // it may hold the lock all the same

		return false, fault.Unavailable(time.Second).Because(fmt.Errorf("take an idempotency lock: %w", err))
	}

	return got, nil
}

func unlock(ctx context.Context, conn *sql.Conn, id identity) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()

	var held bool
	if err := conn.QueryRowContext(ctx, `SELECT pg_advisory_unlock($1)`, id.lock()).Scan(&held); err != nil {
		discard(conn)
	}
}

// discard ends the session, and with it its locks.
func discard(conn *sql.Conn) {
	_ = conn.Raw(func(any) error { return driver.ErrBadConn })
}
