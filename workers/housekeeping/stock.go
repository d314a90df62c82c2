package housekeeping

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/catalogitem"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/engine/stock"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/workers/media"
)

const (
	stockEvery   = 24 * time.Hour
	stockTimeout = 30 * time.Minute
)

// Stock creates the default backgrounds and sounds that are missing. It also creates a background or sound again if
// an older recipe was used for it.
type Stock struct {
	river.WorkerDefaults[jobs.Stock]
	media.Deps

	Items []stock.Item
}

// StockEvery returns the schedule of Stock, which runs when a server starts and then every 24 hours. One job is
// enough for all processes.
func StockEvery() *river.PeriodicJob {
	return river.NewPeriodicJob(river.PeriodicInterval(stockEvery), func() (river.JobArgs, *river.InsertOpts) {
		return jobs.Stock{}, &river.InsertOpts{UniqueOpts: river.UniqueOpts{ByState: []rivertype.JobState{
			rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable,
			rivertype.JobStateRunning, rivertype.JobStateScheduled,
		}}}
	}, &river.PeriodicJobOpts{RunOnStart: true})
}

// Timeout implements river.Worker.
func (*Stock) Timeout(*river.Job[jobs.Stock]) time.Duration { return stockTimeout }

// Work implements river.Worker. An item that fails does not stop the others.
func (w *Stock) Work(ctx context.Context, _ *river.Job[jobs.Stock]) error {
	ctx = ffmpeg.LowPriority(auth.AsSystem(ctx))

	var faults []error

	for position, item := range w.Items {
		was, err := w.Store.Client(ctx).CatalogItem.Get(ctx, item.ID)
		if ent.IsNotFound(err) {
			was, err = &ent.CatalogItem{}, nil
		}

		if err == nil && was.RecipeHash != item.Hash() {
			err = w.make(ctx, item, position, was)
		}

		if err != nil {
			faults = append(faults, fmt.Errorf("create library item %s: %w", item.ID, err))
		}

		if ctx.Err() != nil {
			break
		}
	}

	return errors.Join(faults...)
}

// made is a stored file of the catalog.
type made struct {
	key, sha256 string
	size        int64
	info        probe.Info
}

// make creates or replaces an item.
func (w *Stock) make(ctx context.Context, item stock.Item, position int, was *ent.CatalogItem) error {
	file, err := w.file(ctx, item)
	if err != nil {
		return err
	}

	preview, err := w.preview(ctx, item)
	if err != nil {
		w.Remove(ctx, file.key)

		return err
	}

	undo := func() { w.Remove(ctx, file.key); w.Remove(ctx, preview) }

	err = w.Store.InTx(ctx, func(ctx context.Context) error {
		// The outcome of the commit is unknown, so keep the files.
		if err := w.Store.OnRollback(ctx, undo); err != nil {
			return err
		}

		row := w.Store.Client(ctx).CatalogItem.Create().SetID(item.ID).SetType(item.Type).SetName(item.Name).
			SetRecipeHash(item.Hash()).SetPosition(position).SetBlobKey(file.key).SetPreviewKey(preview).
			SetSha256(file.sha256).SetBytes(file.size).SetDurationMs(file.info.DurationMs).SetUpdatedAt(w.Now())

		if v := file.info.Video; v != nil {
			row.SetWidth(v.Width).SetHeight(v.Height)
		}

		if file.key != "" {
			probe, err := json.Marshal(file.info)
			if err != nil {
				return err
			}

			row.SetProbe(probe)
		}

		if item.Colours != nil {
			row.SetBackground(item.Colours)
		}

		return row.OnConflictColumns(catalogitem.FieldID).UpdateNewValues().Exec(ctx)
	})
	if err != nil {
		return err
	}

	w.Remove(ctx, was.BlobKey)
	w.Remove(ctx, was.PreviewKey)

	return nil
}

// file creates and stores the item's file. Colors have none.
func (w *Stock) file(ctx context.Context, item stock.Item) (made, error) {
	kind, extension := values.SourceKindImage, ".jpg"

	switch {
	case item.Colours != nil:
		return made{}, nil
	case item.Type == values.CatalogTypeAnimatedBackground:
		kind, extension = values.SourceKindVideo, ".mp4"
	case item.Picture == nil:
		kind, extension = values.SourceKindAudio, ".flac"
	}

	dir, discard, err := w.Engine.Scratch()
	if err != nil {
		return made{}, fmt.Errorf("create a temporary folder: %w", err)
	}
	defer discard() //nolint:errcheck // leftovers are harmless

	path := filepath.Join(dir, "item"+extension)
	if err := w.write(ctx, item, path); err != nil {
		return made{}, err
	}

	return w.kept(ctx, path, extension, kind)
}

// write writes the file of an item.
func (w *Stock) write(ctx context.Context, item stock.Item, path string) error {
	limits := ffmpeg.Limits{Wall: stockTimeout}

	switch {
	case item.Type == values.CatalogTypeAnimatedBackground:
		return w.Engine.Tools.Run(ctx, ffmpeg.Command{Stdin: item.Frames(), Limits: limits, Args: []string{
			"-f", "rawvideo", "-pix_fmt", "rgb24", "-video_size", fmt.Sprintf("%dx%d", stock.FrameWidth, stock.FrameHeight),
			"-framerate", fmt.Sprint(item.FrameRate), "-i", "pipe:0",
			"-vf", "scale=1280:720:flags=bicubic:out_color_matrix=bt709:out_range=tv,format=yuv420p," + plan.Tags, "-threads", "1",
			"-c:v", "libx264", "-preset", "veryfast", "-crf", "18",
			"-bitexact", "-movflags", "+faststart", "-f", "mp4", "-y", "file:" + path,
		}})
	case item.Picture != nil:
		image, err := item.Image(stock.Width, stock.Height)
		if err != nil {
			return err
		}

		return os.WriteFile(path, image, 0o600)
	default: // lossless, so that a loop has no seam
		return w.Engine.Tools.Run(ctx, ffmpeg.Command{Stdin: bytes.NewReader(item.Sound()), Limits: limits, Args: []string{
			"-f", "wav", "-i", "pipe:0", "-c:a", "flac", "-bitexact", "-f", "flac", "-y", "file:" + path,
		}})
	}
}

// kept stores a file and probes it.
func (w *Stock) kept(ctx context.Context, path, extension string, kind values.SourceKind) (m made, err error) {
	if m.info, err = probe.File(ctx, w.Engine.Tools, path, string(kind)); err != nil {
		return made{}, err
	}

	f, err := os.Open(path)
	if err != nil {
		return made{}, err
	}
	defer f.Close() //nolint:errcheck // only read

	sum := sha256.New()
	if m.size, err = io.Copy(sum, f); err != nil {
		return made{}, err
	}

	m.sha256 = hex.EncodeToString(sum.Sum(nil))

	if m.key, err = blob.NewKey("catalog", extension); err != nil {
		return made{}, err
	}

	_, err = w.Blobs.PutFile(ctx, m.key, path)

	return m, err
}

// preview creates and stores a small picture of a background. Sounds have none.
func (w *Stock) preview(ctx context.Context, item stock.Item) (string, error) {
	if item.Colours == nil && item.Picture == nil {
		return "", nil
	}

	image, err := item.Image(stock.PreviewWidth, stock.PreviewHeight)
	if err != nil {
		return "", err
	}

	key, err := blob.NewKey("catalog", ".jpg")
	if err != nil {
		return "", err
	}

	_, err = w.Blobs.Put(ctx, key, bytes.NewReader(image))

	return key, err
}
