// Package media is what the workers of media share: what they work with, and how rows and files of sources, extracts and exports
// change together. Start with Deps.
package media

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river/rivertype"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/engine/encode"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/queue"
	"github.com/reelgraph/reelgraph/internal/platform/signedurl"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/speech"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook/event"
)

// Deps is what the workers of media work with. Every field but Rendered and Speech is required.
type Deps struct {
	Addresses signedurl.Book
	Blobs     blob.Store
	// Cache keeps finished pieces of exports on this machine, CacheBytes of them and what exports work with.
	Cache      encode.DirCache
	CacheBytes int64
	Clock      func() time.Time
	// DiskReserve is how many bytes of the disk exports leave to others; zero leaves none.
	DiskReserve int64
	Engine      *encode.Engine
	Locks       *queue.Locks
	Logger      *slog.Logger
	Queue       *jobs.Queue
	Rendered    func(length time.Duration) // of a film; nil: nobody counts
	Speech      speech.Provider            // nil on a server without speech recognition
	Store       *store.Store
	Topics      *store.Topics
}

// OurFault is what a source or an export says when the reason is nothing that its owner could mend.
// The reason is in the log.
func OurFault(what string) event.Problem {
	return event.Problem{Code: "server_error", Message: "Something went wrong on our side. Please " + what + " again."}
}

// Now is the present as it is stored and printed.
func (d Deps) Now() time.Time { return d.Clock().UTC().Truncate(time.Millisecond) }

// Local is a source's file on this machine, or what has arrived of it, which the caller releases.
func (d Deps) Local(ctx context.Context, src *ent.Source) (path string, release func(), err error) {
	path, release, err = d.bring(ctx, src.BlobKey, blob.Local)
	if Lost(err) && (src.Status == values.SourceStatusUploading || src.Status == values.SourceStatusProcessing) {
		path, release, err = d.bring(ctx, src.BlobKey, blob.LocalGrowing)
	}

	if err != nil {
		return "", nil, fmt.Errorf("fetch the file of source %s: %w", src.ID, err)
	}

	return path, release, nil
}

// bring has a file made local by how, one of blob's. A copy is in a folder that outlives no crash.
func (d Deps) bring(
	ctx context.Context, key string,
	how func(ctx context.Context, s blob.Store, key, dir string) (path string, release func(), err error),
) (path string, release func(), err error) {
	if _, there := d.Blobs.Path(key); there {
		return how(ctx, d.Blobs, key, "") //nolint:wrapcheck // the caller says whose file it is
	}

	dir, discard, err := d.Engine.Scratch()
	if err != nil {
		return "", nil, fmt.Errorf("make room for a copy: %w", err)
	}

	release = func() {
		if err := discard(); err != nil {
			d.Logger.ErrorContext(ctx, "remove a copy", slog.String("folder", dir), slog.Any("error", err))
		}
	}

	path, _, err = how(ctx, d.Blobs, key, dir)
	if err != nil {
		release()
	}

	return path, release, err //nolint:wrapcheck // as above
}

// Remove deletes a file that nobody refers to any more. What cannot be deleted is logged: it costs
// space and harms nobody.
func (d Deps) Remove(ctx context.Context, key string) {
	if key == "" {
		return
	}

	if err := d.Blobs.Delete(context.WithoutCancel(ctx), key); err != nil {
		d.Logger.ErrorContext(ctx, "remove a file", slog.String("blob", key), slog.Any("error", err))
	}
}

const (
	// OutageSnooze is how long a job waits for storage that cannot be asked, or is full. It costs no attempt.
	OutageSnooze = time.Minute
	// outageLasts is for how long a job does so. What is not mended by then may never be.
	outageLasts = 24 * time.Hour
)

// Outage reports that storage cannot be asked, or that it or this machine is full: nothing is known of the file, and
// time may mend it. A job of long ago is told otherwise.
func (d Deps) Outage(job *rivertype.JobRow, err error) bool {
	if d.Now().Sub(job.CreatedAt) > outageLasts {
		return false
	}

	return errors.Is(err, blob.ErrUnavailable) || errors.Is(err, blob.ErrNoSpace) || errors.Is(err, ffmpeg.ErrDiskFull)
}

// Lost reports that a file which should be there is not.
func Lost(err error) bool { return errors.Is(err, blob.ErrNotFound) || errors.Is(err, blob.ErrBadKey) }
