package account

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// WhoAsks returns the person and the workspace on whose behalf the request runs.
func (svc *Service) WhoAsks(ctx context.Context) (*model.Viewer, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	user, err := svc.Store.Client(ctx).User.Get(ctx, who.UserID)
	if err != nil {
		return nil, fmt.Errorf("read user: %w", err)
	}

	workspace, err := svc.OwnWorkspace(ctx)
	if err != nil {
		return nil, err
	}

	return &model.Viewer{User: user, Workspace: workspace, Role: who.Role}, nil
}

// UpdateUser changes the caller's own account.
func (svc *Service) UpdateUser(ctx context.Context, in model.UpdateUserInput) (*ent.User, error) {
	return store.Write(ctx, svc.Store, &in, func(ctx context.Context) (*ent.User, error) {
		who, err := access.Viewer(ctx)
		if err != nil {
			return nil, err
		}

		change := svc.Store.Client(ctx).User.UpdateOneID(who.UserID)
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

// UpdatePreferences changes the caller's preferences.
func (svc *Service) UpdatePreferences(ctx context.Context, in model.UpdatePreferencesInput) (*ent.User, error) {
	return store.Write(ctx, svc.Store, &in, func(ctx context.Context) (*ent.User, error) {
		who, err := access.Viewer(ctx)
		if err != nil {
			return nil, err
		}

		change := svc.Store.Client(ctx).User.UpdateOneID(who.UserID)

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
