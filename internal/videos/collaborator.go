package videos

import (
	"context"
	"fmt"
	"strings"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/collaborator"
	"github.com/reelgraph/reelgraph/ent/membership"
	"github.com/reelgraph/reelgraph/ent/user"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// CollaboratorPage returns a page of a video's collaborators, oldest first.
func (svc Collaborators) CollaboratorPage(
	ctx context.Context, v *ent.Video, size int, after *string,
) (*model.CollaboratorConnection, error) {
	query := func(ctx context.Context, only func(*sql.Selector)) *ent.CollaboratorQuery {
		q := svc.Store.Client(ctx).Collaborator.Query().Where(collaborator.VideoID(v.ID)).WithUser()
		q.Modify(only)

		return q
	}
	guests := paging.Sequence[*ent.Collaborator]{
		Service: svc.Listing.Paging, Name: "collaborators|" + v.ID, What: "collaborators", Column: collaborator.FieldID, // ids sort by creation
		At: func(c *ent.Collaborator) (any, string) { return c.ID, c.ID },
		All: func(ctx context.Context, only func(*sql.Selector)) paging.Listing[*ent.Collaborator] {
			return query(ctx, only)
		},
		Whole: func(ctx context.Context, only func(*sql.Selector)) paging.Counting { return query(ctx, only) },
	}

	if rows, known := listing.ListBelow[*ent.Collaborator](v, listing.ListName("collaborators", size)); known && after == nil {
		return guests.PageOf(rows, size, listing.TotalOf(rows)), nil
	}

	return guests.Page(ctx, size, after)
}

// ownersOf refuses callers who may not manage the video's collaborators.
func ownersOf(who auth.Viewer, v *ent.Video) error {
	if access.Governs(who, v) {
		return nil
	}

	return fault.Forbidden("Only the video's creator, owners and admins may change its collaborators.")
}

// AddCollaborator makes a member of the workspace a collaborator. If the member is already a collaborator, it changes
// the role.
func (svc Collaborators) AddCollaborator(
	ctx context.Context, videoID string, in model.AddCollaboratorInput,
) (*model.AddCollaboratorPayload, error) {
	return store.Write(ctx, svc.Store, &in, func(ctx context.Context) (*model.AddCollaboratorPayload, error) {
		v, err := svc.Listing.Rights().EditableVideo(ctx, videoID, ownersOf)
		if err != nil {
			return nil, err
		}

		member, err := svc.Store.Client(ctx).User.Query().Where(
			user.Email(strings.ToLower(in.Email)), user.HasMembershipsWith(membership.WorkspaceID(v.WorkspaceID))).Only(ctx)
		if ent.IsNotFound(err) {
			return nil, fault.Invalid([]fault.Field{{Path: "email", Rule: "must be the email address of a member of the workspace"}})
		}

		if err != nil {
			return nil, fmt.Errorf("read member: %w", err)
		}

		if member.ID == v.UserID {
			return nil, errCreator()
		}

		guest, err := svc.guestOf(ctx, v, member.ID)

		switch {
		case fault.Is(err, fault.NotFoundCode):
			now := svc.Store.Now()

			guest, err = svc.Store.Client(ctx).Collaborator.Create().SetVideo(v).SetUser(member).SetRole(in.Role).
				SetCreatedAt(now).SetUpdatedAt(now).Save(ctx)
			if err != nil {
				return nil, fmt.Errorf("add collaborator: %w", err)
			}

			guest.Edges.User = member
		case err != nil:
			return nil, err
		default:
			if guest, err = svc.setRole(ctx, guest, in.Role); err != nil {
				return nil, err
			}
		}

		return &model.AddCollaboratorPayload{Collaborator: guest, Video: v}, nil
	})
}

// errCreator refuses to make a video's creator a collaborator.
func errCreator() error { return fault.Conflict("The video's creator cannot be a collaborator.") }

// guestOf returns a collaborator of a video, or not_found.
func (svc Collaborators) guestOf(ctx context.Context, v *ent.Video, userID string) (*ent.Collaborator, error) {
	found, err := svc.Store.Client(ctx).Collaborator.Query().
		Where(collaborator.VideoID(v.ID), collaborator.UserID(userID)).WithUser().Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("collaborator")
	}

	if err != nil {
		return nil, fmt.Errorf("read collaborator: %w", err)
	}

	return found, nil
}

func (svc Collaborators) setRole(ctx context.Context, guest *ent.Collaborator, role values.CollaboratorRole) (*ent.Collaborator, error) {
	if guest.Role == role {
		return guest, nil
	}

	changed, err := svc.Store.Client(ctx).Collaborator.UpdateOneID(guest.ID).SetRole(role).SetUpdatedAt(svc.Store.Now()).Save(ctx)
	if err != nil {
		return nil, fmt.Errorf("update collaborator: %w", err)
	}

	changed.Edges.User = guest.Edges.User

	return changed, nil
}

// UpdateCollaborator changes a collaborator's role. It returns a conflict for the video's creator, who is not a
// collaborator.
func (svc Collaborators) UpdateCollaborator(
	ctx context.Context, videoID, userID string, in model.UpdateCollaboratorInput,
) (*model.UpdateCollaboratorPayload, error) {
	return store.Write(ctx, svc.Store, &in, func(ctx context.Context) (*model.UpdateCollaboratorPayload, error) {
		v, err := svc.Listing.Rights().LockedVideo(ctx, videoID)
		if err != nil {
			return nil, err
		}

		guest, missing := svc.guestOf(ctx, v, userID)
		if missing != nil && userID != v.UserID {
			return nil, missing
		}

		if err := svc.Listing.Rights().RefuseEdit(ctx, v, ownersOf); err != nil {
			return nil, err
		}

		if userID == v.UserID {
			return nil, errCreator()
		}

		if guest, err = svc.setRole(ctx, guest, in.Role); err != nil {
			return nil, err
		}

		return &model.UpdateCollaboratorPayload{Collaborator: guest, Video: v}, nil
	})
}

// RemoveCollaborator removes a collaborator from a video.
func (svc Collaborators) RemoveCollaborator(ctx context.Context, videoID, userID string) (*ent.Video, error) {
	return store.Write(ctx, svc.Store, nil, func(ctx context.Context) (*ent.Video, error) {
		v, err := svc.Listing.Rights().LockedVideo(ctx, videoID)
		if err != nil {
			return nil, err
		}

		guest, err := svc.guestOf(ctx, v, userID)
		if err != nil {
			return nil, err
		}

		if err := svc.Listing.Rights().RefuseEdit(ctx, v, ownersOf); err != nil {
			return nil, err
		}

		if err := svc.Store.Client(ctx).Collaborator.DeleteOneID(guest.ID).Exec(ctx); err != nil {
			return nil, fmt.Errorf("remove collaborator: %w", err)
		}

		return v, nil
	})
}
