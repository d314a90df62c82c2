package media

import (
	"context"
	"errors"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/extract"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Undecodable reports whether the recording itself caused the error. It returns false if the cause is a limit, a
// missing file, a full disk or a missing program.
func Undecodable(err error) bool {
	const shells = 126 // exit codes from 126 mean that the program could not be run

	var (
		refused *ffmpeg.Refused
		exit    *ffmpeg.ExitError
	)

	if errors.As(err, &exit) {
		return exit.Signal == 0 && exit.Reason == nil && exit.Code < shells
	}

	return errors.As(err, &refused) && !Lost(err)
}

// Settle stores the outcome of an extract and notifies the requests that wait for it. It returns ErrEnded if the
// extract already has an outcome.
func (d Deps) Settle(ctx context.Context, row *ent.Extract, set func(*ent.ExtractUpdate)) error {
	return d.Store.InTx(auth.AsWorkspace(ctx, row.WorkspaceID), func(ctx context.Context) error {
		update := d.Store.Client(ctx).Extract.Update().
			Where(extract.ID(row.ID), extract.StatusEQ(values.ExtractStatusPending)).SetFinishedAt(d.Now())
		set(update)

		n, err := update.Save(ctx)

		switch {
		case err != nil:
			return fmt.Errorf("record extract %s: %w", row.ID, err)
		case n == 0:
			return ErrEnded
		}

		return d.Store.Notify(ctx, jobs.ExtractTopic(row.WorkspaceID, row.Key))
	})
}

// RemoveFiles deletes files of an extract that are no longer referenced.
func (d Deps) RemoveFiles(ctx context.Context, files []values.ExtractFile) {
	for _, f := range files {
		d.Remove(ctx, f.BlobKey)
	}
}

// DropExtracts deletes extracts and their files. It deletes the files before the rows, so that an interrupted
// deletion can be continued.
func (d Deps) DropExtracts(ctx context.Context, rows []*ent.Extract) error {
	for _, row := range rows {
		for _, f := range row.Files {
			if err := d.Blobs.Delete(ctx, f.BlobKey); err != nil && !Lost(err) {
				return fmt.Errorf("drop extract %s: %w", row.ID, err)
			}
		}

		err := d.Store.InTx(ctx, func(ctx context.Context) error {
			_, err := d.Store.Client(ctx).Extract.Delete().Where(extract.ID(row.ID)).Exec(ctx)

			return err
		})
		if err != nil {
			return fmt.Errorf("drop extract %s: %w", row.ID, err)
		}
	}

	return nil
}
