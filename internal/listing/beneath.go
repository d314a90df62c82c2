package listing

import (
	"context"
	"fmt"
	"strings"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/ent/effect"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
)

// OnClip calls edit with the id of the video that contains the clip. Edits of clips need it because a GraphQL request
// names only the clip. base is the revision of the video that the client knows; nil accepts any revision. If the
// input given is invalid, OnClip reports this before it looks up the clip.
func OnClip[T any](
	ctx context.Context, r *Service, clipID string, base *int64, given any,
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

// videoIDOf returns the id of a clip's video. If the context already names the video, it returns that id. Otherwise
// it looks up the clip, and returns not_found if the caller may not read its video.
func (svc *Service) videoIDOf(ctx context.Context, clipID string) (string, error) {
	if at, named := model.PlaceOf(ctx); named {
		return at.VideoID, nil
	}

	who, err := access.Viewer(ctx)
	if err != nil {
		return "", err
	}

	if !ids.Is(ids.Clip, clipID) {
		return "", fault.NotFound("clip")
	}

	found, err := svc.Store.Client(ctx).Clip.Query().Where(clip.ID(clipID), clip.HasVideoWith(access.Readable(who))).
		Select(clip.FieldID, clip.FieldVideoID).Only(ctx)
	if ent.IsNotFound(err) {
		return "", fault.NotFound("clip")
	}

	if err != nil {
		return "", fmt.Errorf("read clip: %w", err)
	}

	return found.VideoID, nil
}

// ClipNamed returns a clip with its video. It returns not_found if the caller may not read the video.
func (svc *Service) ClipNamed(ctx context.Context, id string) (*ent.Clip, error) {
	if at, named := model.PlaceOf(ctx); named {
		if _, err := svc.Rights().ReadableVideo(ctx, at.VideoID, selection.Fields("id")); err != nil {
			return nil, err
		}

		return svc.ClipOf(ctx, at.VideoID, id)
	}

	c, err := svc.Rights().ReadableClip(ctx, id)
	if fault.Is(err, fault.NotFoundCode) {
		err = fault.NotFound("clip")
	}

	return c, err
}

// PlaceOfEffect returns the video and the clip of an effect. If the context already names the video and the clip, it
// returns those. Otherwise it looks up the effect, and returns not_found if the caller may not read the video.
func (svc *Service) PlaceOfEffect(ctx context.Context, id string) (model.Place, error) {
	if at, named := model.PlaceOf(ctx); named {
		return at, nil
	}

	who, err := access.Viewer(ctx)
	if err != nil {
		return model.Place{}, err
	}

	if !ids.Is(ids.Effect, id) {
		return model.Place{}, fault.NotFound("effect")
	}

	found, err := svc.Store.Client(ctx).Effect.Query().
		Where(effect.ID(id), effect.HasClipWith(clip.HasVideoWith(access.Readable(who)))).
		WithClip(func(q *ent.ClipQuery) { q.Select(clip.FieldID, clip.FieldVideoID) }).
		Select(effect.FieldID, effect.FieldClipID).Only(ctx)

	switch {
	case err == nil:
		return model.Place{VideoID: found.Edges.Clip.VideoID, ClipID: found.ClipID}, nil
	case !ent.IsNotFound(err):
		return model.Place{}, fmt.Errorf("read effect: %w", err)
	}

	clipID := ClipOfBase(id)

	videoID, err := svc.videoIDOf(ctx, clipID)
	if fault.Is(err, fault.NotFoundCode) {
		err = fault.NotFound("effect")
	}

	return model.Place{VideoID: videoID, ClipID: clipID}, err
}

// ClipOfBase returns the id of the clip whose base layout has the given id. It does not check
// that the clip exists.
func ClipOfBase(id string) string {
	return string(ids.Clip) + strings.TrimPrefix(id, string(ids.Effect))
}
