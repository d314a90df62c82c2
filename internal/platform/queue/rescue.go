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

	// rescueAfter is how long a process must be missing before its jobs are freed. It is long enough for a process that
	// loses the connection of its lock to take the lock again.
	rescueAfter = 5 * time.Second

	// strayAfter is how long a job must be recorded as running here without running before it is freed. It is long
	// enough for River's attempts to record the end of the job.
	strayAfter = time.Minute
)

// rescue frees the jobs of dead processes. Each process holds an advisory lock under the name of its River
// client as long as it lives; a job whose runner holds none is orphaned. River itself only has a time limit
// for each job, which must be longer than the longest job.
//
// A job of this process is orphaned too when it has ended, or never began, and this could not be recorded:
// River tries a few times and then gives up.
type rescue struct {
	db     *sql.DB
	every  time.Duration
	after  time.Duration
	id     string
	locks  *Locks
	logger *slog.Logger
	missed map[string]time.Time // since when a runner of jobs holds no lock
	strays map[stray]time.Time  // since when a job is recorded as running here but is not
	under  *underway
}

// stray identifies one run of a job: the next run of the same job is another stray.
type stray struct {
	id    int64
	begun string
}

func newRescue(db *sql.DB, locks *Locks, id string, under *underway, logger *slog.Logger) *rescue {
	return &rescue{
		db: db, every: rescueEvery, after: rescueAfter, id: id, locks: locks, logger: logger,
		missed: map[string]time.Time{}, under: under,
	}
}

// enlist marks this process as alive.
func (r *rescue) enlist(ctx context.Context) error {
	_, err := r.locks.keep(ctx, runnerKey(r.id))

	return err
}

// run keeps the process enlisted and frees jobs until the context is canceled.
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
			r.strays = nil // while nothing can be read, nothing can be recorded either
			r.logger.ErrorContext(ctx, "queue: cannot find orphaned jobs", slog.Any("error", err))
		}
	}
}

func (r *rescue) once(ctx context.Context, now time.Time) error {
	if err := r.enlist(ctx); err != nil {
		return err
	}

	if err := r.gather(ctx, now); err != nil {
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

	return r.free(ctx, "the process that ran the job ended", dead, nil, nil)
}

// absent lists the runners of running jobs that hold no lock. The jobs are read first, so a process that
// begins one later is enlisted already.
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

// gather frees the stray jobs of this process.
func (r *rescue) gather(ctx context.Context, now time.Time) error {
	rows, err := r.db.QueryContext(ctx, `
		SELECT id, attempted_at::text FROM river_job
		WHERE state = 'running' AND attempted_by[array_upper(attempted_by, 1)] = $1`, r.id)
	if err != nil {
		return fmt.Errorf("list own jobs: %w", err)
	}
	defer rows.Close() //nolint:errcheck // Err returns the error

	var (
		ids    pq.Int64Array
		begun  pq.StringArray
		strays = map[stray]time.Time{}
	)

	for rows.Next() {
		var s stray
		if err := rows.Scan(&s.id, &s.begun); err != nil {
			return fmt.Errorf("list own jobs: %w", err)
		}

		if r.under.has(s.id) {
			continue
		}

		since, known := r.strays[s]
		if !known {
			since = now
		}

		strays[s] = since
		if now.Sub(since) >= strayAfter {
			ids, begun = append(ids, s.id), append(begun, s.begun)
		}
	}

	if err := rows.Err(); err != nil {
		return fmt.Errorf("list own jobs: %w", err)
	}

	r.strays = strays

	if len(ids) == 0 {
		return nil
	}

	return r.free(ctx, "the end of the job could not be recorded", nil, ids, begun)
}

// free makes jobs available again that do not run anywhere: jobs of dead runners, and stray jobs by id and
// begin. The attempt counts, so that a job that kills its process is discarded in the end.
func (r *rescue) free(ctx context.Context, why string, dead pq.StringArray, ids pq.Int64Array, begun pq.StringArray) error {
	rows, err := r.db.ExecContext(ctx, `
		UPDATE river_job SET
			errors = array_append(errors, jsonb_build_object(
				'at', now(), 'attempt', attempt, 'error', $1::text, 'trace', '')),
			finalized_at = CASE WHEN attempt >= max_attempts OR metadata ? 'cancel_attempted_at' THEN now() END,
			scheduled_at = now(),
			state = CASE
				WHEN metadata ? 'cancel_attempted_at' THEN 'cancelled'
				WHEN attempt >= max_attempts THEN 'discarded'
				ELSE 'available' END::river_job_state
		WHERE state = 'running' AND (attempted_by[array_upper(attempted_by, 1)] = ANY($2) OR
			(id, attempted_at::text) IN (SELECT id, begun FROM unnest($3::bigint[], $4::text[]) AS s(id, begun)))`, why, dead, ids, begun)
	if err != nil {
		return fmt.Errorf("free orphaned jobs: %w", err)
	}

	freed, err := rows.RowsAffected()
	if err != nil {
		return fmt.Errorf("free orphaned jobs: %w", err)
	}

	r.logger.WarnContext(ctx, "queue: freed orphaned jobs", slog.Int64("jobs", freed), slog.String("because", why))

	return nil
}

func runnerKey(id string) int64 { return lockKey("runner/" + id) }
