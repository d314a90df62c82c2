package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/lib/pq"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/rivertype"
)

// A place of a queue is a slot for one running job. A fair queue divides its places among workspaces. One workspace
// may hold half of the places of a process, and always at least one. The workspace that holds the fewest places is
// served first.

// workspaceKey is the metadata key of the workspace that a job works for. It is stored in the database.
const workspaceKey = "workspace"

// ForWorkspace returns the metadata that marks a job as the job of a workspace. A job without this metadata belongs to
// the server, and its number of places is not limited.
func ForWorkspace(id string) []byte { return Metadata(context.Background(), id) }

// share returns how many places of a fair queue one workspace may hold in a process.
func share(places int) int { return max(1, places/2) }

// fairExecutor is River's executor, except that it takes the jobs of fair queues by share. River has no such
// option, so our own statement chooses the jobs; River still reads and decodes them.
type fairExecutor struct {
	riverdriver.Executor

	db     *sql.DB
	shares map[string]int // the share of each fair queue
}

// takeFairly takes jobs as River does, but orders them by priority, then by how few places their workspace
// holds, then by time. It skips jobs beyond their workspace's share.
const takeFairly = `
WITH held AS (
	SELECT metadata->>'` + workspaceKey + `' AS workspace, count(*) AS places FROM river_job
	WHERE state = 'running' AND queue = $1 AND attempted_by[array_upper(attempted_by, 1)] = $2 GROUP BY 1
), waiting AS (
	SELECT id, priority, scheduled_at, metadata->>'` + workspaceKey + `' AS workspace,
		row_number() OVER (PARTITION BY metadata->>'` + workspaceKey + `' ORDER BY priority, scheduled_at, id) AS place
	FROM river_job WHERE state = 'available' AND queue = $1 AND scheduled_at <= coalesce($3, now())
), shared AS (
	SELECT id, CASE WHEN workspace IS NULL THEN 1 ELSE place + coalesce(places, 0) END AS place, workspace
	FROM waiting LEFT JOIN held USING (workspace)
), taken AS (
	SELECT j.id FROM river_job j JOIN shared s ON s.id = j.id
	WHERE j.state = 'available' AND (s.workspace IS NULL OR s.place <= $4)
	ORDER BY j.priority, s.place, j.scheduled_at, j.id LIMIT $5 FOR UPDATE OF j SKIP LOCKED
)
UPDATE river_job SET state = 'running', attempt = attempt + 1, attempted_at = coalesce($3, now()),
	attempted_by = array_append(attempted_by[greatest(1, coalesce(array_length(attempted_by, 1), 0) + 2 - $6):], $2)
FROM taken WHERE river_job.id = taken.id RETURNING river_job.id`

// JobGetAvailable implements riverdriver.Executor.
func (e *fairExecutor) JobGetAvailable(
	ctx context.Context, params *riverdriver.JobGetAvailableParams,
) (*riverdriver.JobGetAvailableResult, error) {
	most, fair := e.shares[params.Queue]
	if !fair {
		return e.Executor.JobGetAvailable(ctx, params)
	}

	rows, err := e.db.QueryContext(ctx, takeFairly,
		params.Queue, params.ClientID, params.Now, most, params.MaxToLock, params.MaxAttemptedBy)
	if err != nil {
		return nil, fmt.Errorf("take jobs of queue %s: %w", params.Queue, err)
	}
	defer rows.Close() //nolint:errcheck // Err returns the error

	var ids []int64

	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("take jobs of queue %s: %w", params.Queue, err)
		}

		ids = append(ids, id)
	}

	if err := errors.Join(rows.Err(), rows.Close()); err != nil || len(ids) == 0 {
		return &riverdriver.JobGetAvailableResult{}, err
	}
	// If this fails, the jobs are marked as running here but do not run. The type rescue frees them.
	begun, err := e.JobGetByIDMany(ctx, &riverdriver.JobGetByIDManyParams{ID: ids, Schema: params.Schema})
	if err != nil {
		return nil, fmt.Errorf("read jobs of queue %s: %w", params.Queue, err)
	}

	return &riverdriver.JobGetAvailableResult{Jobs: begun}, nil
}

// Others reports whether a running job should stop so that another workspace can run a job. This is the case if a job
// of another workspace waits in the same queue, and that workspace has fewer running jobs there than the workspace of
// the running job.
func Others(ctx context.Context, db *sql.DB, job *rivertype.JobRow) (bool, error) {
	var wait bool

	err := db.QueryRowContext(ctx, `
		WITH held AS (
			SELECT coalesce(metadata->>'`+workspaceKey+`', '') AS workspace, count(*) AS places FROM river_job
			WHERE state = 'running' AND queue = $1 GROUP BY 1
		), ours AS (SELECT coalesce(metadata->>'`+workspaceKey+`', '') AS workspace FROM river_job WHERE id = $2)
		SELECT EXISTS (
			SELECT FROM river_job w LEFT JOIN held h ON h.workspace = coalesce(w.metadata->>'`+workspaceKey+`', ''), ours
			WHERE w.state = 'available' AND w.queue = $1 AND w.scheduled_at <= now() AND w.priority <= $3
			AND coalesce(w.metadata->>'`+workspaceKey+`', '') <> ours.workspace
			AND coalesce(h.places, 0) < (SELECT places FROM held WHERE held.workspace = ours.workspace)
		)`, job.Queue, job.ID, job.Priority).Scan(&wait)
	if err != nil {
		return false, fmt.Errorf("find waiting workspaces of queue %s: %w", job.Queue, err)
	}

	return wait, nil
}

// passOn announces to all processes that a place of a fair queue is free, until the context is canceled. Without this,
// River fetches again immediately only if it got as many jobs as it asked for. It gets fewer if a workspace has reached
// its share.
func (q *Queue) passOn(ctx context.Context, db *sql.DB, fair []string, logger *slog.Logger) {
	ended, cancel := q.Subscribe(river.EventKindJobCancelled, river.EventKindJobCompleted, river.EventKindJobFailed,
		river.EventKindJobInterrupted, river.EventKindJobSnoozed)
	defer cancel()

	for {
		select {
		case <-ctx.Done():
			return
		case event, open := <-ended:
			if !open {
				return
			}

			if event.Job == nil || !slices.Contains(fair, event.Job.Queue) {
				continue
			}

			if err := announce(ctx, db, event.Job.Queue); err != nil && ctx.Err() == nil {
				logger.WarnContext(ctx, "queue: cannot notify other servers that a job slot is free; waiting jobs start at the next poll",
					slog.Any("error", err))
			}
		}
	}
}

// announce wakes the workers of the queues, as an insertion does.
func announce(ctx context.Context, db *sql.DB, queues ...string) error {
	_, err := db.ExecContext(ctx, `
		SELECT pg_notify(current_schema() || '.river_insert', json_build_object('queue', q)::text) FROM unnest($1::text[]) q`,
		pq.Array(queues))

	return err
}
