package listing

import (
	"context"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
)

// User is a user as loaded with something that names one, else read by the id.
func (svc *Service) User(ctx context.Context, loaded *ent.User, id string) (*ent.User, error) {
	if loaded != nil {
		return loaded, nil
	}

	return svc.Store.Client(ctx).User.Get(ctx, id)
}

// WorkspaceOf is the workspace of a membership of the caller, which need not be the one they are in.
func (svc *Service) WorkspaceOf(ctx context.Context, m *ent.Membership) (*ent.Workspace, error) {
	if m.Edges.Workspace != nil {
		return m.Edges.Workspace, nil
	}

	return svc.Store.Client(ctx).Workspace.Get(auth.AsSystem(ctx), m.WorkspaceID)
}

// GroupOf is the group in which a playlist stands; nil when it stands in none.
func (svc *Service) GroupOf(ctx context.Context, p *ent.Playlist) (*ent.PlaylistGroup, error) {
	if p.GroupID == nil || p.Edges.Group != nil {
		return p.Edges.Group, nil
	}

	return svc.Store.Client(ctx).PlaylistGroup.Get(ctx, *p.GroupID)
}

// WorkspaceNode is the workspace with that id, or not_found.
func (svc *Service) WorkspaceNode(ctx context.Context, id string) (*ent.Workspace, error) {
	return Found(svc.Store.Client(ctx).Workspace.Get(ctx, id))
}

// UserNode is the user with that id, or not_found.
func (svc *Service) UserNode(ctx context.Context, id string) (*ent.User, error) {
	return Found(svc.Store.Client(ctx).User.Get(ctx, id))
}
