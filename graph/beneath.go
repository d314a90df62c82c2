package graph

import (
	"context"
	"fmt"
	"strings"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/ent/effect"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/beneath"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
)

// onClip runs an edit of a clip, which the graph names by its id alone, in the video it is of. base is the revision that
// the caller has seen; nil is any. What is wrong with the input is said before the clip is looked for.
func onClip[T any](
	ctx context.Context, r *Resolver, clipID string, base *int64, given any,
	edit func(ctx context.Context, videoID string) (T, error),
) (T, error) {
	var none T

	if err := input.Validate(given); err != nil {
		return none, err
	}

	videoID, err := r.videoIDOf(ctx, clipID)
	if err != nil {
		return none, err
	}

	return edit(middleware.Based(ctx, base), videoID)
}

// videoIDOf is the video in which a clip has to be, or which it is of, if the caller may read that; not_found otherwise.
func (r *Resolver) videoIDOf(ctx context.Context, clipID string) (string, error) {
	if at, named := beneath.Of(ctx); named {
		return at.VideoID, nil
	}

	who, err := viewer(ctx)
	if err != nil {
		return "", err
	}

	if !ids.Is(ids.Clip, clipID) {
		return "", fault.NotFound("clip")
	}

	found, err := r.Store.Client(ctx).Clip.Query().Where(clip.ID(clipID), clip.HasVideoWith(readable(who))).
		Select(clip.FieldID, clip.FieldVideoID).Only(ctx)
	if ent.IsNotFound(err) {
		return "", fault.NotFound("clip")
	}

	if err != nil {
		return "", fmt.Errorf("read clip: %w", err)
	}

	return found.VideoID, nil
}

// clipNamed is a clip of a video the caller may read, with its video, or not_found.
func (r *Resolver) clipNamed(ctx context.Context, id string) (*ent.Clip, error) {
	if at, named := beneath.Of(ctx); named {
		if _, err := r.readableVideo(ctx, at.VideoID, selection.Fields("id")); err != nil {
			return nil, err
		}

		return r.clipOf(ctx, at.VideoID, id)
	}

	c, err := r.readableClip(ctx, id)
	if fault.Is(err, fault.NotFoundCode) {
		err = fault.NotFound("clip")
	}

	return c, err
}

// placeOfEffect is where an effect has to be, or where it is, if the caller may read that; not_found otherwise.
func (r *Resolver) placeOfEffect(ctx context.Context, id string) (beneath.Place, error) {
	if at, named := beneath.Of(ctx); named {
		return at, nil
	}

	who, err := viewer(ctx)
	if err != nil {
		return beneath.Place{}, err
	}

	if !ids.Is(ids.Effect, id) {
		return beneath.Place{}, fault.NotFound("effect")
	}

	found, err := r.Store.Client(ctx).Effect.Query().
		Where(effect.ID(id), effect.HasClipWith(clip.HasVideoWith(readable(who)))).
		WithClip(func(q *ent.ClipQuery) { q.Select(clip.FieldID, clip.FieldVideoID) }).
		Select(effect.FieldID, effect.FieldClipID).Only(ctx)

	switch {
	case err == nil:
		return beneath.Place{VideoID: found.Edges.Clip.VideoID, ClipID: found.ClipID}, nil
	case !ent.IsNotFound(err):
		return beneath.Place{}, fmt.Errorf("read effect: %w", err)
	}

	clipID := clipOfBase(id)

	videoID, err := r.videoIDOf(ctx, clipID)
	if fault.Is(err, fault.NotFoundCode) {
		err = fault.NotFound("effect")
	}

	return beneath.Place{VideoID: videoID, ClipID: clipID}, err
}

// clipOfBase is the clip whose base layout has the id, if it is that of a base layout at all.
func clipOfBase(id string) string {
	return string(ids.Clip) + strings.TrimPrefix(id, string(ids.Effect))
}
