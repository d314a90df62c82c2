package render

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/exportchunk"
	"github.com/reelgraph/reelgraph/internal/engine/encode"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/workers/media"
)

const (
	// watchEvery is the shortest interval between progress updates, and how soon the end of an export is noticed if
	// its notification is lost.
	watchEvery = time.Second

	// almost is the highest progress that is shown before the export is committed.
	almost = 99
)

// watch follows one rendering: it records the progress and stops rendering if the export has ended.
type watch struct {
	media.Deps

	export  *ent.Export
	cancel  context.CancelCauseFunc
	done    *done
	percent int // as last recorded
}

// begin starts watching and returns the function that stops it.
func (w *watch) begin(ctx context.Context) (end func()) {
	// Subscribe before the first look, so that no cancellation is missed.
	wake, stop := w.Topics.Subscribe(jobs.ExportTopic(w.export.ID))
	over, ended := make(chan struct{}), make(chan struct{})

	go func() {
		defer close(ended)

		w.run(ctx, wake, over)
	}()

	return func() {
		close(over)
		<-ended
		stop()
	}
}

// run watches until the rendering is over.
func (w *watch) run(ctx context.Context, wake <-chan struct{}, over <-chan struct{}) {
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()

	for {
		if err := w.look(ctx); err != nil && ctx.Err() == nil {
			w.Logger.WarnContext(ctx, "render: cannot check the export", slog.String("export", w.export.ID), slog.Any("error", err))
		}

		select {
		case <-over:
			return
		case <-ctx.Done():
			return
		case <-wake:
		case <-ticker.C:
			if err := w.write(ctx); err != nil && ctx.Err() == nil {
				w.Logger.WarnContext(ctx, "render: cannot record progress", slog.String("export", w.export.ID), slog.Any("error", err))
			}
		}
	}
}

// look stops the rendering if the export has ended or the disk falls below its reserve.
func (w *watch) look(ctx context.Context) error {
	if w.done.drawing.Load() {
		if free, err := encode.FreeBytes(w.Engine.Dir); err == nil && free < w.DiskReserve {
			w.cancel(ffmpeg.ErrDiskFull)

			return nil
		}
	}

	wanted, err := w.Store.Client(ctx).Export.Query().Where(media.Ours(w.export)...).Exist(ctx)
	if err != nil {
		return fmt.Errorf("read the export: %w", err)
	}

	if !wanted {
		w.cancel(media.ErrEnded)
	}

	return nil
}

// write records the progress and the newly finished chunks, if there are any.
func (w *watch) write(ctx context.Context) error {
	percent, chunks := w.done.news()
	if percent = max(percent, w.percent); percent == w.percent && len(chunks) == 0 {
		return nil
	}

	err := w.Store.InTx(auth.AsWorkspace(ctx, w.export.WorkspaceID), func(ctx context.Context) error {
		c := w.Store.Client(ctx)

		changed, err := c.Export.Update().Where(media.Ours(w.export)...).SetProgress(percent).Save(ctx)
		if err != nil || changed == 0 {
			return err // the export has ended; look will notice
		}

		if err := w.writeChunks(ctx, c, chunks); err != nil {
			return err
		}

		return w.Store.Notify(ctx, jobs.ExportTopic(w.export.ID))
	})
	if err != nil {
		w.done.again(chunks)

		return err
	}

	w.percent = percent

	return nil
}

// chunksAtOnce keeps the statement below the Postgres limit of 65,535 arguments. An export of many hours may find
// more cached chunks at once.
const chunksAtOnce = 1000

func (w *watch) writeChunks(ctx context.Context, c *ent.Client, chunks []chunk) error {
	for some := range slices.Chunk(chunks, chunksAtOnce) {
		rows := make([]*ent.ExportChunkCreate, len(some))
		for i, k := range some {
			rows[i] = c.ExportChunk.Create().SetExport(w.export).SetWorkspaceID(w.export.WorkspaceID).
				SetPosition(k.position).SetKey(k.key).SetFrames(k.frames).SetBytes(k.bytes)
		}

		err := c.ExportChunk.CreateBulk(rows...).
			OnConflict(sql.ConflictColumns(exportchunk.FieldExportID, exportchunk.FieldPosition), sql.DoNothing()).Exec(ctx)
		if err != nil {
			return fmt.Errorf("record chunks: %w", err)
		}
	}

	return nil
}

// chunk is a finished piece of an export.
type chunk struct {
	position int
	key      string
	frames   int
	bytes    int64
}

// done is the progress of a rendering. The engine writes it and the watch reads it.
type done struct {
	drawing atomic.Bool // from here on the disk reserve is checked

	mu       sync.Mutex
	places   map[string][]chunk // pending chunks by key
	percent  int
	finished []chunk // finished since the last read
}

func newDone() *done { return &done{places: map[string][]chunk{}} }

// expect sets the chunks of the plan.
func (d *done) expect(plan plan.Plan) {
	d.mu.Lock()
	defer d.mu.Unlock()

	position := 0

	for _, o := range plan.Outputs {
		for _, c := range o.Chunks {
			d.places[c.Key] = append(d.places[c.Key], chunk{position: position, key: c.Key, frames: int(c.Frames)})
			position++
		}
	}
}

// advance is called by the engine with its progress.
func (d *done) advance(n, total int) {
	d.mu.Lock()
	defer d.mu.Unlock()

	d.percent = min(almost, int(int64(n)*100/int64(max(total, 1))))
}

// finish marks the chunks of a cache key as finished, with the name of their file.
func (d *done) finish(key, name string) {
	info, err := os.Stat(name)
	if err != nil {
		return // the engine will miss the file and report it
	}

	d.mu.Lock()
	defer d.mu.Unlock()

	key = strings.TrimSuffix(key, filepath.Ext(key))

	for _, c := range d.places[key] {
		c.bytes = info.Size()
		d.finished = append(d.finished, c)
	}

	delete(d.places, key)
}

func (d *done) news() (percent int, chunks []chunk) {
	d.mu.Lock()
	defer d.mu.Unlock()

	chunks, d.finished = d.finished, nil

	return d.percent, chunks
}

// again puts back chunks that could not be recorded.
func (d *done) again(chunks []chunk) {
	d.mu.Lock()
	defer d.mu.Unlock()

	d.finished = append(chunks, d.finished...)
}

// counted is the cache of one rendering. It marks what it uses as new, so that it is trimmed last.
type counted struct {
	encode.DirCache

	done *done
}

// Get implements encode.Cache.
func (c counted) Get(ctx context.Context, key, name string) bool {
	ok := c.DirCache.Get(ctx, key, name)
	if ok {
		now := time.Now()
		_ = os.Chtimes(filepath.Join(c.Dir, key), now, now) // the time only decides when the piece is trimmed
		c.done.finish(key, name)
	}

	return ok
}

// Put implements encode.Cache.
func (c counted) Put(ctx context.Context, key, name string) error {
	err := c.DirCache.Put(ctx, key, name)
	if err == nil {
		c.done.finish(key, name)
	}

	return err
}
