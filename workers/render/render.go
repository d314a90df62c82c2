// Package render renders exports, chunk by chunk. Between two chunks, a rendering may pause to let a job of another
// workspace run. Start with Render.
package render

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
	"go.opentelemetry.io/otel/attribute"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/export"
	"github.com/reelgraph/reelgraph/internal/engine/encode"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/telemetry"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook/event"
	"github.com/reelgraph/reelgraph/workers/media"
)

// Render renders an export and stores its file.
type Render struct {
	river.WorkerDefaults[jobs.Render]
	media.Deps
}

// Timeout implements river.Worker. It returns no timeout: an export may take hours, and the engine stops programs
// that make no progress.
func (*Render) Timeout(*river.Job[jobs.Render]) time.Duration { return -1 }

// Work implements river.Worker. It reuses the pieces that an earlier attempt finished.
func (w *Render) Work(ctx context.Context, job *river.Job[jobs.Render]) error {
	ctx = auth.AsSystem(ctx)

	exp, err := w.begin(ctx, job.Args.ExportID)
	if err != nil || exp == nil {
		return err
	}

	began := w.Now()

	kept, err := w.keep(ffmpeg.LowPriority(ctx), exp, w.OthersWait(job.JobRow))
	if err == nil {
		err = w.complete(ctx, exp, kept)
	}

	switch {
	case err == nil:
		w.Logger.InfoContext(ctx, "render: completed", slog.String("export", exp.ID),
			slog.Int64("bytes", kept.Size), slog.Duration("took", w.Now().Sub(began)))

		return nil
	case errors.Is(err, media.ErrEnded):
		w.Logger.InfoContext(ctx, "render: stopped, the export has already ended", slog.String("export", exp.ID),
			slog.Duration("took", w.Now().Sub(began)))
		w.Remove(ctx, exp.BlobKey)

		return nil
	case errors.Is(err, encode.ErrGaveWay):
		w.Logger.InfoContext(ctx, "render: paused to let a job of another workspace run", slog.String("export", exp.ID),
			slog.Duration("after", w.Now().Sub(began)))

		return river.JobSnooze(0)
	case ctx.Err() != nil:
		return fmt.Errorf("render export %s: %w", exp.ID, err)
	case errors.Is(err, media.ErrMeasuring):
		return river.JobSnooze(media.MeasureBusy)
	case errors.Is(err, blob.ErrUnavailable) && w.Outage(job.JobRow, err):
		w.Logger.WarnContext(ctx, "render: storage unavailable, will retry", slog.String("export", exp.ID), slog.Any("error", err))

		return river.JobSnooze(media.OutageSnooze)
	}

	why, final := verdict(err, job.Attempt, job.MaxAttempts)
	if !final {
		return fmt.Errorf("render export %s: %w", exp.ID, err)
	}

	w.Logger.ErrorContext(ctx, "render: failed", slog.String("export", exp.ID), slog.Any("error", err))

	if err := w.Fail(ctx, exp, why); err != nil && !errors.Is(err, media.ErrEnded) {
		return err
	}

	return nil
}

// begin makes this attempt the owner of the export by storing the key of its future file. If two attempts overlap,
// only the later one can record anything. It returns nil if there is nothing to do.
func (w *Render) begin(ctx context.Context, id string) (*ent.Export, error) {
	var (
		mine      *ent.Export
		abandoned string
	)

	err := w.Store.InTx(ctx, func(ctx context.Context) error {
		found, err := w.Store.Client(ctx).Export.Query().Where(export.ID(id)).ForUpdate().Only(ctx)
		if ent.IsNotFound(err) {
			return nil
		}

		if err != nil || found.FinishedAt != nil {
			return err
		}

		key, err := blob.NewKey("exports", extension(found))
		if err != nil {
			return err
		}

		abandoned = found.BlobKey

		mine, err = w.Store.Client(ctx).Export.UpdateOneID(id).
			SetStatus(values.ExportStatusProcessing).SetBlobKey(key).Save(ctx)
		if err != nil {
			return err
		}

		return w.Store.Notify(ctx, jobs.ExportTopic(id))
	})
	if err != nil {
		return nil, fmt.Errorf("begin export %s: %w", id, err)
	}

	w.Remove(ctx, abandoned)

	return mine, nil
}

func extension(exp *ent.Export) string {
	if exp.Granularity == values.GranularityStory {
		return ".mp4"
	}

	return ".zip"
}

// keep renders and stores the file: the long part, outside any transaction. Meanwhile the export's progress is
// recorded, and rendering stops if the export ends.
func (w *Render) keep(ctx context.Context, exp *ent.Export, giveWay func(context.Context) bool) (blob.Stat, error) {
	defer w.rest(ctx)

	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)

	watch := &watch{Deps: w.Deps, export: exp, cancel: cancel, done: newDone(), percent: exp.Progress}
	defer watch.begin(ctx)()

	kept, err := w.render(ctx, exp, watch.done, giveWay)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}

	return kept, err
}

