// Package ingest examines uploaded files. It finds out what a file contains, how much of a growing file can be
// decoded, and how loud the sound is. Start with Probe.
package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/riverqueue/river"
	"golang.org/x/sync/errgroup"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/multitrack"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook/event"
	"github.com/reelgraph/reelgraph/workers/media"
)

// probeTimeout is longer than all programs of one probe may take together.
const probeTimeout = 20 * time.Minute

// Probe finds out what an uploaded source contains.
type Probe struct {
	river.WorkerDefaults[jobs.Probe]
	media.Deps
}

// Timeout implements river.Worker.
func (*Probe) Timeout(*river.Job[jobs.Probe]) time.Duration { return probeTimeout }

// bigUpload is the size from which a probe lets smaller uploads go first.
const bigUpload = 64 << 20

// Work implements river.Worker. A refused file does not fail the job: the source fails with the reason. If the
// storage is unavailable, the job is retried: the upload was acknowledged and will be there when the storage is back.
func (w *Probe) Work(ctx context.Context, job *river.Job[jobs.Probe]) error {
	ctx = auth.AsSystem(ctx)

	src, err := w.Store.Client(ctx).Source.Get(ctx, job.Args.SourceID)

	switch {
	case ent.IsNotFound(err):
		return nil
	case err != nil:
		return fmt.Errorf("find source %s: %w", job.Args.SourceID, err)
	case src.Status != values.SourceStatusProcessing:
		return nil
	}

	ctx = w.Engine.For(ctx, src.WorkspaceID)
	if src.Bytes > bigUpload {
		ctx = ffmpeg.LowPriority(ctx)
	}

	found, err := w.probe(ctx, src)

	var refused *ffmpeg.Refused

	switch {
	case err == nil:
		return w.ready(ctx, src, found)
	case errors.As(err, &refused):
		w.Logger.InfoContext(ctx, "probe: file refused", slog.String("source", src.ID),
			slog.String("code", string(refused.Code)), slog.Any("cause", refused.Cause))

		return w.FailSource(ctx, src, event.Problem{Code: string(refused.Code), Message: refused.Message})
	case w.Outage(job.JobRow, err):
		w.Logger.WarnContext(ctx, "probe: storage unavailable, will retry", slog.String("source", src.ID), slog.Any("error", err))

		return river.JobSnooze(media.OutageSnooze)
	case ctx.Err() != nil || job.Attempt < job.MaxAttempts:
		return fmt.Errorf("probe source %s: %w", src.ID, err)
	default:
		return errors.Join(fmt.Errorf("probe source %s: %w", src.ID, err), w.FailSource(ctx, src, media.OurFault("upload the file")))
	}
}

// finding is what a file contains, and the hash of its bytes.
type finding struct {
	probe.Info

	sha256 string
	// began is when the recording starts by the recorder's clock; nil if unknown.
	began *float64
}

// probe examines the file of a source. If it was uploaded in pieces, they are joined first.
func (w *Probe) probe(ctx context.Context, src *ent.Source) (found finding, err error) {
	found.sha256 = src.Sha256

	if found.sha256 == "" {
		if err := w.settle(ctx, src); err != nil {
			return found, fmt.Errorf("join the pieces of source %s: %w", src.ID, err)
		}
	}

	path, release, err := w.Local(ctx, src)
	if err != nil {
		return found, err
	}
	defer release()

	within := ctx
	both, ctx := errgroup.WithContext(ctx)

	both.Go(func() (err error) {
		found.Info, err = probe.File(ctx, w.Engine.Tools, path, string(src.Kind))

		return err
	})

	if found.sha256 == "" {
		both.Go(func() (err error) {
			found.sha256, err = hashed(path)

			return err
		})
	}

	if err := both.Wait(); err != nil || src.Clock == nil {
		return found, err
	}

	first, err := probe.FirstMs(within, w.Engine.Tools, path, found.Info)
	if err != nil {
		return found, fmt.Errorf("read the start times of source %s: %w", src.ID, err)
	}

	if began, known := multitrack.Began(*src.Clock, first); known {
		found.began = &began
	}

	return found, nil
}

// settle creates the file of a source from its uploaded pieces or parts.
func (w *Probe) settle(ctx context.Context, src *ent.Source) error {
	if len(src.Parts) == 0 {
		_, err := w.Blobs.Settle(ctx, src.BlobKey)

		return err
	}

	parts := make([]blob.Part, len(src.Parts))
	for i, part := range src.Parts {
		parts[i] = blob.Part{Key: part.BlobKey, Size: part.Bytes}
	}

	_, err := w.Blobs.Join(ctx, src.BlobKey, parts)

	return err
}

// hashed returns the SHA-256 of a file in hex.
func hashed(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("hash a file: %w", err)
	}
	defer f.Close() //nolint:errcheck // only read

	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", fmt.Errorf("hash a file: %w", err)
	}

	return hex.EncodeToString(sum.Sum(nil)), nil
}

// ready records what the source contains.
func (w *Probe) ready(ctx context.Context, src *ent.Source, found finding) error {
	info := found.Info

	probe, err := json.Marshal(info)
	if err != nil {
		return fmt.Errorf("probe source %s: %w", src.ID, err)
	}

	var then []river.JobArgs
	if info.Audio != nil && !info.Audio.Measured {
		then = append(then, jobs.Measure{SourceID: src.ID})
	}

	record := func(u *ent.SourceUpdate) {
		u.SetStatus(values.SourceStatusReady).SetReadyAt(w.Now()).SetProbe(probe).
			SetDurationMs(info.DurationMs).SetHasAudio(info.Audio != nil).
			SetBytes(info.Bytes).SetSha256(found.sha256)

		if found.began != nil {
			u.SetBeganMs(*found.began)
		}

		if v := info.Video; v != nil {
			u.SetWidth(v.Width).SetHeight(v.Height)

			if v.FPSDen > 0 {
				u.SetFpsNum(int(v.FPSNum)).SetFpsDen(int(v.FPSDen))
			}
		}
	}

	_, err = w.RecordSource(ctx, src, then, record)

	return err
}
