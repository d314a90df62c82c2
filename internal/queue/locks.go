package queue

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/reelgraph/reelgraph/internal/rounds"
)

// lockTimeout bounds one question to the database about locks.
const lockTimeout = 10 * time.Second

// Locks holds advisory locks for this process on one connection of its own. When the process
// dies, its connection goes and the database frees them at once: nothing has to expire. When
// only the connection is lost, they are lost too, and what they guarded may briefly run twice.
type Locks struct {
	db *sql.DB

	wishes rounds.Rounds[wish, []lock]

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
	got, err := l.tryAny(ctx, keys)
	if err != nil || got.key == 0 {
		return nil, false, err
	}
	return sync.OnceFunc(func() { l.unlock(got) }), true, nil
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
	_, err := l.tryAny(ctx, []int64{key})
	return err
}

// A wish is what one caller wants of the connection: any of some locks, or to give one back.
type wish struct {
	any  []int64
	free lock
}

// A lock is held on one connection; a key of 0 is none.
type lock struct {
	key        int64
	generation int
}

// tryAny takes a free lock; the key is 0 when none is. Locks that this process holds are left
// out, because the database would grant them to it again.
func (l *Locks) tryAny(ctx context.Context, keys []int64) (lock, error) {
	if err := ctx.Err(); err != nil {
		return lock{}, err
	}
	before, granted, err := l.wishes.Join("", wish{any: keys}, l.grant)
	if err != nil {
		return lock{}, err
	}
	return granted[len(before)], nil
}

func (l *Locks) unlock(held lock) {
	if _, _, err := l.wishes.Join("", wish{free: held}, l.grant); err != nil {
		return // the connection has ended, and with it the lock
	}
}

// grant fulfils the wishes of all who came while the connection was busy: what is given back
// first, then what is wanted. The answer has a lock for each wish.
func (l *Locks) grant(wishes []wish) ([]lock, error) {
	ctx, cancel := context.WithTimeout(context.Background(), lockTimeout)
	defer cancel()
	l.mu.Lock()
	defer l.mu.Unlock()

	l.unlockLocked(ctx, wishes)
	granted := make([]lock, len(wishes))
	wanted := l.wantedLocked(wishes)
	if len(wanted) == 0 {
		return granted, nil
	}
	taken, err := l.takeLocked(ctx, wanted)
	if err != nil {
		return nil, err
	}
	for i, w := range wanted {
		for place, at := range w.places {
			if place < len(taken[i]) {
				granted[at] = lock{key: taken[i][place], generation: l.generation}
				l.held[taken[i][place]] = true
			}
		}
	}
	return granted, nil
}

// unlockLocked gives back what is still held.
func (l *Locks) unlockLocked(ctx context.Context, wishes []wish) {
	var keys []string
	for _, w := range wishes {
		if w.free.key != 0 && w.free.generation == l.generation && l.held[w.free.key] {
			delete(l.held, w.free.key)
			keys = append(keys, fmt.Sprintf("(%d)", w.free.key))
		}
	}
	if len(keys) > 0 {
		_, _ = l.askLocked(ctx, "SELECT count(pg_advisory_unlock(k::bigint)) FROM (VALUES "+strings.Join(keys, ",")+") AS v(k)")
	}
}

// wanted is one row of locks and the places of those who want one of them.
type wanted struct {
	free   []string // those that this process does not hold
	places []int
}

func (l *Locks) wantedLocked(wishes []wish) []wanted {
	var rows []wanted
	of := map[int64]int{} // by the first key of a row
	for at, w := range wishes {
		if len(w.any) == 0 {
			continue
		}
		if row, known := of[w.any[0]]; known {
			rows[row].places = append(rows[row].places, at)
			continue
		}
		var free []string
		for _, key := range w.any {
			if !l.held[key] {
				free = append(free, strconv.FormatInt(key, 10))
			}
		}
		if len(free) > 0 {
			of[w.any[0]] = len(rows)
			rows = append(rows, wanted{free: free, places: []int{at}})
		}
	}
	return rows
}

// takeLocked asks for as many locks of each row as are wanted, and answers those it got. The
// numbers are written out: with arguments lib/pq would make a second round trip.
func (l *Locks) takeLocked(ctx context.Context, rows []wanted) ([][]int64, error) {
	texts := make([]string, len(rows))
	for i, row := range rows {
		texts[i] = fmt.Sprintf("(%d, ARRAY[%s]::bigint[], %d)", i, strings.Join(row.free, ","), len(row.places))
	}
	taken := make([][]int64, len(rows))
	err := l.queryLocked(ctx, "SELECT w.i, got.k FROM (VALUES "+strings.Join(texts, ",")+") AS w(i, ks, n), LATERAL ("+
		"SELECT k FROM unnest(w.ks) AS k WHERE pg_try_advisory_lock(k) LIMIT w.n) AS got", func(rows *sql.Rows) error {
		var row int
		var key int64
		if err := rows.Scan(&row, &key); err != nil {
			return err
		}
		taken[row] = append(taken[row], key)
		return nil
	})
	return taken, err
}

func (l *Locks) ask(ctx context.Context, query string) (int64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.askLocked(ctx, query)
}

// askLocked runs a query of one number.
func (l *Locks) askLocked(ctx context.Context, query string) (answer int64, err error) {
	err = l.queryLocked(ctx, query, func(rows *sql.Rows) error { return rows.Scan(&answer) })
	return answer, err
}

// queryLocked runs a query on the connection, opening one if there is none. Any failure ends
// the connection, since nobody can say what it still holds.
func (l *Locks) queryLocked(ctx context.Context, query string, scan func(*sql.Rows) error) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	// One caller who leaves must not end the connection that holds the locks of the others.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lockTimeout)
	defer cancel()

	if l.conn == nil {
		if l.conn, err = l.db.Conn(ctx); err != nil {
			return fmt.Errorf("connect for advisory locks: %w", err)
		}
	}
	if err := each(ctx, l.conn, query, scan); err != nil {
		return fmt.Errorf("ask for advisory locks: %w", errors.Join(err, l.drop()))
	}
	return nil
}

func each(ctx context.Context, conn *sql.Conn, query string, scan func(*sql.Rows) error) error {
	rows, err := conn.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // Err tells
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
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
