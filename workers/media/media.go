// Package media contains what the workers for media share: their dependencies, and the functions that change the rows
// and files of sources, extracts and exports together. Start with Deps.
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

// Deps holds the dependencies of the media workers. Every field except Rendered and Speech is required.
type Deps struct {
	Addresses signedurl.Book
	Blobs     blob.Store
	// Cache keeps finished pieces of exports on this machine: CacheBytes of them, plus those that running exports
	// use.
	Cache      encode.DirCache
	CacheBytes int64
	Clock      func() time.Time
	// DiskReserve is how many bytes of disk exports must leave free; zero means none.
	DiskReserve int64
	Engine      *encode.Engine
	Locks       *queue.Locks
	Logger      *slog.Logger
	Queue       *jobs.Queue
	Rendered    func(length time.Duration) // called with the length of each finished export; may be nil
	Speech      speech.Provider            // nil without speech recognition
	Store       *store.Store
	Topics      *store.Topics
}

// OurFault returns a problem whose cause the owner of a source or an export cannot fix. The cause appears only in the
// log. The argument "what" is what the owner should do again, such as "upload the file".
func OurFault(what string) event.Problem {
	return event.Problem{Code: "server_error", Message: "Something went wrong on our side. Please " + what + " again."}
}

// Now returns the current time with the precision at which it is stored.
func (d Deps) Now() time.Time { return d.Clock().UTC().Truncate(time.Millisecond) }

// Local returns a source, or the part of it that has been uploaded, as a local file. The caller must release the
// file.
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

// LocalFile returns a file that belongs to no source as a local file. The caller must release the file.
func (d Deps) LocalFile(ctx context.Context, key string) (path string, release func(), err error) {
	path, release, err = d.bring(ctx, key, blob.Local)
	if err != nil {
		return "", nil, fmt.Errorf("fetch a file: %w", err)
	}

	return path, release, nil
}

// bring makes a file local with how, a method of blob. A copy is put in a folder that is cleared after a crash.
func (d Deps) bring(
	ctx context.Context, key string,
	how func(ctx context.Context, s blob.Store, key, dir string) (path string, release func(), err error),
) (path string, release func(), err error) {
	if _, there := d.Blobs.Path(key); there {
		return how(ctx, d.Blobs, key, "") //nolint:wrapcheck // the caller says whose file it is
	}

	dir, discard, err := d.Engine.Scratch()
	if err != nil {
		return "", nil, fmt.Errorf("create a folder for a copy: %w", err)
	}

	release = func() {
		if err := discard(); err != nil {
			d.Logger.ErrorContext(ctx, "cannot remove a local copy", slog.String("folder", dir), slog.Any("error", err))
		}
	}

	path, _, err = how(ctx, d.Blobs, key, dir)
	if err != nil {
		release()
	}

	return path, release, err //nolint:wrapcheck // as above
}

// Remove deletes a file that is no longer referenced. It only logs errors, because a file that remains uses space but
// does no harm.
func (d Deps) Remove(ctx context.Context, key string) {
	if key == "" {
		return
	}

	if err := d.Blobs.Delete(context.WithoutCancel(ctx), key); err != nil {
		d.Logger.ErrorContext(ctx, "cannot remove a file", slog.String("blob", key), slog.Any("error", err))
	}
}

const (
	// OutageSnooze is how long a job waits when the storage is unavailable or full. It does not use up an attempt.
	OutageSnooze = time.Minute
	// outageLasts is how long a job keeps waiting before it fails.
	outageLasts = 24 * time.Hour
)

// Outage reports whether the error may disappear if the job is tried later: the storage is unavailable, or the
// storage or the disk of this machine is full. It returns false if the job is older than outageLasts.
func (d Deps) Outage(job *rivertype.JobRow, err error) bool {
	if d.Now().Sub(job.CreatedAt) > outageLasts {
		return false
	}

	return errors.Is(err, blob.ErrUnavailable) || errors.Is(err, blob.ErrNoSpace) || errors.Is(err, ffmpeg.ErrDiskFull)
}

// Lost reports whether the error means that a file which should exist is missing.
func Lost(err error) bool { return errors.Is(err, blob.ErrNotFound) || errors.Is(err, blob.ErrBadKey) }
