// Package housekeeping deletes expired rows and files, completes rows whose job was lost, and creates the default
// library of a new server. Start with Sweep.
package housekeeping

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/change"
	"github.com/reelgraph/reelgraph/ent/export"
	"github.com/reelgraph/reelgraph/ent/extract"
	"github.com/reelgraph/reelgraph/ent/idempotencykey"
	"github.com/reelgraph/reelgraph/ent/touch"
	"github.com/reelgraph/reelgraph/ent/webhookendpoint"
	"github.com/reelgraph/reelgraph/ent/webhookmessage"
	"github.com/reelgraph/reelgraph/internal/account"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/limit"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/workers/media"
)

const (
	sweepEvery   = 2 * time.Minute
	sweepTimeout = 10 * time.Minute

	// sweepBatch is how many rows one transaction removes, so that none holds locks for long.
	sweepBatch = 500

	// leftBehind is how old an unfinished file in the staging folders must be to count as left by a crash. No copy
	// takes this long.
	leftBehind = 24 * time.Hour
)

// Sweep deletes everything that has expired, and completes rows whose job was lost.
type Sweep struct {
	river.WorkerDefaults[jobs.Sweep]
	media.Deps
}

// SweepEvery returns the schedule of Sweep. Every process that runs jobs registers it.
func SweepEvery() *river.PeriodicJob {
	return river.NewPeriodicJob(river.PeriodicInterval(sweepEvery), func() (river.JobArgs, *river.InsertOpts) {
		return jobs.Sweep{}, nil
	}, &river.PeriodicJobOpts{RunOnStart: true})
}

// Timeout implements river.Worker.
func (*Sweep) Timeout(*river.Job[jobs.Sweep]) time.Duration { return sweepTimeout }

// Work implements river.Worker. A part that fails does not stop the others.
func (w *Sweep) Work(ctx context.Context, _ *river.Job[jobs.Sweep]) error {
	ctx = auth.AsSystem(ctx)

	if err := w.Store.CheckClock(ctx); err != nil {
		return err
	}

	return errors.Join(
		w.settleSources(ctx),
		w.settleExports(ctx),
		w.settleExtracts(ctx),
		w.settleSpeech(ctx),
		w.silent(ctx),
		w.uploads(ctx),
		w.settleClips(ctx),
		w.abandoned(ctx),
		w.trash(ctx),
		w.exports(ctx),
		w.extracts(ctx),
		w.crashed(ctx),
		w.keys(ctx),
		w.touches(ctx),
		w.changes(ctx),
		w.messages(ctx),
		w.endpoints(ctx),
		limit.Sweep(ctx, w.Store.DB),
		account.Sweep(ctx, w.Store.DB),
	)
}

// exports removes expired exports with their files.
func (w *Sweep) exports(ctx context.Context) error {
	now := w.Now()
	over := export.And(export.FinishedAtNotNil(), export.Or(
		export.ExpiresAtLTE(now),
		export.And(export.ExpiresAtIsNil(), export.FinishedAtLTE(now.Add(-jobs.ExportKept))),
	))

	return drop(ctx, w, "exports", func(ctx context.Context, c *ent.Client) ([]*ent.Export, error) {
		return c.Export.Query().Where(over).Select(export.FieldID, export.FieldWorkspaceID, export.FieldBlobKey).
			ForUpdate().Limit(sweepBatch).All(ctx)
	}, func(exp *ent.Export) leftover {
		return leftover{id: exp.ID, workspaceID: exp.WorkspaceID, keys: []string{exp.BlobKey}}
	}, func(ctx context.Context, c *ent.Client, ids []string) (int, error) {
		return c.Export.Delete().Where(export.IDIn(ids...)).Exec(ctx)
	})
}

// extracts removes extracts that nobody has requested for a while.
func (w *Sweep) extracts(ctx context.Context) error {
	unused := extract.UsedAtLT(w.Now().Add(-jobs.ExtractKept))

	return drop(ctx, w, "extracts", func(ctx context.Context, c *ent.Client) ([]*ent.Extract, error) {
		return c.Extract.Query().Where(unused).ForUpdate().Limit(sweepBatch).All(ctx)
	}, func(row *ent.Extract) leftover {
		l := leftover{id: row.ID, workspaceID: row.WorkspaceID}
		for _, f := range row.Files {
			l.keys = append(l.keys, f.BlobKey)
		}

		return l
	}, func(ctx context.Context, c *ent.Client, ids []string) (int, error) {
		return c.Extract.Delete().Where(extract.IDIn(ids...)).Exec(ctx)
	})
}

