package graph

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// whoAsks is the person and the workspace the request acts as.
func (r *Resolver) whoAsks(ctx context.Context) (*model.Viewer, error) {
	who, err := viewer(ctx)
	if err != nil {
		return nil, err
	}

	user, err := r.Store.Client(ctx).User.Get(ctx, who.UserID)
	if err != nil {
		return nil, fmt.Errorf("read user: %w", err)
	}

	workspace, err := r.ownWorkspace(ctx)
	if err != nil {
		return nil, err
	}

	return &model.Viewer{User: user, Workspace: workspace, Role: who.Role}, nil
}

// updateUser changes the caller's own account.
func (r *Resolver) updateUser(ctx context.Context, in model.UpdateUserInput) (*ent.User, error) {
	return store.Write(ctx, r.Store, &in, func(ctx context.Context) (*ent.User, error) {
		who, err := viewer(ctx)
		if err != nil {
			return nil, err
		}

		change := r.Store.Client(ctx).User.UpdateOneID(who.UserID)
		if name := in.Name.Value(); name != nil {
			change.SetName(*name)
		}

		changed, err := change.Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("update user: %w", err)
		}

		return changed, nil
	})
}

// updatePreferences changes what the caller likes.
func (r *Resolver) updatePreferences(ctx context.Context, in model.UpdatePreferencesInput) (*ent.User, error) {
	return store.Write(ctx, r.Store, &in, func(ctx context.Context) (*ent.User, error) {
		who, err := viewer(ctx)
		if err != nil {
			return nil, err
		}

		change := r.Store.Client(ctx).User.UpdateOneID(who.UserID)

		if intro := in.LayoutIntroTransition.Value(); intro != nil {
			change.SetLayoutIntro(*intro)
		}

		if outro := in.LayoutOutroTransition.Value(); outro != nil {
			change.SetLayoutOutro(*outro)
		}

		changed, err := change.Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("update preferences: %w", err)
		}

		return changed, nil
	})
}
