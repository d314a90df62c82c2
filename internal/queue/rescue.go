package queue

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"time"

	"github.com/lib/pq"
)

const (
	rescueEvery = time.Second

	// rescueAfter is how long a process must be missed. It covers a process that lost the
	// connection of its lock and takes it again.
	rescueAfter = 5 * time.Second
)

// rescue frees the jobs of dead processes. Each process holds an advisory lock under the name
// of its River client for as long as it lives; a job whose runner holds none is orphaned.
// River itself only has a time limit per job, which must be longer than the longest job.
type rescue struct {
	db     *sql.DB
	every  time.Duration
	after  time.Duration
	id     string
	locks  *Locks
	logger *slog.Logger
	missed map[string]time.Time // since when a runner of jobs holds no lock
}

func newRescue(db *sql.DB, locks *Locks, id string, logger *slog.Logger) *rescue {
	return &rescue{
		db: db, every: rescueEvery, after: rescueAfter, id: id, locks: locks, logger: logger,
		missed: map[string]time.Time{},
	}
}

// enlist makes this process count as alive.
func (r *rescue) enlist(ctx context.Context) error {
	_, err := r.locks.keep(ctx, runnerKey(r.id))
	return err
}

// run stays enlisted and rescues until the context ends.
func (r *rescue) run(ctx context.Context) {
	ticker := time.NewTicker(r.every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if err := r.once(ctx, time.Now()); err != nil && ctx.Err() == nil {
			r.logger.ErrorContext(ctx, "queue: look for orphaned jobs", slog.Any("error", err))
		}
	}
}

func (r *rescue) once(ctx context.Context, now time.Time) error {
	if err := r.enlist(ctx); err != nil {
		return err
	}
	absent, err := r.absent(ctx)
	if err != nil {
		return err
	}
	var dead []string
	missed := make(map[string]time.Time, len(absent))
	for _, id := range absent {
		since, known := r.missed[id]
		if !known {
			since = now
		}
		missed[id] = since
		if now.Sub(since) >= r.after {
			dead = append(dead, id)
		}
	}
	r.missed = missed
	if len(dead) == 0 {
		return nil
	}
	return r.free(ctx, dead)
}

// absent lists the runners of running jobs that hold no lock. The jobs are read first: who
// begins one later has been enlisted before.
func (r *rescue) absent(ctx context.Context) ([]string, error) {
	var runners pq.StringArray
	err := r.db.QueryRowContext(ctx, `
		SELECT array_agg(DISTINCT attempted_by[array_upper(attempted_by, 1)])
		FROM river_job WHERE state = 'running'`).Scan(&runners)
	if err != nil {
		return nil, fmt.Errorf("list runners: %w", err)
	}
	if len(runners) == 0 {
		return nil, nil
	}
	keys := make([]int64, len(runners))
	for i, id := range runners {
		keys[i] = runnerKey(id)
	}
	alive, err := holding(ctx, r.db, keys)
	if err != nil {
		return nil, err
	}
	var absent []string
	for i, id := range runners {
		if id != r.id && !alive[keys[i]] {
			absent = append(absent, id)
		}
	}
	return absent, nil
}

// free lets the jobs of dead runners run again. The attempt counts, so that a job that kills
// its process is discarded in the end.
func (r *rescue) free(ctx context.Context, dead []string) error {
	rows, err := r.db.ExecContext(ctx, `
		UPDATE river_job SET
			errors = array_append(errors, jsonb_build_object(
				'at', now(), 'attempt', attempt, 'error', 'the process that ran the job is gone', 'trace', '')),
			finalized_at = CASE WHEN attempt >= max_attempts OR metadata ? 'cancel_attempted_at' THEN now() END,
			scheduled_at = now(),
			state = CASE
				WHEN metadata ? 'cancel_attempted_at' THEN 'cancelled'
				WHEN attempt >= max_attempts THEN 'discarded'
				ELSE 'available' END::river_job_state
		WHERE state = 'running' AND attempted_by[array_upper(attempted_by, 1)] = ANY($1)`, pq.StringArray(dead))
	if err != nil {
		return fmt.Errorf("free orphaned jobs: %w", err)
	}
	freed, err := rows.RowsAffected()
	if err != nil {
		return fmt.Errorf("free orphaned jobs: %w", err)
	}
	r.logger.WarnContext(ctx, "queue: freed the jobs of dead processes",
		slog.Int64("jobs", freed), slog.Any("processes", dead))
	return nil
}

func runnerKey(id string) int64 { return lockKey("runner/" + id) }
