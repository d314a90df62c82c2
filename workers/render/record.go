package render

import (
	"context"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook/event"
)

// complete records the stored file and publishes the event, in one transaction. It returns ErrEnded if the export has
// ended meanwhile.
func (w *Render) complete(ctx context.Context, exp *ent.Export, kept blob.Stat) error {
	until := w.Now().Add(jobs.ExportKept)

	return w.End(ctx, exp, func(u *ent.ExportUpdate) {
		u.SetStatus(values.ExportStatusCompleted).SetProgress(100).SetBytes(kept.Size).SetExpiresAt(until)
	}, func(about event.Video) event.Event {
		return event.ExportReadyEvent{Video: about, ExportID: exp.ID, DownloadURL: w.Addresses.Download(exp.ID, until)}
	})
}
