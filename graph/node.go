package graph

import (
	"context"
	"strings"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/library"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
)

// node is the thing with that identifier, as far as the caller may see it, or not_found. Each kind
// goes the way of its own query, so that no right is left out.
func (r *Resolver) node(ctx context.Context, id string) (model.Node, error) {
	kind, _ := ids.KindOf(id)
	if kind == ids.LibraryItem || strings.HasPrefix(id, library.PresetPrefix) {
		return r.Services.Library.LibraryItemOf(ctx, id)
	}

	switch kind {
	case ids.Video:
		return r.Services.Listing.ReadableVideo(ctx, id, selection.Of(ctx).On("Video", "Node"))
	case ids.Clip:
		return r.Services.Listing.ReadableClip(ctx, id)
	case ids.Effect:
		return r.Services.Listing.ReadableEffect(ctx, id)
	case ids.Source:
		return r.Services.Listing.KnownSource(ctx, id, "source")
	case ids.Export:
		return r.Services.Exports.ExportOf(ctx, id)
	case ids.Playlist:
		return r.Services.Playlists.ReadablePlaylistOf(ctx, id, selection.Of(ctx).On("Playlist", "Node"))
	case ids.PlaylistGroup:
		return r.Services.Playlists.ReadableGroupOf(ctx, id, selection.Of(ctx).On("PlaylistGroup", "Node"))
	case ids.Tag:
		return r.Services.Videos.TagOf(ctx, id, "tag")
	case ids.Endpoint:
		return r.Services.Webhooks.EndpointOf(ctx, id)
	case ids.Message:
		return r.Services.Webhooks.MessageOf(ctx, id, selection.Of(ctx).On("WebhookMessage", "Node"))
	case ids.Attempt:
		return r.Services.Webhooks.AttemptOf(ctx, id)
	case ids.Membership:
		return r.Services.Accounts.MemberNode(ctx, id)
	case ids.Invitation:
		return r.Services.Accounts.InvitationOf(ctx, id)
	case ids.APIKey:
		return r.Services.Accounts.KeyOf(ctx, id)
	case ids.Session:
		return r.Services.Accounts.SessionOf(ctx, id)
	case ids.Comment:
		return r.Services.Comments.CommentOf(ctx, id)
	case ids.User:
		return r.Services.Listing.UserNode(ctx, id)
	case ids.Workspace:
		return r.Services.Listing.WorkspaceNode(ctx, id)
	default:
		return nil, fault.NotFound("node")
	}
}
