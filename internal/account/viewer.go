package account

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/values"
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

// UpdateUser changes the caller's own account. It returns not_found or forbidden for an image that the caller may not
// use.
func (svc *Service) UpdateUser(ctx context.Context, in model.UpdateUserInput) (*ent.User, error) {
	if err := input.Validate(&in); err != nil {
		return nil, err
	}

	if id := in.AvatarSourceID.Value(); id != nil {
		if _, err := svc.Upload.ReadySource(ctx, *id, values.SourceKindImage, "avatarSourceId"); err != nil {
			return nil, err
		}
	}

	return store.Write(ctx, svc.Store, nil, func(ctx context.Context) (*ent.User, error) {
		who, err := access.Viewer(ctx)
		if err != nil {
			return nil, err
		}

		change := svc.Store.Client(ctx).User.UpdateOneID(who.UserID)
		if name := in.Name.Value(); name != nil {
			change.SetName(*name)
		}

		if err := svc.setAvatar(ctx, change, in); err != nil {
			return nil, err
		}

		changed, err := change.Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("update user: %w", err)
		}

		return changed, nil
	})
}

// setAvatar sets or removes the picture of a person, if the input says so.
func (svc *Service) setAvatar(ctx context.Context, change *ent.UserUpdateOne, in model.UpdateUserInput) error {
	id, set := in.AvatarSourceID.ValueOK()

	switch {
	case !set:
		return nil
	case id == nil:
		change.ClearAvatarSourceID()

		return nil
	default:
		change.SetAvatarSourceID(*id)

		return svc.Listing.Rights().HoldSource(ctx, *id, "source at avatarSourceId")
	}
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
