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

// Unit is the transaction of one request. It begins with the first write.
type Unit interface {
	Commit(ctx context.Context) error
	Rollback()
}

// Store gives access to the transaction of the context. In production it is store.Store.
type Store interface {
	InTx(ctx context.Context, fn func(ctx context.Context) error) error
	WithTx(ctx context.Context, fn func(tx *sql.Tx) error) error
}

// Box encrypts stored responses that hold a secret. In production it is keyring.Box.
type Box interface {
	Seal(plain, about []byte) []byte
	Open(sealed, about []byte) ([]byte, error)
}

// Answer is the response of a request.
type Answer struct {
	Status int
	Header map[string]string // the headers of the response itself, such as Content-Type
	Body   []byte
	Secret bool // the stored response is encrypted
	// Undone means that the effects are rolled back and the response is never stored, whatever its status: a
	// graph response with errors has status 200.
	Undone bool
}

// final reports whether the response belongs to an effect that must not happen twice.
func (a Answer) final() bool {
	return !a.Undone && a.Status >= http.StatusOK && a.Status < http.StatusMultipleChoices
}

// Options configure Keys. All fields are required.
type Options struct {
	Begin func(ctx context.Context) (context.Context, Unit)
	Store Store
	// Locks is a separate connection pool. Each request with a key holds one of its connections while it
	// runs, and must not take one that its own transaction may be waiting for.
	Locks *sql.DB
	Box   Box
	// Each is how many of those connections one user may hold in this process; 0 means all. Further requests
	// wait.
	Each int
}

// Keys runs the requests of REST and GraphQL that change something, each in one transaction. For a repeated key it
// returns the stored response. It is safe for concurrent use, also by several processes on one database.
type Keys struct {
	o     Options
	turns turns
}

// New returns Keys with the given options.
func New(o Options) *Keys { return &Keys{o: o, turns: turns{each: o.Each, byUser: map[string]*turn{}}} }

// errTaken means that another request stored its response under the key first. The lock makes this rare; the
// unique index detects it.
var errTaken = errors.New("idempotency: another request used the key meanwhile")

// Run calls produce within a transaction and commits the changes together with the response. req is nil for a request
// without a key. If there is a stored response for the key, Run returns it and does not call produce. Run returns
// fault.Conflict with a RetryAfter while another request with the key runs, and fault.BadRequest if the key was used
// for a different request. If the response is not stored, the key can be used again.
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
	defer conn.Close() //nolint:errcheck // returns the connection to the pool

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

	// The previous holder of the lock may have stored a response.
	answer, found, err := k.find(ctx, conn, id)

	switch {
	case found || err != nil:
		return answer, err
	case !locked:
		return Answer{}, running()
	}

	return k.first(ctx, conn, id, produce)
}

// first runs a request that has no stored response.
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
	f := fault.Conflict("A request with this Idempotency-Key is still running. Wait for its response, then repeat this request.")
	f.RetryAfter = time.Second

	return f
}

// unit calls produce in a transaction and stores its response with keep in the same one.
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
		return nil, fault.Unavailable(time.Second).Because(fmt.Errorf("get a connection for an idempotency lock: %w", err))
	}

	return conn, nil
}

// lock takes the session lock that marks the request as running. It ends with the connection, so a process
// that dies frees the key immediately.
func lock(ctx context.Context, conn *sql.Conn, id identity) (bool, error) {
	var got bool
	if err := conn.QueryRowContext(ctx, `SELECT pg_try_advisory_lock($1)`, id.lock()).Scan(&got); err != nil {
		discard(conn) // the lock may be held nevertheless

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

// discard closes the session and thereby frees its locks.
func discard(conn *sql.Conn) {
	_ = conn.Raw(func(any) error { return driver.ErrBadConn })
}
