package housekeeping

import (
	"context"
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/workers/media"
)

// reclaimYoung is how old a file must be before it counts as unreferenced. Before that, the row that names it may not
// be committed yet.
const reclaimYoung = time.Hour

// Reclaim deletes the file of an upload if no source refers to it.
type Reclaim struct {
	river.WorkerDefaults[jobs.Reclaim]
	media.Deps
}

// Work implements river.Worker.
func (w *Reclaim) Work(ctx context.Context, job *river.Job[jobs.Reclaim]) error {
	ctx = auth.AsSystem(ctx)
	key := job.Args.BlobKey

	named, err := w.Store.Client(ctx).Source.Query().Where(source.ID(job.Args.SourceID), source.BlobKey(key)).Exist(ctx)
	if err != nil || named {
		return err
	}

	stat, err := w.Blobs.Stat(ctx, key)

	switch {
	case media.Lost(err):
		return nil
	case err != nil:
		return fmt.Errorf("reclaim a file: %w", err)
	case w.Now().Sub(stat.ModTime) < reclaimYoung:
		return river.JobSnooze(reclaimYoung)
	}

	if err := w.Blobs.Delete(ctx, key); err != nil {
		return fmt.Errorf("reclaim a file: %w", err)
	}

	return nil
}
