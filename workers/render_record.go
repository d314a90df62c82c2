package workers

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/export"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook/event"
)

// ours is the export for as long as it is this attempt's.
func ours(exp *ent.Export) []predicate.Export {
	return []predicate.Export{
		export.ID(exp.ID), export.BlobKey(exp.BlobKey), export.FinishedAtIsNil(), export.CancelRequestedAtIsNil(),
	}
}

// complete records the file that was kept and announces it, together. It is errEnded when the export has
// ended meanwhile.
func (w *Render) complete(ctx context.Context, exp *ent.Export, kept blob.Stat) error {
	until := w.now().Add(jobs.ExportKept)

	return w.end(ctx, exp, func(u *ent.ExportUpdate) {
		u.SetStatus(values.ExportStatusCompleted).SetProgress(100).SetBytes(kept.Size).SetExpiresAt(until)
	}, func(about event.Video) event.Event {
		return event.ExportReadyEvent{Video: about, ExportID: exp.ID, DownloadURL: w.Addresses.Download(exp.ID, until)}
	})
}

// fail records why there is no file and announces that, together.
func (d MediaDeps) fail(ctx context.Context, exp *ent.Export, why event.Problem) error {
	err := d.end(ctx, exp, func(u *ent.ExportUpdate) {
		u.SetStatus(values.ExportStatusFailed).SetErrorCode(why.Code).SetErrorMessage(why.Message)
	}, func(about event.Video) event.Event {
		return event.ExportFailedEvent{Video: about, ExportID: exp.ID, Error: why}
	})
	if err != nil {
		return err
	}

	d.remove(ctx, exp.BlobKey) // it was kept, and could not be recorded

	return nil
}

// end is the last change of an export by its job, with its event. It is errEnded when the export is
// no longer this attempt's.
func (d MediaDeps) end(
	ctx context.Context, exp *ent.Export, set func(*ent.ExportUpdate), ev func(about event.Video) event.Event,
) error {
	err := d.Store.InTx(auth.AsWorkspace(ctx, exp.WorkspaceID), func(ctx context.Context) error {
		c := d.Store.Client(ctx)

		update := c.Export.Update().Where(ours(exp)...).SetFinishedAt(d.now())
		set(update)

		changed, err := update.Save(ctx)
		if err != nil {
			return err
		}

		if changed == 0 {
			return errEnded
		}

		if exp.ForPages {
			return d.Store.Notify(ctx, jobs.ExportTopic(exp.ID))
		}

		shown, err := c.Video.Query().Where(video.ID(exp.VideoID)).Select(video.FieldID, video.FieldName).Only(ctx)
		if err != nil {
			return err
		}

		about := event.Video{VideoID: shown.ID, VideoName: shown.Name}
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
