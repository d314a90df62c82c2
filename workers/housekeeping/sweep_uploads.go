package housekeeping

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/upload"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/workers/media"
)

// uploadKept is how long an upload that was never finished may be taken up again.
const uploadKept = 24 * time.Hour

// uploads removes sources whose bytes never came, or not all of them. Recordings of which something came are not among
// them: those are completed. Parts of an upload are kept for a day, whatever became of it.
func (w *Sweep) uploads(ctx context.Context) error {
	now := w.Now()
	overdue := source.Or(
		source.And(
			source.StatusIn(values.SourceStatusPending, values.SourceStatusUploading),
			source.UploadExpiresAtLT(now.Add(-uploadKept)),
			source.Or(source.Streaming(false), source.BlobKey("")),
		),
		source.And(source.Partial(true), source.CreatedAtLT(now.Add(-upload.PartsKept))),
	)

	return drop(ctx, w, "uploads", func(ctx context.Context, c *ent.Client) ([]*ent.Source, error) {
		return c.Source.Query().Where(overdue).ForUpdate().Limit(sweepBatch).All(ctx)
	}, func(src *ent.Source) leftover {
		return leftover{id: src.ID, workspaceID: src.WorkspaceID, keys: upload.Files(src)}
	}, func(ctx context.Context, c *ent.Client, ids []string) (int, error) {
		return c.Source.Delete().Where(source.IDIn(ids...)).Exec(ctx)
	})
}

// silent completes recordings of which nothing has come for a day, with what came before. One that cannot be completed now
// holds up no other.
func (w *Sweep) silent(ctx context.Context) error {
	since := w.Now().Add(-upload.SilentFor)

	for last := ""; ; {
		rows, err := w.Store.Client(ctx).Source.Query().Where(
			source.Streaming(true), source.StatusIn(values.SourceStatusPending, values.SourceStatusUploading), source.BlobKeyNEQ(""),
			source.IDGT(last),
			source.Or(source.ArrivedAtLT(since), source.And(source.ArrivedAtIsNil(), source.CreatedAtLT(since))),
		).Order(ent.Asc(source.FieldID)).Limit(sweepBatch).All(ctx)
		if err != nil {
			return fmt.Errorf("find silent uploads: %w", err)
		}

		for _, src := range rows {
			if err := w.interrupt(ctx, src, since); err != nil {
				w.Logger.WarnContext(ctx, "sweep: complete an interrupted recording", slog.String("source", src.ID), slog.Any("error", err))
			}
		}

		if len(rows) < sweepBatch {
			return nil
		}

		last = rows[len(rows)-1].ID
	}
}

// interrupt completes what has arrived of a recording unless the last of it came later, which the storage knows also when
// a request has not ended yet. One of which nothing came is an upload like others.
func (w *Sweep) interrupt(ctx context.Context, src *ent.Source, since time.Time) error {
	desk := w.Intake()
	if err := desk.Resume(ctx, src); err != nil {
		return err
	}

	o, err := w.Blobs.OpenGrowing(ctx, upload.GrowsAt(src))

	switch {
	case media.Lost(err):
		return w.forgetEmpty(ctx, src)
	case err != nil:
		return fmt.Errorf("look at what arrived: %w", err)
	}

	if err := o.Content.Close(); err != nil {
		return fmt.Errorf("look at what arrived: %w", err)
	}

	switch {
	case o.ModTime.After(since):
		return nil
	case o.Size == 0:
		return w.forgetEmpty(ctx, src)
	}

	if err := desk.Interrupt(ctx, src, o.Size); err != nil && !fault.Is(err, fault.ConflictCode) {
		return err
	}

	return nil
}

// forgetEmpty has an upload that began, and of which nothing came, be removed like one that never began.
func (w *Sweep) forgetEmpty(ctx context.Context, src *ent.Source) error {
	return w.Store.InTx(auth.AsWorkspace(ctx, src.WorkspaceID), func(ctx context.Context) error {
		n, err := w.Store.Client(ctx).Source.Update().Where(
			source.ID(src.ID), source.StatusIn(values.SourceStatusPending, values.SourceStatusUploading), source.UploadOffset(0),
			source.GrowingKey(""), source.UploadExpiresAtLT(w.Now().Add(-uploadKept)),
		).SetBlobKey("").Save(ctx)
		if err != nil || n == 0 {
			return err
		}

		return w.Queue.Add(ctx, jobs.Discard{WorkspaceID: src.WorkspaceID, BlobKeys: []string{src.BlobKey}})
	})
}

// abandoned lets the bytes of interrupted recordings go that could not be used, once their rest comes no more.
func (w *Sweep) abandoned(ctx context.Context) error {
	over := source.And(
		source.StatusEQ(values.SourceStatusFailed), source.InterruptedAtLT(w.Now().Add(-upload.ResumableFor)),
	)

	return batches(ctx, w, "interrupted recordings", func(ctx context.Context, c *ent.Client) ([]*ent.Source, error) {
		return c.Source.Query().Where(over).ForUpdate().Limit(sweepBatch).All(ctx)
	}, func(ctx context.Context, c *ent.Client, rows []*ent.Source) (int, error) {
		for _, src := range rows {
			if err := c.Source.UpdateOneID(src.ID).ClearInterruptedAt().SetBlobKey("").SetGrowingKey("").Exec(ctx); err != nil {
				return 0, err
			}

			if err := w.Queue.Add(ctx, jobs.Discard{WorkspaceID: src.WorkspaceID, BlobKeys: upload.Files(src)}); err != nil {
				return 0, err
			}
		}

		return len(rows), nil
	})
}
