package ingest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/workers/media"
)

// Measure measures the loudness of a ready source's audio tracks and chooses the track that is played.
type Measure struct {
	river.WorkerDefaults[jobs.Measure]
	media.Deps
}

// Timeout implements river.Worker.
func (*Measure) Timeout(*river.Job[jobs.Measure]) time.Duration { return media.MeasureTimeout }

// Work implements river.Worker. If something else needed the sound earlier, it was measured then and there is nothing
// left to do.
func (w *Measure) Work(ctx context.Context, job *river.Job[jobs.Measure]) error {
	ctx = ffmpeg.LowPriority(auth.AsSystem(ctx)) // background work

	src, err := w.Store.Client(ctx).Source.Get(ctx, job.Args.SourceID)

	switch {
	case ent.IsNotFound(err):
		return nil
	case err != nil:
		return fmt.Errorf("find source %s: %w", job.Args.SourceID, err)
	case src.Status != values.SourceStatusReady:
		return nil
	}

	_, err = w.Measured(ctx, src)

	switch {
	case errors.Is(err, media.ErrMeasuring):
		return river.JobSnooze(media.MeasureBusy)
	case w.Outage(job.JobRow, err):
		w.Logger.WarnContext(ctx, "measure: storage unavailable, will retry", slog.String("source", src.ID), slog.Any("error", err))

		return river.JobSnooze(media.OutageSnooze)
	case media.Lost(err):
		return nil
	}

	return err
}
