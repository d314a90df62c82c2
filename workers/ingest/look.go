package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/upload"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/workers/media"
)

const (
	lookTimeout = 5 * time.Minute

	// lookShare is how many times longer than a look the pause after it is, so that looking at a long recording does
	// not keep a CPU busy.
	lookShare = 5
)

// Look finds out which part of a source can be decoded while the source is still being uploaded. It stores the result
// in the row of the source.
type Look struct {
	river.WorkerDefaults[jobs.Look]
	media.Deps
}

// Timeout implements river.Worker.
func (*Look) Timeout(*river.Job[jobs.Look]) time.Duration { return lookTimeout }

// Work implements river.Worker. It schedules another look if more bytes have arrived meanwhile.
func (w *Look) Work(ctx context.Context, job *river.Job[jobs.Look]) error {
	ctx = auth.AsSystem(ctx)

	src, err := w.Store.Client(ctx).Source.Get(ctx, job.Args.SourceID)

	switch {
	case ent.IsNotFound(err):
		return nil
	case err != nil:
		return fmt.Errorf("find source %s: %w", job.Args.SourceID, err)
	case src.Status != values.SourceStatusUploading, src.GrowingKey != "": // its videos show what had arrived before
		return nil
	}

	began := time.Now()

	had, err := w.Blobs.Grown(ctx, upload.GrowsAt(src))
	if err != nil {
		return fmt.Errorf("inspect source %s: %w", src.ID, err)
	}

	if err := w.look(ctx, src); err != nil {
		return err
	}

	has, err := w.Blobs.Grown(ctx, upload.GrowsAt(src))
	if err == nil && has > had {
		return river.JobSnooze(max(time.Second, lookShare*time.Since(began)))
	}

	return err
}

// look records how much can be decoded so far. If nothing can be decoded yet, it records nothing.
func (w *Look) look(ctx context.Context, src *ent.Source) error {
	_, info, release, err := w.Arrived(ctx, src)

	if _, refused := errors.AsType[*ffmpeg.Refused](err); refused {
		return nil
	}

	if err != nil {
		return err
	}

	release()

	probe, err := json.Marshal(info)
	if err != nil {
		return fmt.Errorf("look at source %s: %w", src.ID, err)
	}

	return w.Store.InTx(auth.AsWorkspace(ctx, src.WorkspaceID), func(ctx context.Context) error {
		update := w.Store.Client(ctx).Source.Update().
			Where(source.ID(src.ID), source.StatusEQ(values.SourceStatusUploading)).
			SetProbe(probe).SetDurationMs(info.DurationMs).SetHasAudio(info.Audio != nil).SetBytes(info.Bytes)

		if v := info.Video; v != nil {
			update.SetWidth(v.Width).SetHeight(v.Height)
		}

		return update.Exec(ctx)
	})
}
