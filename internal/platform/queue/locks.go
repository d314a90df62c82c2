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

	"github.com/lib/pq"

	"github.com/reelgraph/reelgraph/internal/platform/coalesce"
)

// lockTimeout limits one query about locks.
const lockTimeout = 10 * time.Second

// Locks holds the advisory locks of this process on a separate connection. When the process dies, the connection
// closes and the database frees the locks immediately, so the locks need no expiry. When only the connection
// is lost, the locks are lost too, and the work that they protected may run twice for a short time.
type Locks struct {
	db *sql.DB

	wishes coalesce.Rounds[wish, []grant]

	mu         sync.Mutex
	conn       *sql.Conn
	generation int // counts connections, because a lock is released only on the connection that holds it
	held       map[int64]bool
}

// NewLocks returns the locks of a process. The caller closes them after everything that uses them has ended. The
// first lock takes a connection from the pool.
func NewLocks(db *sql.DB) *Locks { return &Locks{db: db, held: map[int64]bool{}} }

// Close frees all locks and returns the connection to the pool.
func (l *Locks) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()

	if l.conn == nil {
		return nil
	}

	ctx, cancel := context.WithTimeout(context.Background(), lockTimeout)
	defer cancel()
	// Closing the connection frees the locks too, but perhaps only after Close returns.
	_, _ = l.conn.ExecContext(ctx, "SELECT pg_advisory_unlock_all()")
	if err := l.drop(); err != nil {
		return fmt.Errorf("free advisory locks: %w", err)
	}

	return nil
}

// TrySlot takes one of the places that all processes share under name, and reports whether one was free. A place is
// the right to run one operation. places is the total number of places. Call release at most once.
func (l *Locks) TrySlot(ctx context.Context, name string, places int) (release func(), taken bool, err error) {
	return l.try(ctx, slots(name, places), 1)
}

// TryAll is like TrySlot, but takes all places and reports whether all were free. If two processes try at the same
// moment, both may fail.
func (l *Locks) TryAll(ctx context.Context, name string, places int) (release func(), taken bool, err error) {
	return l.try(ctx, slots(name, places), places)
}

func slots(name string, places int) []int64 {
	keys := make([]int64, places)
	for i := range keys {
		keys[i] = lockKey(fmt.Sprintf("slot/%d/%s", i, name))
	}

	return keys
}

// Keep takes the lock called name until the process ends, and reports whether this process has it. Call it regularly,
// because the lock is lost with the connection, and another process may then take it.
func (l *Locks) Keep(ctx context.Context, name string) (bool, error) {
	return l.keep(ctx, lockKey("keep/"+name))
}

// keep takes the lock if this process does not hold it, and checks that the connection still works.
func (l *Locks) keep(ctx context.Context, key int64) (bool, error) {
	l.mu.Lock()
	held := l.held[key]
	l.mu.Unlock()

	if held {
		_, err := l.ask(ctx, "SELECT 1")

		return err == nil, err
	}

	_, taken, err := l.try(ctx, []int64{key}, 1)

	return taken, err
}

// A wish is what one caller needs from the next shared statement. It either takes locks or releases them. The field of
// lists the locks to choose from, and many is how many of them to take. free holds the locks to release.
type wish struct {
	of   []int64
	many int
	free grant
}

// A grant is a set of locks held on one connection. Without keys it is empty.
type grant struct {
	keys       []int64
	generation int
}

// try takes the requested number of locks if that many are free. Locks that this process holds do not count
// as free, although the database would grant them again.
func (l *Locks) try(ctx context.Context, keys []int64, many int) (release func(), taken bool, err error) {
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}

	before, granted, err := l.wishes.Join("", wish{of: keys, many: many}, l.grant)
	if err != nil {
		return nil, false, err
	}

	got := granted[len(before)]
	if len(got.keys) == 0 {
		return nil, false, nil
	}

	return sync.OnceFunc(func() { l.unlock(got) }), true, nil
}

func (l *Locks) unlock(held grant) {
	if _, _, err := l.wishes.Join("", wish{free: held}, l.grant); err != nil {
		return // the connection was closed, and with it the lock
	}
}

// grant serves the wishes that came while the connection was busy. It first releases locks and then takes locks. The
// result has a grant for each wish.
func (l *Locks) grant(wishes []wish) ([]grant, error) {
	ctx, cancel := context.WithTimeout(context.Background(), lockTimeout)
	defer cancel()

	l.mu.Lock()
	defer l.mu.Unlock()

	l.unlockLocked(ctx, returned(wishes))
	granted := make([]grant, len(wishes))

	wanted := l.wantedLocked(wishes)
	if len(wanted) == 0 {
		return granted, nil
	}

	taken, err := l.takeLocked(ctx, wanted)
	if err != nil {
		return nil, err
	}

	var short []grant

	for i, w := range wanted {
		rest := taken[i]
		for _, place := range w.places {
			many := min(wishes[place].many, len(rest))

			got := grant{keys: rest[:many], generation: l.generation}
			if rest = rest[many:]; many < wishes[place].many {
				short = append(short, got)

				continue
			}

			granted[place] = got
		}

		for _, key := range taken[i] {
			l.held[key] = true
		}
	}

	l.unlockLocked(ctx, short)

	return granted, nil
}

