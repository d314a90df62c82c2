package housekeeping

import (
	"context"
	"errors"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/videos"
)

// trash deletes the videos that have been in the trash for too long, each in its own transaction. One that cannot be
// deleted does not stop the others.
func (w *Sweep) trash(ctx context.Context) error {
	ctx = auth.WithTrash(ctx)
	over := video.TrashedAtLTE(w.Now().Add(-jobs.TrashKept))

	var faults []error

	for last := ""; ; {
		rows, err := w.Store.Client(ctx).Video.Query().Where(over, video.IDGT(last)).Order(ent.Asc(video.FieldID)).Limit(sweepBatch).
			Select(video.FieldID, video.FieldWorkspaceID).All(ctx)
		if err != nil {
			return errors.Join(append(faults, fmt.Errorf("find videos to purge: %w", err))...)
		}

		for _, v := range rows {
			faults = append(faults, w.purge(ctx, v, over))
			last = v.ID
		}

		if len(rows) < sweepBatch {
			return errors.Join(faults...)
		}
	}
}

// purge deletes a video, unless it was restored or deleted meanwhile.
func (w *Sweep) purge(ctx context.Context, v *ent.Video, over predicate.Video) error {
	err := w.Store.InTx(auth.AsWorkspace(ctx, v.WorkspaceID), func(ctx context.Context) error {
		locked, err := w.Store.Client(ctx).Video.Query().Where(video.ID(v.ID), over).ForUpdate().Only(ctx)
		if ent.IsNotFound(err) {
			return nil
		}

		if err != nil {
			return err
		}

		return videos.Remove(ctx, w.Store, w.Queue, locked)
	})
	if err != nil {
		return fmt.Errorf("purge video %s: %w", v.ID, err)
	}

	return nil
}
