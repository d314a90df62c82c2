package upload

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// File is a stored file from which a source is about to be made.
type File struct {
	key    string
	bytes  int64
	sha256 string
}

// PutFile stores the file of a source that is created later. Call it before locking any row, because storage may be
// slow. If the request's transaction does not commit, the file is deleted.
func (svc *Service) PutFile(ctx context.Context, extension string, content io.Reader) (File, error) {
	key, err := blob.NewKey("sources", extension)
	if err != nil {
		return File{}, fmt.Errorf("store file: %w", err)
	}

	apart := context.WithoutCancel(svc.Store.Apart(ctx))

	err = svc.Store.OnRollback(ctx, func() {
		_ = svc.Blobs.Delete(apart, key) // no row refers to a file that remains
	})
	if err != nil {
		return File{}, fmt.Errorf("store file: %w", err)
	}

	sum := sha256.New()

	written, err := svc.Blobs.Put(ctx, key, io.TeeReader(content, sum))
	if err != nil {
		return File{}, fmt.Errorf("store file: %w", err)
	}

	return File{key: key, bytes: written.Size, sha256: hex.EncodeToString(sum.Sum(nil))}, nil
}

// probeWithin is how long Fill waits for the probe of a source, which waits behind those of others.
const probeWithin = 10 * time.Minute

// Fill stores the bytes of a source of the caller that this process has made, and waits until they are probed. Do not
// call it in a transaction. It returns an error if the source is not usable then.
func (svc *Service) Fill(ctx context.Context, id string, content []byte) error {
	src, err := svc.ownSource(ctx, id)
	if err != nil {
		return err
	}

	key, err := blob.NewKey("sources", "")
	if err != nil {
		return fmt.Errorf("store file: %w", err)
	}

	if err := svc.Blobs.Room(int64(len(content))); err != nil {
		return fmt.Errorf("check free disk space: %w", err)
	}

	desk := svc.Intake()
	if err := desk.Expect(ctx, src, key, func(*ent.SourceUpdate) {}); err != nil {
		return err
	}

	written, err := svc.Blobs.Put(ctx, key, bytes.NewReader(content))
	if err != nil {
		return errors.Join(fmt.Errorf("store file: %w", err), desk.Release(ctx, src))
	}

	sum := sha256.Sum256(content)

	err = desk.Complete(ctx, src, func(u *ent.SourceUpdate) {
		u.SetBlobKey(key).SetBytes(written.Size).SetSha256(hex.EncodeToString(sum[:])).
			SetUploadOffset(written.Size).SetUploadLength(written.Size).ClearUploadExpiresAt()
	})
	if err != nil {
		return err // if it is not the file of the source, the job that Expect added deletes it
	}

	return svc.awaitUsable(ctx, id)
}

// awaitUsable waits until a source is probed, and returns an error if it is not usable then.
func (svc *Service) awaitUsable(ctx context.Context, id string) error {
	ctx, cancel := context.WithTimeout(ctx, probeWithin)
	defer cancel()

	for {
		found, err := svc.Intake().Await(ctx, id, func(ctx context.Context) (*ent.Source, error) {
			return svc.Store.Client(ctx).Source.Get(ctx, id)
		})
		if err != nil {
			return fmt.Errorf("wait for the probe of source %s: %w", id, err)
		}

		if found.Status != values.SourceStatusProcessing {
			return UsableState(found, "sourceId")
		}
	}
}

// SourceOf returns a builder for a ready source with the given file.
func (svc *Service) SourceOf(ctx context.Context, f File) *ent.SourceCreate {
	return svc.Store.Client(ctx).Source.Create().SetStatus(values.SourceStatusReady).SetReadyAt(svc.Store.Now()).
		SetBytes(f.bytes).SetUploadOffset(f.bytes).SetBlobKey(f.key).SetSha256(f.sha256)
}
