package media

import (
	"context"
	"errors"
	"fmt"

	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/upload"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook/event"
)

// FailSource stores why a source cannot be used, and deletes its bytes. It keeps the bytes of an interrupted
// recording, because the missing bytes may still arrive.
func (d Deps) FailSource(ctx context.Context, src *ent.Source, why event.Problem) error {
	ended, err := d.RecordSource(ctx, src, nil, func(u *ent.SourceUpdate) {
		u.SetStatus(values.SourceStatusFailed).SetErrorCode(why.Code).SetErrorMessage(why.Message)
	})
	if ended && src.InterruptedAt == nil {
		for _, key := range upload.Files(src) {
			d.Remove(ctx, key)
		}
	}

	return err
}

// RecordSource ends the processing of a source. In the same transaction, it makes the changes of the function set,
// inserts the jobs in the argument "then", and updates the clips that use the source. RecordSource returns false if the
// source was no longer being processed.
func (d Deps) RecordSource(
	ctx context.Context, src *ent.Source, then []river.JobArgs, set func(*ent.SourceUpdate),
) (ended bool, err error) {
	err = d.Store.InTx(auth.AsWorkspace(ctx, src.WorkspaceID), func(ctx context.Context) error {
		if err := d.lockUsers(ctx, src.ID); err != nil {
			return err
		}

		update := d.Store.Client(ctx).Source.Update().
			Where(source.ID(src.ID), source.StatusEQ(values.SourceStatusProcessing))
		set(update)

		n, err := update.Save(ctx)
		if err != nil {
			return err
		}

		if ended = n > 0; ended {
			if err := errors.Join(d.Queue.Add(ctx, then...), d.settleUsers(ctx, src.ID)); err != nil {
				return err
			}
		}

		return d.Store.Notify(ctx, jobs.SourceTopic(src.ID))
	})
	if err != nil {
		return false, fmt.Errorf("record source %s: %w", src.ID, err)
	}

	return ended, nil
}
