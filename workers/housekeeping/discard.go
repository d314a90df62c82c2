package housekeeping

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/extract"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/upload"
	"github.com/reelgraph/reelgraph/workers/media"
)

const (
	discardTimeout = 10 * time.Minute

	// discardLater is the delay before sources are checked again that an unfinished export still reads.
	discardLater = time.Minute
)

// Discard deletes the files and rows that remain after a video was deleted.
type Discard struct {
	river.WorkerDefaults[jobs.Discard]
	media.Deps
}

// Timeout implements river.Worker.
func (*Discard) Timeout(*river.Job[jobs.Discard]) time.Duration { return discardTimeout }

// Work implements river.Worker. It keeps sources that are still referenced.
func (w *Discard) Work(ctx context.Context, job *river.Job[jobs.Discard]) error {
	ctx = auth.AsWorkspace(ctx, job.Args.WorkspaceID)

	for _, key := range job.Args.BlobKeys {
		if err := w.Blobs.Delete(ctx, key); err != nil && !media.Lost(err) {
			return fmt.Errorf("delete a file: %w", err)
		}
	}

	if job.Args.VideoID != "" {
		if err := w.extracts(ctx, job.Args.VideoID); err != nil {
			return err
		}
	}

	waiting := false

	for _, id := range job.Args.SourceIDs {
		read, err := w.source(ctx, job.Args.WorkspaceID, id)
		if err != nil {
			return fmt.Errorf("delete source %s: %w", id, err)
		}

		waiting = waiting || read
	}

	if waiting {
		return river.JobSnooze(discardLater)
	}

	return nil
}

// extracts removes the extracts of a video or a source.
func (w *Discard) extracts(ctx context.Context, subjectID string) error {
	rows, err := w.Store.Client(ctx).Extract.Query().Where(extract.SubjectID(subjectID)).All(ctx)
	if err != nil {
		return fmt.Errorf("find extracts of %s: %w", subjectID, err)
	}

	return w.DropExtracts(ctx, rows)
}

// source removes an unreferenced source and its extracts, and reports whether only an unfinished export still reads
// it. A lock prevents new references meanwhile. A job inserted in the same transaction deletes the files.
func (w *Discard) source(ctx context.Context, workspaceID, id string) (read bool, err error) {
	err = w.Store.InTx(ctx, func(ctx context.Context) error {
		c := w.Store.Client(ctx)

		src, err := c.Source.Query().Where(source.ID(id)).ForUpdate().Only(ctx)
		if ent.IsNotFound(err) {
			return nil
		}

		if err != nil {
			return err
		}

		var used bool

		err = w.Store.Query(ctx, func(rows *sql.Rows) error { return rows.Scan(&used, &read) }, referredSQL, workspaceID, id)
		if err != nil || used || read {
			return err
		}

		files, err := w.forgetExtracts(ctx, id)
		if err != nil {
			return err
		}

		files = append(files, upload.Files(src)...)

		if err := c.Source.DeleteOneID(id).Exec(ctx); err != nil || len(files) == 0 {
			return err
		}

		return w.Queue.Add(ctx, jobs.Discard{WorkspaceID: workspaceID, BlobKeys: files})
	})

	return read, err
}

// forgetExtracts removes the rows of a source's extracts and returns the keys of their files. An extract that is
// being made right now finds its row gone and deletes its own files.
func (w *Discard) forgetExtracts(ctx context.Context, sourceID string) (files []string, err error) {
	c := w.Store.Client(ctx).Extract

	rows, err := c.Query().Where(extract.SubjectID(sourceID)).ForUpdate().All(ctx)
	if err != nil {
		return nil, fmt.Errorf("find extracts: %w", err)
	}

	made := make([]string, len(rows))

	for i, row := range rows {
		made[i] = row.ID

		for _, f := range row.Files {
			files = append(files, f.BlobKey)
		}
	}

	if _, err := c.Delete().Where(extract.IDIn(made...)).Exec(ctx); err != nil {
		return nil, fmt.Errorf("remove extracts: %w", err)
	}

	return files, nil
}

// referredSQL asks whether anything in workspace $1 refers to source $2: permanently, and only until an export ends.
const referredSQL = "SELECT EXISTS (" + upload.UsesOfSource + "), " + upload.ByExports
