package still

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/engine/still"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/outbound"
	"github.com/reelgraph/reelgraph/workers/media"
)

const (
	// thumbnailBytes is the largest picture that is fetched; thumbnailSide is the longest side of its copy.
	thumbnailBytes = 10 << 20
	thumbnailSide  = 1920

	thumbnailTimeout = 2 * time.Minute
	fetchTimeout     = 30 * time.Second
)

// Thumbnail copies the picture that a user chose as the thumbnail of a video, so that the video's pages load it from
// this server.
type Thumbnail struct {
	river.WorkerDefaults[jobs.Thumbnail]
	media.Deps

	Client *http.Client // checks each address that it dials
}

// Timeout implements river.Worker.
func (*Thumbnail) Timeout(*river.Job[jobs.Thumbnail]) time.Duration { return thumbnailTimeout }

// Work implements river.Worker. Without a copy the pages show the video's own picture, and the video says why.
func (w *Thumbnail) Work(ctx context.Context, job *river.Job[jobs.Thumbnail]) error {
	ctx = auth.WithTrash(ctx) // a video in the trash may be restored

	v, err := w.Store.Client(ctx).Video.Get(auth.AsSystem(ctx), job.Args.VideoID)

	switch {
	case ent.IsNotFound(err):
		return nil
	case err != nil:
		return fmt.Errorf("find video %s: %w", job.Args.VideoID, err)
	case v.Settings.CustomThumbnailURL == "" || v.ThumbnailKey != "":
		return nil
	}

	ctx = auth.AsWorkspace(ctx, v.WorkspaceID)
	made, err := w.copy(ctx, v.Settings.CustomThumbnailURL)

	var (
		blocked *outbound.BlockedError
		refused *ffmpeg.Refused
	)

	switch {
	case err == nil:
		return w.keep(ctx, v, made)
	case errors.As(err, &refused):
		return w.fail(ctx, v, refused.Message, err)
	case errors.As(err, &blocked):
		return w.fail(ctx, v, "The address is not allowed: it must be public.", err)
	case w.Outage(job.JobRow, err):
		w.Logger.WarnContext(ctx, "thumbnail: storage unavailable, will retry", slog.String("video", v.ID), slog.Any("error", err))

		return river.JobSnooze(media.OutageSnooze)
	case ctx.Err() != nil || job.Attempt < job.MaxAttempts:
		return fmt.Errorf("copy the thumbnail of %s: %w", v.ID, err)
	default:
		return w.fail(ctx, v, "The address did not return a picture.", err)
	}
}

// fail records why there is no copy.
func (w *Thumbnail) fail(ctx context.Context, v *ent.Video, why string, cause error) error {
	w.Logger.InfoContext(ctx, "thumbnail: failed", slog.String("video", v.ID), slog.Any("error", cause))

	return w.conclude(ctx, v, func(_ context.Context, one *ent.VideoUpdateOne) error {
		one.SetThumbnailFault(why)

		return nil
	})
}

// keep records the copy. The copy is deleted if it is no longer the wanted one.
func (w *Thumbnail) keep(ctx context.Context, v *ent.Video, made copied) error {
	kept := false

	err := w.conclude(ctx, v, func(ctx context.Context, one *ent.VideoUpdateOne) error {
		kept = true

		one.SetThumbnailKey(made.key).SetThumbnailWidth(made.Width).SetThumbnailHeight(made.Height).ClearThumbnailFault()

		if err := w.Queue.Add(ctx, jobs.Posters{VideoID: v.ID}); err != nil {
			return err
		}

		// The outcome of the commit is unknown, so keep the file.
		return w.Store.OnRollback(ctx, func() { w.Remove(ctx, made.key) })
	})
	if !kept {
		w.Remove(ctx, made.key)
	}

	return err
}

