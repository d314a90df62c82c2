package listing

import (
	"context"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
)

// User returns the user with the given id. If loaded is not nil, it returns loaded instead of reading the user.
func (svc *Service) User(ctx context.Context, loaded *ent.User, id string) (*ent.User, error) {
	if loaded != nil {
		return loaded, nil
	}

	return svc.Store.Client(ctx).User.Get(ctx, id)
}

// WorkspaceOf returns the workspace of one of the caller's memberships. It may be a workspace other than the current
// one.
func (svc *Service) WorkspaceOf(ctx context.Context, m *ent.Membership) (*ent.Workspace, error) {
	if m.Edges.Workspace != nil {
		return m.Edges.Workspace, nil
	}

	return svc.Store.Client(ctx).Workspace.Get(auth.AsSystem(ctx), m.WorkspaceID)
}

// GroupOf returns the group of a playlist, or nil if the playlist is in no group.
func (svc Playlists) GroupOf(ctx context.Context, p *ent.Playlist) (*ent.PlaylistGroup, error) {
	if p.GroupID == nil || p.Edges.Group != nil {
		return p.Edges.Group, nil
	}

	return svc.Store.Client(ctx).PlaylistGroup.Get(ctx, *p.GroupID)
}

// WorkspaceNode returns the workspace with that id, or not_found.
func (svc *Service) WorkspaceNode(ctx context.Context, id string) (*ent.Workspace, error) {
	return Found(svc.Store.Client(ctx).Workspace.Get(ctx, id))
}

// UserNode returns the user with that id, or not_found.
func (svc *Service) UserNode(ctx context.Context, id string) (*ent.User, error) {
	return Found(svc.Store.Client(ctx).User.Get(ctx, id))
}