func returned(wishes []wish) []grant {
	var all []grant
	for _, w := range wishes {
		all = append(all, w.free)
	}

	return all
}

const unlockSQL = "SELECT count(pg_advisory_unlock(k)) FROM unnest((SELECT $1::bigint[])) AS k"

// unlockLocked releases those of the locks that are still held.
func (l *Locks) unlockLocked(ctx context.Context, grants []grant) {
	var keys []int64
	for _, g := range grants {
		for _, key := range g.keys {
			if g.generation == l.generation && l.held[key] {
				delete(l.held, key)
				keys = append(keys, key)
			}
		}
	}

	if len(keys) > 0 {
		_, _ = l.askLocked(ctx, unlockSQL, pq.Array(keys))
	}
}

// wanted is one row of locks, the total number that is wanted, and the places of the callers.
type wanted struct {
	free   []string // the locks that this process does not hold
	many   int
	places []int
}

func (l *Locks) wantedLocked(wishes []wish) []wanted {
	var rows []wanted

	of := map[int64]int{} // by the first key of a row
	for at, w := range wishes {
		if len(w.of) == 0 {
			continue
		}

		if row, known := of[w.of[0]]; known {
			rows[row].many += w.many
			rows[row].places = append(rows[row].places, at)

			continue
		}

		var free []string

		for _, key := range w.of {
			if !l.held[key] {
				free = append(free, strconv.FormatInt(key, 10))
			}
		}

		if len(free) >= w.many {
			of[w.of[0]] = len(rows)
			rows = append(rows, wanted{free: free, many: w.many, places: []int{at}})
		}
	}

	return rows
}

// takeSQL passes the numbers of a row as one text, because lists of different lengths are not a Postgres
// array.
const takeSQL = `
SELECT w.i - 1, got.k FROM unnest((SELECT $1::text[]), (SELECT $2::bigint[])) WITH ORDINALITY AS w(ks, n, i), LATERAL (
  SELECT k FROM unnest(string_to_array(w.ks, ' ')::bigint[]) AS k WHERE pg_try_advisory_lock(k) LIMIT w.n) AS got`

// takeLocked requests the wanted number of locks of each row, and returns those it got.
func (l *Locks) takeLocked(ctx context.Context, rows []wanted) ([][]int64, error) {
	free, many := make([]string, len(rows)), make([]int64, len(rows))
	for i, row := range rows {
		free[i], many[i] = strings.Join(row.free, " "), int64(row.many)
	}

	taken := make([][]int64, len(rows))
	err := l.queryLocked(ctx, func(rows *sql.Rows) error {
		var (
			row int
			key int64
		)
		if err := rows.Scan(&row, &key); err != nil {
			return err
		}

		taken[row] = append(taken[row], key)

		return nil
	}, takeSQL, pq.Array(free), pq.Array(many))

	return taken, err
}

func (l *Locks) ask(ctx context.Context, query string) (int64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()

	return l.askLocked(ctx, query)
}

// askLocked runs a query that returns one number.
func (l *Locks) askLocked(ctx context.Context, query string, args ...any) (answer int64, err error) {
	err = l.queryLocked(ctx, func(rows *sql.Rows) error { return rows.Scan(&answer) }, query, args...)

	return answer, err
}

// queryLocked runs a query on the connection, and opens one if needed. Any failure closes the connection,
// because it is then unknown which locks the connection still holds.
func (l *Locks) queryLocked(ctx context.Context, scan func(*sql.Rows) error, query string, args ...any) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	// One canceled caller must not close the connection that holds the locks of the others.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lockTimeout)
	defer cancel()

	if l.conn == nil {
		if l.conn, err = l.db.Conn(ctx); err != nil {
			return fmt.Errorf("connect for advisory locks: %w", err)
		}
	}

	if err := each(ctx, l.conn, scan, query, args...); err != nil {
		return fmt.Errorf("ask for advisory locks: %w", errors.Join(err, l.drop()))
	}

	return nil
}

func each(ctx context.Context, conn *sql.Conn, scan func(*sql.Rows) error, query string, args ...any) error {
	rows, err := conn.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // Err returns the error

	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}

	return rows.Err()
}

// drop closes the connection instead of returning it to the pool with its locks.
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

// lockKey maps a name to the number space that all advisory locks of a database share. 0 is reserved for
// none.
func lockKey(name string) int64 {
	sum := sha256.Sum256([]byte("reelgraph/queue/" + name))

	return int64(binary.BigEndian.Uint64(sum[:8]) | 1) // any 64 bits will do
}
