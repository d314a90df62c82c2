package upload

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

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

// SourceOf returns a builder for a ready source with the given file.
func (svc *Service) SourceOf(ctx context.Context, f File) *ent.SourceCreate {
	return svc.Store.Client(ctx).Source.Create().SetStatus(values.SourceStatusReady).SetReadyAt(svc.Store.Now()).
		SetBytes(f.bytes).SetUploadOffset(f.bytes).SetBlobKey(f.key).SetSha256(f.sha256)
}
