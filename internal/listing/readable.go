package listing

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
)

// ReadableVideo returns the video with the given id, with the selected fields. It returns not_found if the caller may
// not read the video.
func (svc Rights) ReadableVideo(ctx context.Context, id string, sel selection.Tree) (*ent.Video, error) {
	v, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	if !ids.Is(ids.Video, id) {
		return nil, fault.NotFound("video")
	}

	q := svc.Store.Client(ctx).Video.Query().Where(video.ID(id), access.Readable(v))
	svc.listing.SelectVideo(v, q, sel)

	found, err := q.Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("video")
	}

	if err != nil {
		return nil, fmt.Errorf("read video: %w", err)
	}

	return found, nil
}

// ReadableClip returns a clip of any video that the caller may read, or not_found.
func (svc Rights) ReadableClip(ctx context.Context, id string) (*ent.Clip, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	return Found(svc.Store.Client(ctx).Clip.Query().
		Where(clip.ID(id), clip.HasVideoWith(access.Readable(who))).WithVideo().Only(ctx))
}
