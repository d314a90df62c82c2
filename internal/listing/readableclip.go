package listing

import (
	"context"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/internal/access"
)

// ReadableClip returns a clip of any video that the caller may read, or not_found.
func (svc Rights) ReadableClip(ctx context.Context, id string) (*ent.Clip, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	return Found(svc.Store.Client(ctx).Clip.Query().
		Where(clip.ID(id), clip.HasVideoWith(access.Readable(who))).WithVideo().Only(ctx))
}
