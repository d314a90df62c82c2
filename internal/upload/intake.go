package upload

import (
	"context"
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

const (
	// settleFor bounds the transaction that completes an upload. A lost connection does not cancel it.
	settleFor = 30 * time.Second

	// pollEvery is how often a wait checks the database in case a notification is lost.
	pollEvery = time.Second
)

// Desk is the service that completes uploads and waits for their probe. Every field but Limits is required.
type Desk struct {
	Blobs  blob.Store
	Clock  func() time.Time
	Limits Limits
	Queue  *jobs.Queue
	Store  *store.Store
	Topics *store.Topics
	// Wait is how long Await waits for a source that is being processed.
	Wait time.Duration
}

// Arrived returns how many bytes of an upload have been stored so far.
func (d Desk) Arrived(ctx context.Context, src *ent.Source) (int64, error) {
	if !Incomplete(src) {
		return src.Bytes, nil
	}

	key := GrowsAt(src)
	if key == "" {
		return 0, nil
	}

	n, err := d.Blobs.Grown(ctx, key)
	if err != nil {
		return 0, fmt.Errorf("measure upload of source %s: %w", src.ID, err)
	}

	if src.GrowingKey != "" { // the pieces from before the interruption may not be there yet
		n = max(n, src.Bytes)
	}

	return n, nil
}

// Change updates a source whose upload is not complete. It returns a conflict if the upload is complete.
func (d Desk) Change(ctx context.Context, src *ent.Source, set func(*ent.SourceUpdate)) error {
	return d.Store.InTx(auth.AsWorkspace(ctx, src.WorkspaceID), func(ctx context.Context) error {
		update := d.Store.Client(ctx).Source.Update().Where(
			source.ID(src.ID), source.StatusIn(values.SourceStatusPending, values.SourceStatusUploading))
		set(update)

		changed, err := update.Save(ctx)
		if err != nil {
			return fmt.Errorf("update source: %w", err)
		}

		if changed == 0 {
			return fault.Conflict("The upload of this source is already complete.")
		}

		return nil
	})
}

// Expect does the same as Change for a source whose complete file is about to be stored under a key. It also queues a
// job that deletes the file later if the source does not refer to it by then. So no file is left over, even if this
// process dies.
func (d Desk) Expect(ctx context.Context, src *ent.Source, key string, set func(*ent.SourceUpdate)) error {
	return d.Store.InTx(auth.AsWorkspace(ctx, src.WorkspaceID), func(ctx context.Context) error {
		if err := d.Change(ctx, src, set); err != nil {
			return err
		}

		return d.Queue.Add(ctx, jobs.Reclaim{SourceID: src.ID, BlobKey: key})
	})
}

// Grown stores that more bytes of a source have arrived. It makes the changes of the function set in the same
// transaction. For a video, it also queues a job that checks how much of the source can be decoded.
func (d Desk) Grown(ctx context.Context, src *ent.Source, set func(*ent.SourceUpdate)) error {
	return d.Store.InTx(auth.AsWorkspace(ctx, src.WorkspaceID), func(ctx context.Context) error {
		if err := d.Change(ctx, src, set); err != nil || src.Kind != values.SourceKindVideo || src.Partial {
			return err
		}

		return d.Queue.Add(ctx, jobs.Look{SourceID: src.ID})
	})
}

// Complete ends the upload of a source and queues its probe. It makes the changes of the function set in the same
// transaction. This is a transaction of its own, so that the probe starts while the request waits for it. If the
// caller has already opened a transaction, Complete uses that one. If set replaces pieces with a file, the pieces are
// deleted. Complete returns a conflict if the upload was already complete.
func (d Desk) Complete(ctx context.Context, src *ent.Source, set func(*ent.SourceUpdate)) error {
	if !d.Store.Writing(ctx) {
		ctx = d.Store.Apart(ctx)
	}

	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleFor)
	defer cancel()

	return d.Store.InTx(auth.AsWorkspace(ctx, src.WorkspaceID), func(ctx context.Context) error {
		was, err := d.Store.Client(ctx).Source.Query().Where(source.ID(src.ID)).ForUpdate().Only(ctx)

		switch {
		case ent.IsNotFound(err):
			return fault.NotFound("source")
		case err != nil:
			return fmt.Errorf("read source: %w", err)
		}

		wanted := []river.JobArgs{jobs.Probe{SourceID: src.ID}}

		err = d.Change(ctx, src, func(u *ent.SourceUpdate) {
			u.SetStatus(values.SourceStatusProcessing).SetReservedBytes(0)
			set(u)

			if _, interrupted := u.Mutation().InterruptedAt(); !interrupted {
				u.ClearInterruptedAt()
			}

			wanted = append(wanted, replace(was, u)...)
		})
		if err != nil {
			return err
		}

		if err := d.Queue.Add(ctx, wanted...); err != nil {
			return err
		}

		return d.Store.Notify(ctx, jobs.SourceTopic(src.ID))
	})
}

// replace makes the newly stored file the file of the source. It returns the jobs that delete the old bytes: pieces
// are deleted immediately, a file only when nobody can still be reading it.
func replace(was *ent.Source, u *ent.SourceUpdate) (wanted []river.JobArgs) {
	discard := func(key string) {
		if key != "" {
			wanted = append(wanted, jobs.Discard{WorkspaceID: was.WorkspaceID, BlobKeys: []string{key}})
		}
	}

	_, sent := u.Mutation().BlobKey() // the file came whole, in one PUT

	switch {
	case was.GrowingKey == "" && sent:
		discard(was.BlobKey)
	case was.GrowingKey != "":
		wanted = append(wanted, jobs.Reclaim{SourceID: was.ID, BlobKey: was.BlobKey})

		u.SetGrowingKey("")

		if sent {
			discard(was.GrowingKey)
		} else {
			u.SetBlobKey(was.GrowingKey).SetSha256("")
		}
	}

	return wanted
}

// Await reads a source repeatedly until it is no longer being processed. It returns the source after d.Wait at the
// latest. Inside a transaction it does not wait at all.
func (d Desk) Await(
	ctx context.Context, id string, read func(context.Context) (*ent.Source, error),
) (*ent.Source, error) {
	wake, stop := d.Topics.Subscribe(jobs.SourceTopic(id))
	defer stop()

	late := time.NewTimer(d.Wait)
	defer late.Stop()

	poll := time.NewTicker(pollEvery)
	defer poll.Stop()

	for {
		found, err := read(ctx)
		if err != nil || found.Status != values.SourceStatusProcessing || d.Store.Writing(ctx) {
			return found, err
		}

		select {
		case <-ctx.Done():
			return nil, ctx.Err() //nolint:wrapcheck // the client is gone
		case <-late.C:
			return found, nil
		case <-wake:
		case <-poll.C:
		}
	}
}
