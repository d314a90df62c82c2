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

	// What answered, or did not, is believed to go on so for this long.
	databaseHolds = 500 * time.Millisecond
	storageHolds  = 2 * time.Second
)

// health is what the process says of itself.
type health struct {
	db           *sql.DB // makes a connection for each question: a database that takes none is of no use
	blobs        blob.Store
	needsWorkers bool
	working      atomic.Bool
	draining     atomic.Bool

	database, storage impression
}

// brief dials connections that end soon, whatever goes on over them. A context is not enough: when it ends, the driver
// asks the server to cancel the statement and waits up to ten seconds for that, which a stopped server never does.
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

// impression is what was found out last of something. Whoever asks meanwhile, or a little later, shares it: how
// often strangers ask changes nothing, and nobody who goes away decides it for the others.
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

// newHealth makes the health of a node.
func (n *node) newHealth() (*health, error) {
	db, err := n.pool(1, new(brief))
	if err != nil {
		return nil, err
	}

	db.SetMaxIdleConns(0)

	return &health{db: db, blobs: n.blobs}, nil
}

// watched is the queue as a part of the process, without which it is not ready.
func (h *health) watched(q *queue.Queue) part {
	h.needsWorkers = true

	return part{"the queue", func(ctx context.Context) error {
		h.working.Store(true)
		defer h.working.Store(false)

		return q.Run(ctx)
	}}
}

// alive answers as long as the process can.
func (*health) alive() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { say(w, http.StatusOK, "ok") })
}

// ready answers whether requests may be sent here.
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

// tryDatabase asks whether it can be written to: after a switch-over the old one may still answer.
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

// tryStorage puts a file where media go, and takes it away again.
func (h *health) tryStorage(ctx context.Context) error {
	key, err := blob.NewKey("health", "")
	if err != nil {
		return err
	}

	_, err = h.blobs.Put(ctx, key, bytes.NewReader([]byte("ready?")))
	if _, full := errors.AsType[*blob.FullError](err); full { // uploads are told so; edits and readers are served
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
