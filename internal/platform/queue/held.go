package queue

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/lib/pq"
)

// Idle returns the names that are not in use: no process holds any of their places. Each name has the given number of
// places.
func (l *Locks) Idle(ctx context.Context, names []string, places int) ([]string, error) {
	keys := make([]int64, 0, len(names)*places)
	for _, name := range names {
		keys = append(keys, slots(name, places)...)
	}

	held, err := holding(ctx, l.db, keys)
	if err != nil {
		return nil, err
	}

	var idle []string

	for i, name := range names {
		if !slices.ContainsFunc(keys[i*places:(i+1)*places], func(key int64) bool { return held[key] }) {
			idle = append(idle, name)
		}
	}

	return idle, nil
}

// holding returns those of the locks that a process of this database holds.
func holding(ctx context.Context, db *sql.DB, keys []int64) (map[int64]bool, error) {
	held := map[int64]bool{}
	if len(keys) == 0 {
		return held, nil
	}

	var present pq.Int64Array

	err := db.QueryRowContext(ctx, `
		SELECT array_agg(key) FROM (
			SELECT classid::bigint << 32 | objid::bigint AS key FROM pg_locks
			WHERE locktype = 'advisory' AND objsubid = 1 AND granted
			AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
		) held WHERE key = ANY($1)`, pq.Int64Array(keys)).Scan(&present)
	if err != nil {
		return nil, fmt.Errorf("list held locks: %w", err)
	}

	for _, key := range present {
		held[key] = true
	}

	return held, nil
}