// crashed removes files that crashes left in the storage.
func (w *Sweep) crashed(ctx context.Context) error {
	if err := w.Blobs.Sweep(ctx, w.Now().Add(-leftBehind)); err != nil {
		return fmt.Errorf("sweep the storage: %w", err)
	}

	return nil
}

func (w *Sweep) keys(ctx context.Context) error {
	return batches(ctx, w, "stored answers", func(ctx context.Context, c *ent.Client) ([]string, error) {
		return c.IdempotencyKey.Query().Where(idempotencykey.ExpiresAtLTE(w.Now())).Limit(sweepBatch).IDs(ctx)
	}, func(ctx context.Context, c *ent.Client, ids []string) (int, error) {
		return c.IdempotencyKey.Delete().Where(idempotencykey.IDIn(ids...)).Exec(ctx)
	})
}

func (w *Sweep) touches(ctx context.Context) error {
	return batches(ctx, w, "touch log", func(ctx context.Context, c *ent.Client) ([]int64, error) {
		return c.Touch.Query().Where(touch.TouchedAtLT(w.Now().Add(-jobs.TouchKept))).Limit(sweepBatch).IDs(ctx)
	}, func(ctx context.Context, c *ent.Client, ids []int64) (int, error) {
		return c.Touch.Delete().Where(touch.IDIn(ids...)).Exec(ctx)
	})
}

// changes removes what no listener reads any more.
func (w *Sweep) changes(ctx context.Context) error {
	return batches(ctx, w, "change log", func(ctx context.Context, c *ent.Client) ([]int64, error) {
		return c.Change.Query().Where(change.ChangedAtLT(w.Now().Add(-jobs.ChangeKept))).Limit(sweepBatch).IDs(ctx)
	}, func(ctx context.Context, c *ent.Client, ids []int64) (int, error) {
		return c.Change.Delete().Where(change.IDIn(ids...)).Exec(ctx)
	})
}

// messages removes old webhook messages. Their deliveries and attempts are deleted with them.
func (w *Sweep) messages(ctx context.Context) error {
	return batches(ctx, w, "messages", func(ctx context.Context, c *ent.Client) ([]string, error) {
		return c.WebhookMessage.Query().Where(webhookmessage.OccurredAtLT(w.Now().Add(-jobs.MessageKept))).
			Limit(sweepBatch).IDs(ctx)
	}, func(ctx context.Context, c *ent.Client, ids []string) (int, error) {
		return c.WebhookMessage.Delete().Where(webhookmessage.IDIn(ids...)).Exec(ctx)
	})
}

// endpoints removes deleted webhook endpoints that have no messages left.
func (w *Sweep) endpoints(ctx context.Context) error {
	return batches(ctx, w, "webhook endpoints", func(ctx context.Context, c *ent.Client) ([]string, error) {
		return c.WebhookEndpoint.Query().Where(webhookendpoint.DeletedAtLT(w.Now().Add(-jobs.MessageKept))).
			Limit(sweepBatch).IDs(ctx)
	}, func(ctx context.Context, c *ent.Client, ids []string) (int, error) {
		return c.WebhookEndpoint.Delete().Where(webhookendpoint.IDIn(ids...)).Exec(ctx)
	})
}

// leftover is an expired row and the keys of its files. An empty key means no file.
type leftover struct {
	id, workspaceID string
	keys            []string
}

// drop removes rows in batches and inserts a job for each that deletes its files, so that a file that cannot be
// deleted holds up nothing else. find must lock its rows, so that a row that is used again meanwhile keeps its files.
func drop[Row any](
	ctx context.Context, w *Sweep, what string, find func(context.Context, *ent.Client) ([]Row, error),
	of func(Row) leftover, remove func(context.Context, *ent.Client, []string) (int, error),
) error {
	return batches(ctx, w, what, find, func(ctx context.Context, c *ent.Client, rows []Row) (int, error) {
		var (
			ids    []string
			wanted []river.JobArgs
		)

		for _, row := range rows {
			l := of(row)
			ids = append(ids, l.id)

			if keys := slices.DeleteFunc(l.keys, func(key string) bool { return key == "" }); len(keys) > 0 {
				wanted = append(wanted, jobs.Discard{WorkspaceID: l.workspaceID, BlobKeys: keys})
			}
		}

		if len(wanted) > 0 {
			if err := w.Queue.Add(ctx, wanted...); err != nil {
				return 0, err
			}
		}

		return remove(ctx, c, ids)
	})
}

