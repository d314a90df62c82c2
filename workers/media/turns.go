package media

import (
	"context"
	"log/slog"

	"github.com/riverqueue/river/rivertype"

	"github.com/reelgraph/reelgraph/internal/platform/queue"
)

// OthersWait answers what a long job asks between two of its pieces: whether another workspace waits for its place.
// When that cannot be read the job goes on.
func (d Deps) OthersWait(job *rivertype.JobRow) func(context.Context) bool {
	return func(ctx context.Context) bool {
		wait, err := queue.Others(ctx, d.Store.DB, job)
		if err != nil && ctx.Err() == nil {
			d.Logger.WarnContext(ctx, "queue: cannot see who waits", slog.Int64("job", job.ID), slog.Any("error", err))
		}

		return wait
	}
}
