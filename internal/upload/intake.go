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
	// settleFor bounds the transaction that completes an upload, which no disconnection interrupts.
	settleFor = 30 * time.Second

	// pollEvery is how often a wait looks by itself, in case that nobody tells it.
	pollEvery = time.Second
)

// Desk completes uploads and waits for their probe. Every field but Limits is required.
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

// Arrived is how many bytes of an upload that is open have come in pieces, and will stay.
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

	if src.GrowingKey != "" { // where what had arrived before the interruption may not be yet
		n = max(n, src.Bytes)
	}

	return n, nil
}

// Change updates a source whose bytes are not complete, or answers conflict when they are.
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

// Expect is Change for a source all of whose bytes are about to be put under a key. Unless the source comes to
// name it they are removed later, whatever becomes of this process.
func (d Desk) Expect(ctx context.Context, src *ent.Source, key string, set func(*ent.SourceUpdate)) error {
	return d.Store.InTx(auth.AsWorkspace(ctx, src.WorkspaceID), func(ctx context.Context) error {
		if err := d.Change(ctx, src, set); err != nil {
			return err
		}

		return d.Queue.Add(ctx, jobs.Reclaim{SourceID: src.ID, BlobKey: key})
	})
}

// Grown records that more of a source has come in pieces, with what set records of it, and asks how much
// of it can be decoded.
func (d Desk) Grown(ctx context.Context, src *ent.Source, set func(*ent.SourceUpdate)) error {
	return d.Store.InTx(auth.AsWorkspace(ctx, src.WorkspaceID), func(ctx context.Context) error {
		if err := d.Change(ctx, src, set); err != nil || src.Kind != values.SourceKindVideo || src.Partial {
			return err
		}

		return d.Queue.Add(ctx, jobs.Look{SourceID: src.ID})
	})
}

// Complete ends the upload of a source, with what set records of it, and asks for its probe, in one
// transaction of its own: the probe starts while the request that asked for it still waits. Where a
// transaction is open already it joins that one. Pieces in whose place set puts a file are removed. Answers
// conflict when the upload was complete before.
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

// replace has the file that arrived take the place of what a source had, and returns the jobs that remove the latter:
// pieces at once, and a file only when nobody can still be reading it.
func replace(was *ent.Source, u *ent.SourceUpdate) (wanted []river.JobArgs) {
	discard := func(key string) {
		if key != "" {
			wanted = append(wanted, jobs.Discard{WorkspaceID: was.WorkspaceID, BlobKeys: []string{key}})
		}
	}

	_, sent := u.Mutation().BlobKey() // all at once, in one PUT

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

// Await reads a source until it is no longer being processed, for Wait at most, and for no time at all
// inside an open transaction.
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
