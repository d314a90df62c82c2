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

// node returns the object with that id if the caller may see it; otherwise not_found. Each kind uses its own query,
// so that all its access rules apply.
func (s *Services) node(ctx context.Context, id string) (model.Node, error) {
	kind, _ := ids.KindOf(id)
	if kind == ids.LibraryItem || strings.HasPrefix(id, library.PresetPrefix) {
		return s.Library.LibraryItemOf(ctx, id)
	}

	switch kind {
	case ids.Video:
		return s.Listing.Rights().ReadableVideo(ctx, id, selection.Of(ctx).On("Video", "Node"))
	case ids.Clip:
		return s.Listing.Rights().ReadableClip(ctx, id)
	case ids.Effect:
		return s.Listing.Effects().ReadableEffect(ctx, id)
	case ids.Source:
		return s.Listing.Rights().KnownSource(ctx, id, "source")
	case ids.Export:
		return s.Exports.ExportOf(ctx, id)
	case ids.Playlist:
		return s.Playlists.ReadablePlaylistOf(ctx, id, selection.Of(ctx).On("Playlist", "Node"))
	case ids.PlaylistGroup:
		return s.Playlists.ReadableGroupOf(ctx, id, selection.Of(ctx).On("PlaylistGroup", "Node"))
	case ids.Tag:
		return s.Videos.Tags().TagOf(ctx, id, "tag")
	case ids.Endpoint:
		return s.Webhooks.EndpointOf(ctx, id)
	case ids.Message:
		return s.Webhooks.MessageOf(ctx, id, selection.Of(ctx).On("WebhookMessage", "Node"))
	case ids.Attempt:
		return s.Webhooks.AttemptOf(ctx, id)
	case ids.Membership:
		return s.Accounts.MemberNode(ctx, id)
	case ids.Invitation:
		return s.Accounts.Invitations().InvitationOf(ctx, id)
	case ids.APIKey:
		return s.Accounts.Keys().KeyOf(ctx, id)
	case ids.Session:
		return s.Accounts.Sessions().SessionOf(ctx, id)
	case ids.Comment:
		return s.Comments.CommentOf(ctx, id)
	case ids.User:
		return s.Listing.UserNode(ctx, id)
	case ids.Workspace:
		return s.Listing.WorkspaceNode(ctx, id)
	default:
		return nil, fault.NotFound("node")
	}
}
