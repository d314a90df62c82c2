package upload

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// A recording is sent while it is recorded. When nothing of it comes any more, its recorder has crashed, or is away:
// what arrived is completed, so that it can be watched, and is marked as interrupted. Whoever has the rest can still send
// it for a while.

const (
	// SilentFor is how long a recording may send nothing until it counts as interrupted.
	SilentFor = 24 * time.Hour

	// ResumableFor is how long the rest of an interrupted recording may still be sent.
	ResumableFor = 30 * 24 * time.Hour
)

// Incomplete reports that bytes of a source are still expected.
func Incomplete(src *ent.Source) bool {
	return src.Status == values.SourceStatusPending || src.Status == values.SourceStatusUploading
}

// Interrupted reports that what arrived of a source was completed, and its rest may still be sent.
func (d Desk) Interrupted(src *ent.Source) bool {
	return !Incomplete(src) && src.InterruptedAt != nil && d.Clock().Before(src.InterruptedAt.Add(ResumableFor))
}

// Open reports that bytes of a source may be sent.
func (d Desk) Open(src *ent.Source) bool { return Incomplete(src) || d.Interrupted(src) }

// GrowsAt is the key under which pieces of a source arrive; empty before the first of them.
func GrowsAt(src *ent.Source) string { return cmp.Or(src.GrowingKey, src.BlobKey) }

// Files are the keys of all that is kept of a source.
func Files(src *ent.Source) []string {
	var keys []string

	for _, key := range []string{src.BlobKey, src.GrowingKey} {
		if key != "" {
			keys = append(keys, key)
		}
	}

	for _, part := range src.Parts {
		keys = append(keys, part.BlobKey)
	}

	return keys
}

// Interrupt completes what has arrived of a recording whose rest does not come, and leaves it open for that.
func (d Desk) Interrupt(ctx context.Context, src *ent.Source, arrived int64, also ...func(*ent.SourceUpdate)) error {
	return d.Complete(ctx, src, func(u *ent.SourceUpdate) {
		u.Where(source.UploadOffsetLTE(arrived)).SetInterruptedAt(d.Clock().UTC().Truncate(time.Millisecond)).
			SetBytes(arrived).SetUploadOffset(arrived)

		for _, set := range also {
			set(u)
		}
	})
}

// Resume makes a growing blob of what had arrived of an interrupted recording, unless that has happened before.
func (d Desk) Resume(ctx context.Context, src *ent.Source) error {
	if src.GrowingKey == "" {
		return nil
	}

	if err := d.Blobs.Regrow(ctx, src.BlobKey, src.GrowingKey); err != nil {
		return fmt.Errorf("resume upload of source %s: %w", src.ID, err)
	}

	return nil
}

// Reopened are the changes that make a locked source take pieces again, if it is an interrupted one.
func (d Desk) Reopened(src *ent.Source, u *ent.SourceUpdateOne) error {
	if !d.Interrupted(src) {
		return nil
	}

	key, err := blob.NewKey("sources", "")
	if err != nil {
		return fmt.Errorf("resume upload of source %s: %w", src.ID, err)
	}

	u.SetGrowingKey(key).ClearInterruptedAt().SetUploadOffset(src.Bytes).SetArrivedAt(d.Clock().UTC().Truncate(time.Millisecond))

	return nil
}
