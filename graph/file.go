package graph

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

// file is what was put into storage for a source that is still to be made.
type file struct {
	key    string
	bytes  int64
	sha256 string
}

// putFile stores what a source will consist of. Storage may be slow, so that it is called before anything is
// locked. The file goes again unless the transaction of the request is committed.
func (r *Resolver) putFile(ctx context.Context, extension string, content io.Reader) (file, error) {
	key, err := blob.NewKey("sources", extension)
	if err != nil {
		return file{}, fmt.Errorf("put a file: %w", err)
	}

	apart := context.WithoutCancel(r.Store.Apart(ctx))

	err = r.Store.OnRollback(ctx, func() {
		_ = r.Blobs.Delete(apart, key) // nothing refers to what stays behind
	})
	if err != nil {
		return file{}, fmt.Errorf("put a file: %w", err)
	}

	sum := sha256.New()

	written, err := r.Blobs.Put(ctx, key, io.TeeReader(content, sum))
	if err != nil {
		return file{}, fmt.Errorf("put a file: %w", err)
	}

	return file{key: key, bytes: written.Size, sha256: hex.EncodeToString(sum.Sum(nil))}, nil
}

// sourceOf begins a ready source that consists of a file.
func (r *Resolver) sourceOf(ctx context.Context, f file) *ent.SourceCreate {
	return r.Store.Client(ctx).Source.Create().SetStatus(values.SourceStatusReady).SetReadyAt(r.Store.Now()).
		SetBytes(f.bytes).SetUploadOffset(f.bytes).SetBlobKey(f.key).SetSha256(f.sha256)
}
