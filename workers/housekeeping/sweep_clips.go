package housekeeping

import (
	"context"
	"errors"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/workers/media"
)

// settleClips settles clips whose source is gone because its upload never finished.
func (w *Sweep) settleClips(ctx context.Context) error {
	found, err := w.orphans(ctx, media.UnsettledSQL)
	if err != nil {
		return err
	}

	var faults []error

	for _, o := range found {
		faults = append(faults, w.Store.InTx(auth.AsWorkspace(ctx, o.workspaceID), func(ctx context.Context) error {
			v, err := w.Store.Client(ctx).Video.Query().Where(video.ID(o.id)).ForUpdate().Only(auth.WithTrash(ctx))
			if ent.IsNotFound(err) {
				return nil
			}

			if err != nil {
				return err
			}

			return w.SettleVideo(ctx, v)
		}))
	}

	return errors.Join(faults...)
}
