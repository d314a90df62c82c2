package main

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/queue"
)

const (
	healthTimeout = 2 * time.Second

	// databaseTimeout leaves time to answer within two seconds.
	databaseTimeout = 1500 * time.Millisecond

	// How long a result stays valid.
	databaseHolds = 500 * time.Millisecond
	storageHolds  = 2 * time.Second
)

// health answers the health checks of the process.
type health struct {
	db           *sql.DB // dials for each check: a database that takes no connections is of no use
	blobs        blob.Store
	needsWorkers bool
	working      atomic.Bool
	draining     atomic.Bool

	database, storage impression
}

// brief dials connections with a deadline, whatever they do. A context is not enough: when it ends, the driver asks the
// server to cancel the statement and waits up to ten seconds for that, which a stopped server never does.
type brief struct{ net.Dialer }

// DialContext implements pq.DialerContext.
func (b *brief) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	end := time.Now().Add(databaseTimeout)

	ctx, cancel := context.WithDeadline(ctx, end)
	defer cancel()

	conn, err := b.Dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}

	return briefConn{conn, end}, conn.SetDeadline(end)
}

// DialTimeout implements pq.Dialer.
func (b *brief) DialTimeout(network, address string, timeout time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()

	return b.DialContext(ctx, network, address)
}

type briefConn struct {
	net.Conn

	end time.Time
}

// SetDeadline implements net.Conn, for an earlier time only.
func (c briefConn) SetDeadline(at time.Time) error {
	if at.IsZero() || at.After(c.end) {
		at = c.end
	}

	return c.Conn.SetDeadline(at)
}

// impression is the cached result of a health check. Requests that arrive during the check or soon after it share the
// result, so outsiders cannot cause more checks, and a client that disconnects does not cancel the check for others.
type impression struct {
	mu  sync.Mutex
	at  time.Time
	err error
}

func (i *impression) ask(ctx context.Context, holds time.Duration, find func(ctx context.Context) error) error {
	i.mu.Lock()
	defer i.mu.Unlock()

	if time.Since(i.at) < holds {
		return i.err
	}

	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), healthTimeout)
	defer cancel()

	i.err = find(ctx)
	i.at = time.Now()

	return i.err
}

// newHealth creates the health checks of a node.
func (n *node) newHealth() (*health, error) {
	db, err := n.pool(1, new(brief))
	if err != nil {
		return nil, err
	}

	db.SetMaxIdleConns(0)

	return &health{db: db, blobs: n.blobs}, nil
}

// watched returns the queue as a part of the process. The process is ready only while the queue runs.
func (h *health) watched(q *queue.Queue) part {
	h.needsWorkers = true

	return part{"the queue", func(ctx context.Context) error {
		h.working.Store(true)
		defer h.working.Store(false)

		return q.Run(ctx)
	}}
}

// alive answers as long as the process runs.
func (*health) alive() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { say(w, http.StatusOK, "ok") })
}

// ready reports whether to send requests to this process.
func (h *health) ready() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch ctx := r.Context(); {
		case h.draining.Load():
			say(w, http.StatusServiceUnavailable, "stopping")
		case h.needsWorkers && !h.working.Load():
			say(w, http.StatusServiceUnavailable, "the workers are not running")
		case h.database.ask(ctx, databaseHolds, h.tryDatabase) != nil:
			say(w, http.StatusServiceUnavailable, "the database does not answer or is read-only")
		case h.storage.ask(ctx, storageHolds, h.tryStorage) != nil:
			say(w, http.StatusServiceUnavailable, "the media storage does not accept files")
		default:
			say(w, http.StatusOK, "ready")
		}
	})
}

var errReadOnly = errors.New("the database is read-only")

// tryDatabase checks that the database is writable: after a switch-over the old one may still answer.
func (h *health) tryDatabase(ctx context.Context) error {
	var readOnly bool

	row := h.db.QueryRowContext(ctx, "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::bool")
	if err := row.Scan(&readOnly); err != nil {
		return fmt.Errorf("ask the database: %w", err)
	}

	if readOnly {
		return errReadOnly
	}

	return nil
}

// tryStorage writes a file to the media storage and deletes it.
func (h *health) tryStorage(ctx context.Context) error {
	key, err := blob.NewKey("health", "")
	if err != nil {
		return err
	}

	_, err = h.blobs.Put(ctx, key, bytes.NewReader([]byte("ready?")))
	if _, full := errors.AsType[*blob.FullError](err); full { // uploads report a full disk themselves; edits and readers still work
		return nil
	}

	return errors.Join(err, h.blobs.Delete(ctx, key))
}

func say(w http.ResponseWriter, status int, what string) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)

	_, _ = fmt.Fprintf(w, "{\"status\":%q}\n", what)
}
