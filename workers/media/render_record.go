package media

import (
	"context"
	"errors"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/export"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook/event"
)

// ErrEnded means that an export has already ended: it was canceled, its video was deleted, or another process now
// renders it because this process was considered dead. The rendering stops.
var ErrEnded = errors.New("the export has ended")

// Ours returns predicates that match the export only while this attempt is the one that renders it.
func Ours(exp *ent.Export) []predicate.Export {
	return []predicate.Export{
		export.ID(exp.ID), export.BlobKey(exp.BlobKey), export.FinishedAtIsNil(), export.CancelRequestedAtIsNil(),
	}
}

// Fail stores why the export failed and publishes an event about it, in one transaction.
func (d Deps) Fail(ctx context.Context, exp *ent.Export, why event.Problem) error {
	err := d.End(ctx, exp, func(u *ent.ExportUpdate) {
		u.SetStatus(values.ExportStatusFailed).SetErrorCode(why.Code).SetErrorMessage(why.Message)
	}, func(about event.Video) event.Event {
		return event.ExportFailedEvent{Video: about, ExportID: exp.ID, Error: why}
	})
	if err != nil {
		return err
	}

	d.Remove(ctx, exp.BlobKey) // the file was stored, but not recorded

	return nil
}

// End stores the outcome of an export and publishes an event about it. It returns ErrEnded if this attempt is no
// longer the one that renders the export.
func (d Deps) End(
	ctx context.Context, exp *ent.Export, set func(*ent.ExportUpdate), ev func(about event.Video) event.Event,
) error {
	err := d.Store.InTx(auth.AsWorkspace(ctx, exp.WorkspaceID), func(ctx context.Context) error {
		c := d.Store.Client(ctx)

		update := c.Export.Update().Where(Ours(exp)...).SetFinishedAt(d.Now())
		set(update)

		changed, err := update.Save(ctx)
		if err != nil {
			return err
		}

		if changed == 0 {
			return ErrEnded
		}

		if exp.ForPages {
			return d.Store.Notify(ctx, jobs.ExportTopic(exp.ID))
		}

		shown, err := c.Video.Query().Where(video.ID(exp.VideoID)).Select(video.FieldID, video.FieldName).Only(auth.WithTrash(ctx))
		if err != nil {
			return err
		}

		about := event.VideoOf(shown.ID, shown.Name)
		raw := exp.Granularity == values.GranularityRaw

		if err := d.Queue.Publish(ctx, ev(about), jobs.Exporters(exp.VideoID, raw)); err != nil {
			return err
		}

		return d.Store.Notify(ctx, jobs.ExportTopic(exp.ID))
	})
	if err != nil {
		return fmt.Errorf("end export %s: %w", exp.ID, err)
	}

	return nil
}
