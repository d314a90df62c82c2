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

// A recording is uploaded while it is being recorded. When no more bytes come, the recorder has crashed or lost its
// connection. The bytes so far are then completed, so that they can be watched, and the source is marked as
// interrupted. For a while the rest can still be sent.

const (
	// SilentFor is how long a recording may send nothing before it counts as interrupted.
	SilentFor = 24 * time.Hour

	// ResumableFor is how long the rest of an interrupted recording may still be sent.
	ResumableFor = 30 * 24 * time.Hour
)

// Incomplete reports whether more bytes of a source are expected.
func Incomplete(src *ent.Source) bool {
	return src.Status == values.SourceStatusPending || src.Status == values.SourceStatusUploading
}

// Interrupted reports whether a source was completed although bytes were missing, and the missing bytes may still be
// sent.
func (d Desk) Interrupted(src *ent.Source) bool {
	return !Incomplete(src) && src.InterruptedAt != nil && d.Clock().Before(src.InterruptedAt.Add(ResumableFor))
}

// Open reports whether a client may still send bytes of a source.
func (d Desk) Open(src *ent.Source) bool { return Incomplete(src) || d.Interrupted(src) }

// GrowsAt returns the key under which the pieces of a source are stored. It is empty before the first piece.
func GrowsAt(src *ent.Source) string { return cmp.Or(src.GrowingKey, src.BlobKey) }

// Files returns the keys of all files of a source.
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

// Interrupt completes a recording with the bytes that have arrived, because the client has stopped sending. The
// client may still send the missing bytes later.
func (d Desk) Interrupt(ctx context.Context, src *ent.Source, arrived int64, also ...func(*ent.SourceUpdate)) error {
	return d.Complete(ctx, src, func(u *ent.SourceUpdate) {
		u.Where(source.UploadOffsetLTE(arrived)).SetInterruptedAt(d.Clock().UTC().Truncate(time.Millisecond)).
			SetBytes(arrived).SetUploadOffset(arrived)

		for _, set := range also {
			set(u)
		}
	})
}

// Resume makes it possible to append to the stored bytes of an interrupted recording. It does nothing if that is
// already possible.
func (d Desk) Resume(ctx context.Context, src *ent.Source) error {
	if src.GrowingKey == "" {
		return nil
	}

	if err := d.Blobs.Regrow(ctx, src.BlobKey, src.GrowingKey); err != nil {
		return fmt.Errorf("resume upload of source %s: %w", src.ID, err)
	}

	return nil
}

// Reopened changes an interrupted source so that it accepts further bytes. It does not change other sources. The
// caller must have locked the source.
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
