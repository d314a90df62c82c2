package graph

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/library"
	"github.com/reelgraph/reelgraph/internal/paging"
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

// mostNodes is how many objects nodes returns at once.
const mostNodes = 100

// nodes returns the objects with these ids, in the order of the ids, and nil for those that do not exist or that the
// caller may not see. The objects of one kind are read together.
func (s *Services) nodes(ctx context.Context, named []string) ([]model.Node, error) {
	if len(named) > mostNodes {
		return nil, fault.Invalid([]fault.Field{{Path: "ids", Rule: fmt.Sprintf("must have at most %d items", mostNodes)}})
	}

	if _, err := access.Viewer(ctx); err != nil {
		return nil, err
	}

	byKind := map[ids.Kind][]string{}

	for _, id := range named {
		kind, _ := ids.KindOf(id)

		switch {
		case strings.HasPrefix(id, library.PresetPrefix):
			kind = ids.LibraryItem
		case !ids.Is(kind, id):
			continue
		}

		if !slices.Contains(byKind[kind], id) {
			byKind[kind] = append(byKind[kind], id)
		}
	}

	found := map[string]model.Node{}

	for kind, some := range byKind {
		objects, err := s.ofKind(ctx, kind, some, selection.Of(ctx))
		if err != nil {
			return nil, err
		}

		maps.Copy(found, objects)
	}

	all := make([]model.Node, len(named))
	for i, id := range named {
		all[i] = found[id]
	}

	return all, nil
}

// ofKind returns those of the named objects of one kind that the caller may see, by id. It applies the rules of node.
func (s *Services) ofKind(ctx context.Context, kind ids.Kind, named []string, sel selection.Tree) (map[string]model.Node, error) {
	switch kind {
	case ids.Video:
		return byID(s.Listing.Rights().VideosNamed(ctx, named, sel.On("Video", "Node")))
	case ids.Clip:
		return byID(s.Listing.Rights().ClipsNamed(ctx, named, sel.On("Clip", "Node")))
	case ids.Effect:
		return s.Listing.Effects().EffectsNamed(ctx, named)
	case ids.Source:
		known, err := s.Listing.Rights().KnownSources(ctx, named)

		return byID(slices.Collect(maps.Values(known)), err)
	case ids.Export:
		return byID(s.Exports.ExportsNamed(ctx, named, sel.On("Export", "Node")))
	case ids.Playlist:
		return byID(s.Playlists.PlaylistsNamed(ctx, named, sel.On("Playlist", "Node")))
	case ids.PlaylistGroup:
		return byID(s.Playlists.GroupsNamed(ctx, named, sel.On("PlaylistGroup", "Node")))
	case ids.Tag:
		return byID(s.Videos.Tags().TagsNamed(ctx, named))
	case ids.Endpoint:
		return byID(s.Webhooks.EndpointsNamed(ctx, named, sel.On("WebhookEndpoint", "Node")))
	case ids.Message:
		return byID(s.Webhooks.MessagesNamed(ctx, named, sel.On("WebhookMessage", "Node")))
	case ids.Attempt:
		return byID(s.Webhooks.AttemptsNamed(ctx, named, sel.On("WebhookAttempt", "Node")))
	case ids.Membership:
		return byID(s.Accounts.MembersNamed(ctx, named, sel.On("Member", "Node")))
	case ids.Invitation:
		return s.Accounts.Invitations().InvitationsNamed(ctx, named)
	case ids.APIKey:
		return byID(s.Accounts.Keys().KeysNamed(ctx, named))
	case ids.Session:
		return byID(s.Accounts.Sessions().SessionsNamed(ctx, named))
	case ids.Comment:
		return byID(s.Comments.CommentsNamed(ctx, named))
	case ids.LibraryItem:
		return s.Library.ItemsNamed(ctx, named)
	case ids.User:
		return byID(s.Listing.UsersNamed(ctx, named))
	case ids.Workspace:
		return byID(s.Listing.WorkspacesNamed(ctx, named))
	default:
		return nil, nil //nolint:nilnil // objects of other kinds are no nodes
	}
}

// byID returns rows as nodes, by id.
func byID[T paging.Entity](rows []T, err error) (map[string]model.Node, error) {
	found := make(map[string]model.Node, len(rows))

	for _, row := range rows {
		id, _ := row.Below()
		found[id] = row
	}

	return found, err
}
