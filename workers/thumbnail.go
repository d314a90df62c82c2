package workers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/internal/auth"
	"github.com/reelgraph/reelgraph/internal/blob"
	"github.com/reelgraph/reelgraph/internal/media"
	"github.com/reelgraph/reelgraph/internal/webhook"
	"github.com/reelgraph/reelgraph/workers/jobs"
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
	MediaDeps

	Client *http.Client // checks each address that it dials
}

// Timeout implements river.Worker.
func (*Thumbnail) Timeout(*river.Job[jobs.Thumbnail]) time.Duration { return thumbnailTimeout }

// Work implements river.Worker. Without a copy the pages show the video's own picture, so what cannot be
// fetched, or is no picture, is logged and harms nobody.
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

	key, err := w.copy(ctx, v.Settings.CustomThumbnailURL)

	var (
		blocked *webhook.BlockedError
		refused *media.Refused
	)

	switch {
	case errors.As(err, &refused), errors.As(err, &blocked):
		w.Logger.InfoContext(ctx, "thumbnail: refused", slog.String("video", v.ID), slog.Any("error", err))

		return nil
	case err != nil:
		return fmt.Errorf("copy the thumbnail of %s: %w", v.ID, err)
	}

	return w.keep(auth.AsWorkspace(ctx, v.WorkspaceID), v, key)
}

// keep says that there is a copy, unless another picture was chosen meanwhile.
func (w *Thumbnail) keep(ctx context.Context, v *ent.Video, key string) error {
	kept := false

	err := w.Store.InTx(ctx, func(ctx context.Context) error {
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

		kept = true

		// Of a COMMIT in doubt nobody knows whether the video names the copy now, and it stays.
		if err := w.Store.OnRollback(ctx, func() { w.remove(ctx, key) }); err != nil {
			return err
		}

		return c.Video.UpdateOneID(v.ID).SetThumbnailKey(key).Exec(ctx)
	})
	if !kept {
		w.remove(ctx, key)
	}

	return err
}

// copy fetches a picture, and stores what it shows.
func (w *Thumbnail) copy(ctx context.Context, address string) (key string, err error) {
	dir, discard, err := w.Engine.Scratch()
	if err != nil {
		return "", fmt.Errorf("make room: %w", err)
	}
	defer func() { err = errors.Join(err, discard()) }()

	fetched, copied := filepath.Join(dir, "fetched"), filepath.Join(dir, "copy.jpg")

	if err := w.fetch(ctx, address, fetched); err != nil {
		return "", err
	}

	info, err := w.Engine.Tools.Probe(ctx, fetched, media.KindImage)
	if err != nil {
		return "", err //nolint:wrapcheck // says what the file is
	}

	if err := w.Engine.Tools.Portrait(ctx, fetched, info, thumbnailSide, copied); err != nil {
		return "", err //nolint:wrapcheck // as above
	}

	if key, err = blob.NewKey("thumbnails", ".jpg"); err != nil {
		return "", fmt.Errorf("name the copy: %w", err)
	}

	if _, err := w.Blobs.PutFile(ctx, key, copied); err != nil {
		return "", fmt.Errorf("store the copy: %w", err)
	}

	return key, nil
}

// fetch reads what is at an address into a file. An answer that will not change is *media.Refused.
func (w *Thumbnail) fetch(ctx context.Context, address, to string) (err error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()

	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return &media.Refused{Code: media.CodeNotAnImage, Message: "The address cannot be asked.", Cause: err}
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
	case answer.StatusCode != http.StatusOK || answer.ContentLength > thumbnailBytes:
		return &media.Refused{
			Code: media.CodeNotAnImage, Message: fmt.Sprintf("The answer is %d, of %d bytes.", answer.StatusCode, answer.ContentLength),
		}
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
		return &media.Refused{Code: media.CodeNotAnImage, Message: "The picture has more than 10 MiB."}
	}

	return nil
}
