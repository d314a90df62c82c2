package queue

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// lockTimeout bounds one question to the database about locks.
const lockTimeout = 10 * time.Second

// Locks holds advisory locks for this process on one connection of its own. When the process
// dies, its connection goes and the database frees them at once: nothing has to expire. When
// only the connection is lost, they are lost too, and what they guarded may briefly run twice.
type Locks struct {
	db *sql.DB

	mu         sync.Mutex
	conn       *sql.Conn
	generation int // of the connection: a lock is given back only to the one that holds it
	held       map[int64]bool
}

// NewLocks makes the locks of a process; the caller closes them after everything that uses
// them. It takes a connection of the pool with the first lock.
func NewLocks(db *sql.DB) *Locks { return &Locks{db: db, held: map[int64]bool{}} }

// Close frees every lock and gives the connection back.
func (l *Locks) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()

	if l.conn == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockTimeout)
	defer cancel()
	// Ending the connection frees the locks too, only not before this returns.
	_, _ = l.conn.ExecContext(ctx, "SELECT pg_advisory_unlock_all()")
	if err := l.drop(); err != nil {
		return fmt.Errorf("free advisory locks: %w", err)
	}
	return nil
}

// TrySlot takes one of the given number of places that all processes share under the name,
// and says whether one was free. Release gives it back, at most once.
func (l *Locks) TrySlot(ctx context.Context, name string, places int) (release func(), taken bool, err error) {
	keys := make([]int64, places)
	for i := range keys {
		keys[i] = lockKey(fmt.Sprintf("slot/%d/%s", i, name))
	}
	key, generation, err := l.tryAny(ctx, keys)
	if err != nil || key == 0 {
		return nil, false, err
	}
	return sync.OnceFunc(func() { l.unlock(key, generation) }), true, nil //nolint:contextcheck // also given back when ctx has ended
}

// keep takes the lock if this process does not hold it, and finds out whether the connection
// still lives.
func (l *Locks) keep(ctx context.Context, key int64) error {
	l.mu.Lock()
	held := l.held[key]
	l.mu.Unlock()

	if held {
		_, err := l.ask(ctx, "SELECT 1")
		return err
	}
	_, _, err := l.tryAny(ctx, []int64{key})
	return err
}

// tryAny takes the first free lock; 0 when none is. Locks that this process holds are left
// out, because the database would grant them to it again.
func (l *Locks) tryAny(ctx context.Context, keys []int64) (key int64, generation int, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()

	var free []string
	for _, key := range keys {
		if !l.held[key] {
			free = append(free, fmt.Sprintf("(%d)", key))
		}
	}
	if len(free) == 0 {
		return 0, 0, nil
	}
	// The numbers are written out: with arguments lib/pq would make a second round trip.
	key, err = l.askLocked(ctx, "SELECT coalesce((SELECT k FROM (VALUES "+strings.Join(free, ",")+
		") AS v(k) WHERE pg_try_advisory_lock(k::bigint) LIMIT 1), 0)::bigint")
	if err != nil || key == 0 {
		return 0, 0, err
	}
	l.held[key] = true
	return key, l.generation, nil
}

func (l *Locks) unlock(key int64, generation int) {
	ctx, cancel := context.WithTimeout(context.Background(), lockTimeout)
	defer cancel()
	l.mu.Lock()
	defer l.mu.Unlock()

	if generation != l.generation || !l.held[key] {
		return
	}
	delete(l.held, key)
	_, _ = l.askLocked(ctx, fmt.Sprintf("SELECT pg_advisory_unlock(%d)::int", key)) // a failure ends the connection, and with it the lock
}

func (l *Locks) ask(ctx context.Context, query string) (int64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.askLocked(ctx, query)
}

// askLocked runs a query on the connection, opening one if there is none. Any failure ends
// the connection, since nobody can say what it still holds.
func (l *Locks) askLocked(ctx context.Context, query string) (answer int64, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	// One caller who leaves must not end the connection that holds the locks of the others.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lockTimeout)
	defer cancel()

	if l.conn == nil {
		if l.conn, err = l.db.Conn(ctx); err != nil {
			return 0, fmt.Errorf("connect for advisory locks: %w", err)
		}
	}
	if err := l.conn.QueryRowContext(ctx, query).Scan(&answer); err != nil {
		return 0, fmt.Errorf("ask for advisory locks: %w", errors.Join(err, l.drop()))
	}
	return answer, nil
}

// drop ends the connection itself rather than returning it to the pool with its locks.
func (l *Locks) drop() error {
	conn := l.conn
	l.conn = nil
	l.generation++
	clear(l.held)
	err := conn.Raw(func(any) error { return driver.ErrBadConn })
	if errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) {
		return nil
	}
	return err
}

// lockKey maps a name to the one number space that all advisory locks of a database share;
// 0 is left free to mean none.
func lockKey(name string) int64 {
	sum := sha256.Sum256([]byte("reelgraph/queue/" + name))
	return int64(binary.BigEndian.Uint64(sum[:8]) | 1) // any 64 bits will do
}