// render plans, draws and stores the file.
func (w *Render) render(ctx context.Context, exp *ent.Export, done *done, giveWay func(context.Context) bool) (blob.Stat, error) {
	planning, planned := telemetry.Start(ctx, "render plan")
	plan, sources, release, err := w.plan(planning, exp)
	planned(err)

	if err != nil {
		return blob.Stat{}, err
	}

	defer release()

	done.expect(plan)

	if err := w.room(encode.Room(plan, w.Cache), plan); err != nil {
		return blob.Stat{}, err
	}

	done.drawing.Store(true)

	drawing, drawn := telemetry.Start(ctx, "render draw", attribute.String("export.id", exp.ID))
	result, err := w.Engine.RenderInTurns(drawing, plan, sources, counted{w.Cache, done}, done.advance, giveWay)

	telemetry.Note(drawing, attribute.Int64("film.frames", result.Frames), attribute.Int64("film.duration_ms", result.DurationMs))
	drawn(err)

	if err != nil {
		return blob.Stat{}, err
	}

	if w.Rendered != nil {
		w.Rendered(time.Duration(result.DurationMs) * time.Millisecond)
	}

	kept, err := w.Blobs.PutFile(ctx, exp.BlobKey, result.Path)
	if err != nil {
		err = fmt.Errorf("store the file: %w", err)
	}

	if err := result.Discard(); err != nil {
		w.Logger.ErrorContext(ctx, "render: cannot remove temporary files", slog.String("export", exp.ID), slog.Any("error", err))
	}

	return kept, err
}

// room returns ffmpeg.ErrDiskFull if the disk cannot hold so many bytes, even after trimming the cache of everything
// that neither this plan nor a running export needs.
func (w *Render) room(bytes int64, plan plan.Plan) error {
	lack, err := w.lack(bytes)
	if err == nil && lack > 0 {
		if err = errors.Join(w.Engine.Sweep(), w.Cache.Free(lack, plan)); err == nil {
			lack, err = w.lack(bytes)
		}
	}

	switch {
	case err != nil:
		return err
	case lack > 0:
		return fmt.Errorf("%w: %d MiB more are needed", ffmpeg.ErrDiskFull, lack>>20+1)
	default:
		return nil
	}
}

// lack returns how many more bytes must be freed to store so many.
func (w *Render) lack(bytes int64) (int64, error) {
	free, err := encode.FreeBytes(w.Engine.Dir)

	return bytes + w.DiskReserve - free, err
}

// cacheShare is the divisor of the cache's share of the disk: it may take 1/cacheShare of its own size plus the free
// space.
const cacheShare = 4

// rest trims the cache. It keeps what running exports use.
func (w *Render) rest(ctx context.Context) {
	if err := w.trim(); err != nil {
		w.Logger.ErrorContext(ctx, "render: cannot trim the cache", slog.Any("error", err))
	}
}

func (w *Render) trim() error {
	size, err := w.Cache.Size()
	if err != nil {
		return err
	}

	free, err := encode.FreeBytes(w.Cache.Dir)
	if err != nil {
		return err
	}

	return w.Cache.Trim(min(w.CacheBytes, (size+free)/cacheShare))
}

// verdict reports whether retrying is useless, and the problem that the export then shows. A program that failed by
// itself gets a second attempt, because memory may have been short. A program that was stopped, by us or by a limit,
// says nothing about the sources.
func verdict(err error, attempt, attempts int) (why event.Problem, final bool) {
	var (
		unusable *plan.SourceError
		exit     *ffmpeg.ExitError
	)

	switch {
	case errors.As(err, &unusable):
		return event.Problem{Code: "source_unusable", Message: fmt.Sprintf("The video cannot be rendered: %s.", unusable)}, true
	case errors.Is(err, plan.ErrEmpty):
		return event.Problem{Code: "empty_video", Message: "The video cannot be rendered: it has no length."}, true
	case errors.Is(err, ffmpeg.ErrDiskFull), errors.Is(err, blob.ErrNoSpace):
		const full = "The server does not have enough disk space for the export. Please start it again later."

		return event.Problem{Code: "no_space", Message: full}, true
	case errors.Is(err, ffmpeg.ErrStalled):
	case errors.As(err, &exit) && exit.Reason == nil && exit.Signal == 0 && attempt > 1:
		return event.Problem{Code: "render_failed", Message: "The video cannot be rendered: one of its sources cannot be decoded."}, true
	}

	return media.OurFault("start the export"), attempt >= attempts
}
