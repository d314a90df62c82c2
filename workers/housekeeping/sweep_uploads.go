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

// uploadKept is how long an unfinished upload can be resumed.
const uploadKept = 24 * time.Hour

// uploads removes sources that received none or only some of their bytes. Recordings that received something are
// completed instead; see silent. Parts of an upload are kept for a day in any case.
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

// silent completes recordings that received nothing for a day, with what had arrived. One that cannot be completed
// does not stop the others.
func (w *Sweep) silent(ctx context.Context) error {
	since := w.Now().Add(-upload.SilentFor)

	for last := ""; ; {
		rows, err := w.Store.Client(ctx).Source.Query().Where(
			source.Streaming(true), source.StatusIn(values.SourceStatusPending, values.SourceStatusUploading), source.BlobKeyNEQ(""),
			source.IDGT(last),
			source.Or(source.ArrivedAtLT(since), source.And(source.ArrivedAtIsNil(), source.CreatedAtLT(since))),
		).Order(ent.Asc(source.FieldID)).Limit(sweepBatch).All(ctx)
		if err != nil {
			return fmt.Errorf("find stalled uploads: %w", err)
		}

		for _, src := range rows {
			if err := w.interrupt(ctx, src, since); err != nil {
				w.Logger.WarnContext(ctx, "sweep: cannot complete an interrupted recording", slog.String("source", src.ID), slog.Any("error", err))
			}
		}

		if len(rows) < sweepBatch {
			return nil
		}

		last = rows[len(rows)-1].ID
	}
}

// interrupt completes what has arrived of a recording, unless bytes came after since. The storage knows this even
// while a request is still open. A recording without any bytes is handled like other uploads.
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
		return fmt.Errorf("read the state of the upload: %w", err)
	}

	if err := o.Content.Close(); err != nil {
		return fmt.Errorf("read the state of the upload: %w", err)
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

// forgetEmpty marks an upload that started but received nothing, so that it is removed like one that never started.
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

// abandoned deletes the bytes of unusable interrupted recordings once the rest can no longer arrive.
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
