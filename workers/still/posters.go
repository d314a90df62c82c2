package still

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/workers/media"
)

// Posters requests the still thumbnails of a video, so that they are there when somebody first looks at it.
type Posters struct {
	river.WorkerDefaults[jobs.Posters]
	media.Deps

	// Prepare requests them. Nil leaves them to the first look.
	Prepare func(ctx context.Context, videoID string) error
}

// Work implements river.Worker. A video that cannot be shown has none; it gets another job once it can.
func (w *Posters) Work(ctx context.Context, job *river.Job[jobs.Posters]) error {
	if w.Prepare == nil {
		return nil
	}

	v, err := w.Store.Client(ctx).Video.Get(auth.AsSystem(ctx), job.Args.VideoID)

	switch {
	case ent.IsNotFound(err):
		return nil
	case err != nil:
		return fmt.Errorf("find video %s: %w", job.Args.VideoID, err)
	case v.DurationMs == 0:
		return nil
	}

	err = w.Prepare(auth.AsWorkspace(ctx, v.WorkspaceID), v.ID)
	if fault.Is(err, fault.ConflictCode) {
		w.Logger.InfoContext(ctx, "posters: not yet", slog.String("video", v.ID), slog.Any("error", err))

		return nil
	}

	if err != nil {
		return fmt.Errorf("prepare the thumbnails of %s: %w", v.ID, err)
	}

	return nil
}