// conclude records the outcome for the picture chosen for a video, unless another was chosen meanwhile. This is no
// edit: the revision does not change.
func (w *Thumbnail) conclude(ctx context.Context, v *ent.Video, say func(context.Context, *ent.VideoUpdateOne) error) error {
	return w.Store.InTx(ctx, func(ctx context.Context) error {
		c := w.Store.Client(ctx)

		now, err := c.Video.Query().Where(video.ID(v.ID)).ForUpdate().Only(ctx)
		if ent.IsNotFound(err) {
			return nil
		}

		if err != nil {
			return fmt.Errorf("lock video: %w", err)
		}

		if now.Settings.CustomThumbnailURL != v.Settings.CustomThumbnailURL || now.ThumbnailKey != "" {
			return nil
		}

		one := c.Video.UpdateOneID(v.ID)
		if err := say(ctx, one); err != nil {
			return err
		}

		if err := one.Exec(ctx); err != nil {
			return err
		}

		return w.Store.Notify(ctx, jobs.VideoTopic(v.ID))
	})
}

// copied is the stored copy of a picture and its properties.
type copied struct {
	image.Config

	key string
}

// copy fetches a picture and stores a copy of it.
func (w *Thumbnail) copy(ctx context.Context, address string) (made copied, err error) {
	dir, discard, err := w.Engine.Scratch()
	if err != nil {
		return made, fmt.Errorf("create a temporary folder: %w", err)
	}
	defer func() { err = errors.Join(err, discard()) }()

	fetched, ours := filepath.Join(dir, "fetched"), filepath.Join(dir, "copy.jpg")

	if err := w.fetch(ctx, address, fetched); err != nil {
		return made, err
	}

	info, err := probe.File(ctx, w.Engine.Tools, fetched, probe.KindImage)
	if err != nil {
		return made, err //nolint:wrapcheck // already wrapped
	}

	if err := still.SaveJPEG(ctx, w.Engine.Tools, fetched, info, thumbnailSide, ours); err != nil {
		return made, err //nolint:wrapcheck // as above
	}

	if made.Config, err = sizeOf(ours); err != nil {
		return made, fmt.Errorf("measure the copy: %w", err)
	}

	if made.key, err = blob.NewKey("thumbnails", ".jpg"); err != nil {
		return made, fmt.Errorf("name the copy: %w", err)
	}

	if _, err := w.Blobs.PutFile(ctx, made.key, ours); err != nil {
		return made, fmt.Errorf("store the copy: %w", err)
	}

	return made, nil
}

// sizeOf reads the size of a JPEG made by this server.
func sizeOf(path string) (size image.Config, err error) {
	file, err := os.Open(path)
	if err != nil {
		return size, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()

	return jpeg.DecodeConfig(file)
}

// fetch downloads a picture into a file. If retrying cannot help, the error is *ffmpeg.Refused.
func (w *Thumbnail) fetch(ctx context.Context, address, to string) (err error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()

	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return &ffmpeg.Refused{Code: ffmpeg.CodeNotAnImage, Message: "The address cannot be fetched.", Cause: err}
	}

	r.Header.Set("Accept", "image/*")
	r.Header.Set("User-Agent", "Reelgraph-Thumbnails/1")

	answer, err := w.Client.Do(r)
	if err != nil {
		return fmt.Errorf("fetch: %w", err)
	}
	defer answer.Body.Close() //nolint:errcheck // only read

	switch {
	case answer.StatusCode >= http.StatusInternalServerError || answer.StatusCode == http.StatusTooManyRequests:
		return fmt.Errorf("fetch: the server answered %d", answer.StatusCode)
	case answer.StatusCode != http.StatusOK:
		return &ffmpeg.Refused{Code: ffmpeg.CodeNotAnImage, Message: fmt.Sprintf("The address answered with status %d.", answer.StatusCode)}
	case answer.ContentLength > thumbnailBytes:
		return tooLarge()
	}

	file, err := os.Create(to)
	if err != nil {
		return fmt.Errorf("create a file: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()

	size, err := io.Copy(file, io.LimitReader(answer.Body, thumbnailBytes+1))
	if err != nil {
		return fmt.Errorf("fetch: %w", err)
	}

	if size > thumbnailBytes {
		return tooLarge()
	}

	return nil
}

func tooLarge() *ffmpeg.Refused {
	return &ffmpeg.Refused{Code: ffmpeg.CodeTooLarge, Message: "The picture is larger than 10 MiB."}
}
