// Package still computes extracts when a client requests them: pictures, storyboards, waveforms and silences. It also
// makes the thumbnails of every video. Start with Extract.
package still

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/extracts"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/workers/media"
)

// extractTimeout is longer than it takes to analyze the longest sound.
const extractTimeout = 10 * time.Minute

// stillTime is how long drawing one picture may take once its sources are local. After that the requester has given
// up.
const stillTime = 20 * time.Second

// Extract computes an extract that a request is waiting for: a picture, a storyboard or a measurement of sound.
type Extract struct {
	river.WorkerDefaults[jobs.Extract]
	media.Deps

	StillTime time.Duration // how long drawing one picture may take; 0 means 20 s
}

// Timeout implements river.Worker.
func (*Extract) Timeout(*river.Job[jobs.Extract]) time.Duration { return extractTimeout }

// Work implements river.Worker. If the extract cannot be made, the job does not fail: the extract records the reason.
func (w *Extract) Work(ctx context.Context, job *river.Job[jobs.Extract]) error {
	ctx = auth.AsSystem(ctx)

	row, err := w.Store.Client(ctx).Extract.Get(ctx, job.Args.ExtractID)

	switch {
	case ent.IsNotFound(err):
		return nil
	case err != nil:
		return fmt.Errorf("find extract %s: %w", job.Args.ExtractID, err)
	case row.Status != values.ExtractStatusPending:
		return nil
	}

	files, err := w.extract(ctx, row)

	switch {
	case err == nil:
		return w.keep(ctx, row, files)
	case errors.Is(err, media.ErrMeasuring):
		return river.JobSnooze(media.MeasureBusy)
	case w.Outage(job.JobRow, err):
		w.Logger.WarnContext(ctx, "extract: storage unavailable, will retry", slog.String("extract", row.ID), slog.Any("error", err))

		return river.JobSnooze(media.OutageSnooze)
	case ctx.Err() != nil || job.Attempt < job.MaxAttempts && !hopeless(err):
		return fmt.Errorf("make extract %s: %w", row.ID, err)
	}

	why, level := media.OurFault("ask").Message, slog.LevelError

	switch {
	case errors.Is(err, errArriving):
		why, level = "The part of the recording that has arrived cannot be shown yet.", slog.LevelInfo
	case errors.Is(err, errSlow):
		why = "This picture takes longer than " + w.stillTime().String() +
			" to draw. Ask for a smaller one, or use fewer or shorter texts and effects there."
		level = slog.LevelWarn
	case hopeless(err):
		why = "This cannot be made: the recording cannot be decoded."
	}

	w.Logger.Log(ctx, level, "extract: failed", slog.String("extract", row.ID), slog.Any("error", err))

	return w.Settle(ctx, row, func(u *ent.ExtractUpdate) {
		u.SetStatus(values.ExtractStatusFailed).SetErrorMessage(why)
	})
}

// errArriving means that a recording cannot be decoded yet, and more of it is still being uploaded.
var errArriving = errors.New("the recording cannot be decoded yet; more of it is still arriving")

// errSlow means that drawing a picture exceeds its time limit.
var errSlow = errors.New("drawing the picture takes too long")

// longExcerpt is the longest excerpt that counts as fast to make, like a picture.
const longExcerpt = 3 * time.Second

func (w *Extract) stillTime() time.Duration { return cmp.Or(w.StillTime, stillTime) }

// hopeless reports whether retrying is useless.
func hopeless(err error) bool {
	var (
		unusable *plan.SourceError
		refused  *ffmpeg.Refused
		exit     *ffmpeg.ExitError
	)

	return errors.As(err, &unusable) || errors.As(err, &refused) || media.Lost(err) ||
		errors.Is(err, errSlow) || errors.As(err, &exit) && exit.Signal == 0 && !errors.Is(err, ffmpeg.ErrDiskFull)
}

// extract makes the files of an extract and moves them to the storage.
func (w *Extract) extract(ctx context.Context, row *ent.Extract) (kept []values.ExtractFile, err error) {
	var recipe extracts.Recipe
	if err := json.Unmarshal(row.Recipe, &recipe); err != nil {
		return nil, fmt.Errorf("read the recipe: %w", err)
	}

	ctx = w.Engine.For(ctx, row.WorkspaceID)
	if recipe.DurationMs > longExcerpt.Milliseconds() {
		ctx = ffmpeg.LowPriority(ctx)
	}

	dir, discard, err := w.Engine.Scratch()
	if err != nil {
		return nil, err
	}

	defer func() { err = errors.Join(err, discard()) }()

	k := &kitchen{Deps: w.Deps, row: row, recipe: recipe, dir: dir}
	if recipe.Kind == values.ExtractStill && recipe.DurationMs == 0 {
		k.limit = w.stillTime()
	}
	defer k.close()

	names, err := k.cook(ctx)
	if err != nil && k.moved(ctx) {
		names, err = k.cook(ctx)
	}

	switch {
	case err != nil && recipe.Arriving && media.Undecodable(err):
		return nil, fmt.Errorf("%w: %w", errArriving, err)
	case err != nil:
		return nil, err
	}

	for _, name := range names {
		key, err := blob.NewKey("stills", filepath.Ext(name))
		if err != nil {
			return kept, err
		}

		stat, err := w.Blobs.PutFile(ctx, key, filepath.Join(dir, name))
		if err != nil {
			w.RemoveFiles(ctx, kept)

			return nil, fmt.Errorf("store %s: %w", name, err)
		}

		kept = append(kept, values.ExtractFile{Name: name, BlobKey: key, Bytes: stat.Size})
	}

	return kept, nil
}

// keep records the files, or deletes them if the extract is no longer wanted.
func (w *Extract) keep(ctx context.Context, row *ent.Extract, files []values.ExtractFile) error {
	err := w.Store.InTx(ctx, func(ctx context.Context) error {
		if err := w.Store.OnRollback(ctx, func() { w.RemoveFiles(ctx, files) }); err != nil {
			return err
		}

		return w.Settle(ctx, row, func(u *ent.ExtractUpdate) { u.SetStatus(values.ExtractStatusReady).SetFiles(files) })
	})
	if errors.Is(err, media.ErrEnded) {
		return nil
	}

	return err
}
