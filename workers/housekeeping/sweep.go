// Package housekeeping removes what is over, settles what no job works on any more, and paints the library of a new server. Start
// with Sweep.
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

	// leftBehind is how old a file must be that a crash left where files are put together. No copy takes so long.
	leftBehind = 24 * time.Hour
)

// Sweep removes everything whose time is over, and settles what a job left undone that is no more.
type Sweep struct {
	river.WorkerDefaults[jobs.Sweep]
	media.Deps
}

// SweepEvery is the schedule of Sweep; every process that works registers it.
func SweepEvery() *river.PeriodicJob {
	return river.NewPeriodicJob(river.PeriodicInterval(sweepEvery), func() (river.JobArgs, *river.InsertOpts) {
		return jobs.Sweep{}, nil
	}, &river.PeriodicJobOpts{RunOnStart: true})
}

// Timeout implements river.Worker.
func (*Sweep) Timeout(*river.Job[jobs.Sweep]) time.Duration { return sweepTimeout }

// Work implements river.Worker. One part that fails keeps no other from being done.
func (w *Sweep) Work(ctx context.Context, _ *river.Job[jobs.Sweep]) error {
	ctx = auth.AsSystem(ctx)

	if err := media.AgreeOnTime(ctx, w.Store); err != nil {
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
		w.exports(ctx),
		w.extracts(ctx),
		w.crashed(ctx),
		w.keys(ctx),
		w.touches(ctx),
		w.messages(ctx),
		w.endpoints(ctx),
		limit.Sweep(ctx, w.Store.DB),
		account.Sweep(ctx, w.Store.DB),
	)
}

// exports removes exports with their files.
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

// extracts removes those that nobody has asked for in a while.
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

// crashed removes what crashes left in the storage.
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

// messages removes old events; their deliveries and attempts go with them.
func (w *Sweep) messages(ctx context.Context) error {
	return batches(ctx, w, "messages", func(ctx context.Context, c *ent.Client) ([]string, error) {
		return c.WebhookMessage.Query().Where(webhookmessage.OccurredAtLT(w.Now().Add(-jobs.MessageKept))).
			Limit(sweepBatch).IDs(ctx)
	}, func(ctx context.Context, c *ent.Client, ids []string) (int, error) {
		return c.WebhookMessage.Delete().Where(webhookmessage.IDIn(ids...)).Exec(ctx)
	})
}

// endpoints removes deleted webhook endpoints once no message to them can be left.
func (w *Sweep) endpoints(ctx context.Context) error {
	return batches(ctx, w, "webhook endpoints", func(ctx context.Context, c *ent.Client) ([]string, error) {
		return c.WebhookEndpoint.Query().Where(webhookendpoint.DeletedAtLT(w.Now().Add(-jobs.MessageKept))).
			Limit(sweepBatch).IDs(ctx)
	}, func(ctx context.Context, c *ent.Client, ids []string) (int, error) {
		return c.WebhookEndpoint.Delete().Where(webhookendpoint.IDIn(ids...)).Exec(ctx)
	})
}

// leftover is a row whose time is over, with the files that it names; an empty key is none.
type leftover struct {
	id, workspaceID string
	keys            []string
}

// drop removes rows a batch at a time, each with a job that removes its files. A file that cannot be removed so
// holds up nothing else, and find locks its rows: one that is taken up meanwhile stays, with its files.
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

// batches removes rows a batch at a time until none is found.
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

// orphan is a row that waits for a job which no longer exists: the queue gives a job up whose process
// died each time that it ran.
type orphan struct{ id, workspaceID string }

// orphans are at most a batch of what the query finds. Its argument is the size of the batch.
func (w *Sweep) orphans(ctx context.Context, query string) ([]orphan, error) {
	var found []orphan

	err := w.Store.Query(ctx, func(rows *sql.Rows) error {
		var o orphan

		err := rows.Scan(&o.id, &o.workspaceID)
		found = append(found, o)

		return err
	}, query, sweepBatch)
	if err != nil {
		return nil, fmt.Errorf("find what no job works on: %w", err)
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
			return fmt.Errorf("settle source %s: %w", o.id, err)
		}
	}

	return nil
}

// settleExtracts ends extracts that nobody makes any more, so that they can be asked for again.
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
