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
	// thumbnailBytes is how large a picture may be that is fetched, and thumbnailSide how long either side of
	// the copy is at most.
	thumbnailBytes = 10 << 20
	thumbnailSide  = 1920

	thumbnailTimeout = 2 * time.Minute
	fetchTimeout     = 30 * time.Second
)

// Thumbnail fetches the picture that somebody has chosen for a video, so that its pages ask nobody else.
type Thumbnail struct {
	river.WorkerDefaults[jobs.Thumbnail]
	media.Deps

	Client *http.Client // checks each address that it dials
}

// Timeout implements river.Worker.
func (*Thumbnail) Timeout(*river.Job[jobs.Thumbnail]) time.Duration { return thumbnailTimeout }

// Work implements river.Worker. Without a copy the pages show the video's own picture, and the video says why.
func (w *Thumbnail) Work(ctx context.Context, job *river.Job[jobs.Thumbnail]) error {
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
		return w.fail(ctx, v, "Addresses like this one are never asked.", err)
	case w.Outage(job.JobRow, err):
		w.Logger.WarnContext(ctx, "thumbnail: wait for storage", slog.String("video", v.ID), slog.Any("error", err))

		return river.JobSnooze(media.OutageSnooze)
	case ctx.Err() != nil || job.Attempt < job.MaxAttempts:
		return fmt.Errorf("copy the thumbnail of %s: %w", v.ID, err)
	default:
		return w.fail(ctx, v, "The address did not answer with a picture.", err)
	}
}

// fail says why there is no copy.
func (w *Thumbnail) fail(ctx context.Context, v *ent.Video, why string, cause error) error {
	w.Logger.InfoContext(ctx, "thumbnail: failed", slog.String("video", v.ID), slog.Any("error", cause))

	return w.conclude(ctx, v, func(_ context.Context, one *ent.VideoUpdateOne) error {
		one.SetThumbnailFault(why)

		return nil
	})
}

// keep says that there is a copy, which goes if it is not the one that is wanted.
func (w *Thumbnail) keep(ctx context.Context, v *ent.Video, made copied) error {
	kept := false

	err := w.conclude(ctx, v, func(ctx context.Context, one *ent.VideoUpdateOne) error {
		kept = true

		one.SetThumbnailKey(made.key).SetThumbnailWidth(made.Width).SetThumbnailHeight(made.Height).ClearThumbnailFault()

		// Of a COMMIT in doubt nobody knows whether the video names the copy now, and it stays.
		return w.Store.OnRollback(ctx, func() { w.Remove(ctx, made.key) })
	})
	if !kept {
		w.Remove(ctx, made.key)
	}

	return err
}

// conclude writes down what became of the picture that was chosen for a video, unless another was chosen meanwhile.
// It is no edit: the revision stays.
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

		return one.Exec(ctx)
	})
}

// copied is where our copy of a picture is, and what it is like.
type copied struct {
	image.Config

	key string
}

// copy fetches a picture, and stores what it shows.
func (w *Thumbnail) copy(ctx context.Context, address string) (made copied, err error) {
	dir, discard, err := w.Engine.Scratch()
	if err != nil {
		return made, fmt.Errorf("make room: %w", err)
	}
	defer func() { err = errors.Join(err, discard()) }()

	fetched, ours := filepath.Join(dir, "fetched"), filepath.Join(dir, "copy.jpg")

	if err := w.fetch(ctx, address, fetched); err != nil {
		return made, err
	}

	info, err := probe.File(ctx, w.Engine.Tools, fetched, probe.KindImage)
	if err != nil {
		return made, err //nolint:wrapcheck // says what the file is
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

// sizeOf reads how large a JPEG is that is our own.
func sizeOf(path string) (size image.Config, err error) {
	file, err := os.Open(path)
	if err != nil {
		return size, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()

	return jpeg.DecodeConfig(file)
}

// fetch reads what is at an address into a file. An answer that will not change is *ffmpeg.Refused.
func (w *Thumbnail) fetch(ctx context.Context, address, to string) (err error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()

	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return &ffmpeg.Refused{Code: ffmpeg.CodeNotAnImage, Message: "The address cannot be asked.", Cause: err}
	}

	r.Header.Set("Accept", "image/*")
	r.Header.Set("User-Agent", "Reelgraph-Thumbnails/1")

	answer, err := w.Client.Do(r)
	if err != nil {
		return fmt.Errorf("fetch: %w", err)
	}
	defer answer.Body.Close() //nolint:errcheck // it was only read

	switch {
	case answer.StatusCode >= http.StatusInternalServerError || answer.StatusCode == http.StatusTooManyRequests:
		return fmt.Errorf("fetch: the answer is %d", answer.StatusCode)
	case answer.StatusCode != http.StatusOK:
		return &ffmpeg.Refused{Code: ffmpeg.CodeNotAnImage, Message: fmt.Sprintf("The address answered %d.", answer.StatusCode)}
	case answer.ContentLength > thumbnailBytes:
		return tooLarge()
	}

	file, err := os.Create(to)
	if err != nil {
		return fmt.Errorf("make a file: %w", err)
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
	return &ffmpeg.Refused{Code: ffmpeg.CodeTooLarge, Message: "The picture has more than 10 MiB."}
}
