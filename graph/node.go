package graph

import (
	"context"
	"strings"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
)

// node is the thing with that identifier, as far as the caller may see it, or not_found. Each kind
// goes the way of its own query, so that no right is left out.
func (r *Resolver) node(ctx context.Context, id string) (model.Node, error) {
	kind, _ := ids.KindOf(id)
	if kind == ids.LibraryItem || strings.HasPrefix(id, presetPrefix) {
		return r.libraryItemOf(ctx, id)
	}

	switch kind {
	case ids.Video:
		return r.readableVideo(ctx, id, selection.Of(ctx).On("Video", "Node"))
	case ids.Clip:
		return r.readableClip(ctx, id)
	case ids.Effect:
		return r.readableEffect(ctx, id)
	case ids.Source:
		return r.knownSource(ctx, id, "source")
	case ids.Export:
		return r.exportOf(ctx, id)
	case ids.Playlist:
		return r.readablePlaylistOf(ctx, id, selection.Of(ctx).On("Playlist", "Node"))
	case ids.PlaylistGroup:
		return r.readableGroupOf(ctx, id, selection.Of(ctx).On("PlaylistGroup", "Node"))
	case ids.Tag:
		return r.tagOf(ctx, id, "tag")
	case ids.Endpoint:
		return r.endpointOf(ctx, id)
	case ids.Message:
		return r.messageOf(ctx, id, selection.Of(ctx).On("WebhookMessage", "Node"))
	case ids.Attempt:
		return r.attemptOf(ctx, id)
	case ids.Membership:
		return r.memberNode(ctx, id)
	case ids.Invitation:
		return r.invitationOf(ctx, id)
	case ids.APIKey:
		return r.keyOf(ctx, id)
	case ids.Session:
		return r.sessionOf(ctx, id)
	case ids.Comment:
		return r.commentOf(ctx, id)
	case ids.User:
		return found(r.Store.Client(ctx).User.Get(ctx, id))
	case ids.Workspace:
		return found(r.Store.Client(ctx).Workspace.Get(ctx, id))
	default:
		return nil, fault.NotFound("node")
	}
}

// readableClip is a clip of any video the caller may read.
func (r *Resolver) readableClip(ctx context.Context, id string) (*ent.Clip, error) {
	who, err := viewer(ctx)
	if err != nil {
		return nil, err
	}

	return found(r.Store.Client(ctx).Clip.Query().
		Where(clip.ID(id), clip.HasVideoWith(readable(who))).WithVideo().Only(ctx))
}

// found turns ent's not-found into ours.
func found[T any](row *T, err error) (*T, error) {
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("node")
	}

	return row, err
}

// memberNode is a member of the workspace by the id of the membership.
func (r *Resolver) memberNode(ctx context.Context, id string) (*ent.Membership, error) {
	if _, err := viewer(ctx); err != nil {
		return nil, err
	}

	return found(r.Store.Client(ctx).Membership.Get(ctx, id))
}
