package media

import (
	"context"
	"log/slog"

	"github.com/riverqueue/river/rivertype"

	"github.com/reelgraph/reelgraph/internal/platform/queue"
)

// OthersWait returns a function that a long job calls between two pieces of its work. The function reports whether a
// job of another workspace is waiting to run in place of this job. If it cannot find out, it returns false, and the
// job continues.
func (d Deps) OthersWait(job *rivertype.JobRow) func(context.Context) bool {
	return func(ctx context.Context) bool {
		wait, err := queue.Others(ctx, d.Store.DB, job)
		if err != nil && ctx.Err() == nil {
			d.Logger.WarnContext(ctx, "queue: cannot check whether jobs of other workspaces are waiting",
				slog.Int64("job", job.ID), slog.Any("error", err))
		}

		return wait
	}
}