// batches removes rows in batches until none is found.
func batches[ID any](
	ctx context.Context, w *Sweep, what string,
	find func(context.Context, *ent.Client) ([]ID, error), remove func(context.Context, *ent.Client, []ID) (int, error),
) error {
	for more := true; more; {
		err := w.Store.InTx(ctx, func(ctx context.Context) error {
			c := w.Store.Client(ctx)

			ids, err := find(ctx, c)
			if more = len(ids) == sweepBatch; err != nil || len(ids) == 0 {
				return err
			}

			_, err = remove(ctx, c, ids)

			return err
		})
		if err != nil {
			return fmt.Errorf("sweep %s: %w", what, err)
		}
	}

	return nil
}

// orphan is a row whose job no longer exists. The queue discards a job whose process died in every attempt.
type orphan struct{ id, workspaceID string }

// orphans returns at most one batch of the rows that the query finds. The query's argument is the batch size.
func (w *Sweep) orphans(ctx context.Context, query string) ([]orphan, error) {
	var found []orphan

	err := w.Store.Query(ctx, func(rows *sql.Rows) error {
		var o orphan

		err := rows.Scan(&o.id, &o.workspaceID)
		found = append(found, o)

		return err
	}, query, sweepBatch)
	if err != nil {
		return nil, fmt.Errorf("find rows without a job: %w", err)
	}

	return found, nil
}

const (
	orphanSourcesSQL = `
SELECT s.id, s.workspace_id FROM sources s WHERE s.status = 'processing' AND NOT EXISTS (
  SELECT FROM river_job j WHERE j.kind = 'probe' AND j.args ->> 'sourceId' = s.id
  AND j.state NOT IN ('cancelled', 'completed', 'discarded')) LIMIT $1`

	orphanExtractsSQL = `
SELECT e.id, e.workspace_id FROM extracts e WHERE e.status = 'pending' AND NOT EXISTS (
  SELECT FROM river_job j WHERE j.kind = 'extract' AND j.args ->> 'extractId' = e.id
  AND j.state NOT IN ('cancelled', 'completed', 'discarded')) LIMIT $1`

	orphanExportsSQL = `
SELECT e.id, e.workspace_id FROM exports e WHERE e.finished_at IS NULL AND NOT EXISTS (
  SELECT FROM river_job j WHERE j.kind = 'render' AND j.args ->> 'exportId' = e.id
  AND j.state NOT IN ('cancelled', 'completed', 'discarded')) LIMIT $1`
)

func (w *Sweep) settleSources(ctx context.Context) error {
	found, err := w.orphans(ctx, orphanSourcesSQL)
	if err != nil {
		return err
	}

	for _, o := range found {
		src, err := w.Store.Client(ctx).Source.Get(ctx, o.id)
		if ent.IsNotFound(err) {
			continue
		}

		if err == nil {
			err = w.FailSource(ctx, src, media.OurFault("upload the file"))
		}

		if err != nil {
			return fmt.Errorf("set the final state of source %s: %w", o.id, err)
		}
	}

	return nil
}

// settleExtracts fails extracts whose job no longer exists, so that they can be requested again.
func (w *Sweep) settleExtracts(ctx context.Context) error {
	found, err := w.orphans(ctx, orphanExtractsSQL)
	if err != nil {
		return err
	}

	for _, o := range found {
		row := &ent.Extract{ID: o.id, WorkspaceID: o.workspaceID}

		err := w.Settle(ctx, row, func(u *ent.ExtractUpdate) {
			u.SetStatus(values.ExtractStatusFailed).SetErrorMessage(media.OurFault("ask").Message)
		})
		if err != nil && !errors.Is(err, media.ErrEnded) {
			return err
		}
	}

	return nil
}

func (w *Sweep) settleExports(ctx context.Context) error {
	found, err := w.orphans(ctx, orphanExportsSQL)
	if err != nil {
		return err
	}

	for _, o := range found {
		exp, err := w.Store.Client(ctx).Export.Query().Brief().Where(export.ID(o.id)).Only(ctx)
		if ent.IsNotFound(err) {
			continue
		}

		if err == nil {
			err = w.Fail(ctx, exp, media.OurFault("start the export"))
		}

		if err != nil && !errors.Is(err, media.ErrEnded) {
			return fmt.Errorf("settle export %s: %w", o.id, err)
		}
	}

	return nil
}
