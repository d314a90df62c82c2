package graph

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
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// collaboratorPage is a page of a video's collaborators, the first one first.
func (r *Resolver) collaboratorPage(ctx context.Context, v *ent.Video, size int, after *string) (*model.CollaboratorConnection, error) {
	query := func(ctx context.Context, only func(*sql.Selector)) *ent.CollaboratorQuery {
		q := r.Store.Client(ctx).Collaborator.Query().Where(collaborator.VideoID(v.ID)).WithUser()
		q.Modify(only)

		return q
	}
	guests := sequence[*ent.Collaborator]{
		Resolver: r, name: "collaborators|" + v.ID, what: "collaborators", column: collaborator.FieldID, // ids sort by creation
		at: func(c *ent.Collaborator) (any, string) { return c.ID, c.ID },
		all: func(ctx context.Context, only func(*sql.Selector)) listing[*ent.Collaborator] {
			return query(ctx, only)
		},
		whole: func(ctx context.Context, only func(*sql.Selector)) counting { return query(ctx, only) },
	}

	if rows, known := listBelow[*ent.Collaborator](v, listName("collaborators", size)); known && after == nil {
		return guests.pageOf(rows, size, totalOf(rows)), nil
	}

	return guests.page(ctx, size, after)
}

// ownersOf refuses what only those may do who decide about the video as a whole.
func ownersOf(who auth.Viewer, v *ent.Video) error {
	if governs(who, v) {
		return nil
	}

	return fault.Forbidden("Only the video's creator, owners and admins may change its collaborators.")
}

// addCollaborator lets a member of the workspace in. One who is in has the role from then on.
func (r *Resolver) addCollaborator(
	ctx context.Context, videoID string, in model.AddCollaboratorInput,
) (*model.AddCollaboratorPayload, error) {
	return store.Write(ctx, r.Store, &in, func(ctx context.Context) (*model.AddCollaboratorPayload, error) {
		v, err := r.editableVideo(ctx, videoID, ownersOf)
		if err != nil {
			return nil, err
		}

		member, err := r.Store.Client(ctx).User.Query().Where(
			user.Email(strings.ToLower(in.Email)), user.HasMembershipsWith(membership.WorkspaceID(v.WorkspaceID))).Only(ctx)
		if ent.IsNotFound(err) {
			return nil, fault.Invalid([]fault.Field{{Path: "email", Rule: "must be that of a member of the workspace"}})
		}

		if err != nil {
			return nil, fmt.Errorf("read member: %w", err)
		}

		if member.ID == v.UserID {
			return nil, errCreator()
		}

		guest, err := r.guestOf(ctx, v, member.ID)

		switch {
		case fault.Is(err, fault.NotFoundCode):
			now := r.Store.Now()

			guest, err = r.Store.Client(ctx).Collaborator.Create().SetVideo(v).SetUser(member).SetRole(in.Role).
				SetCreatedAt(now).SetUpdatedAt(now).Save(ctx)
			if err != nil {
				return nil, fmt.Errorf("add collaborator: %w", err)
			}

			guest.Edges.User = member
		case err != nil:
			return nil, err
		default:
			if guest, err = r.setRole(ctx, guest, in.Role); err != nil {
				return nil, err
			}
		}

		return &model.AddCollaboratorPayload{Collaborator: guest, Video: v}, nil
	})
}

// errCreator answers what would make of a video's creator less than that.
func errCreator() error { return fault.Conflict("The video's creator has no role as a collaborator.") }

// guestOf is a collaborator of a video, or not_found.
func (r *Resolver) guestOf(ctx context.Context, v *ent.Video, userID string) (*ent.Collaborator, error) {
	found, err := r.Store.Client(ctx).Collaborator.Query().
		Where(collaborator.VideoID(v.ID), collaborator.UserID(userID)).WithUser().Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("collaborator")
	}

	if err != nil {
		return nil, fmt.Errorf("read collaborator: %w", err)
	}

	return found, nil
}

func (r *Resolver) setRole(ctx context.Context, guest *ent.Collaborator, role values.CollaboratorRole) (*ent.Collaborator, error) {
	if guest.Role == role {
		return guest, nil
	}

	changed, err := r.Store.Client(ctx).Collaborator.UpdateOneID(guest.ID).SetRole(role).SetUpdatedAt(r.Store.Now()).Save(ctx)
	if err != nil {
		return nil, fmt.Errorf("update collaborator: %w", err)
	}

	changed.Edges.User = guest.Edges.User

	return changed, nil
}

// updateCollaborator changes a role. The creator, who has none, is a conflict.
func (r *Resolver) updateCollaborator(
	ctx context.Context, videoID, userID string, in model.UpdateCollaboratorInput,
) (*model.UpdateCollaboratorPayload, error) {
	return store.Write(ctx, r.Store, &in, func(ctx context.Context) (*model.UpdateCollaboratorPayload, error) {
		v, err := r.lockedVideo(ctx, videoID)
		if err != nil {
			return nil, err
		}

		guest, missing := r.guestOf(ctx, v, userID)
		if missing != nil && userID != v.UserID {
			return nil, missing
		}

		if err := r.refuseEdit(ctx, v, ownersOf); err != nil {
			return nil, err
		}

		if userID == v.UserID {
			return nil, errCreator()
		}

		if guest, err = r.setRole(ctx, guest, in.Role); err != nil {
			return nil, err
		}

		return &model.UpdateCollaboratorPayload{Collaborator: guest, Video: v}, nil
	})
}

// removeCollaborator ends a collaboration.
func (r *Resolver) removeCollaborator(ctx context.Context, videoID, userID string) (*ent.Video, error) {
	return store.Write(ctx, r.Store, nil, func(ctx context.Context) (*ent.Video, error) {
		v, err := r.lockedVideo(ctx, videoID)
		if err != nil {
			return nil, err
		}

		guest, err := r.guestOf(ctx, v, userID)
		if err != nil {
			return nil, err
		}

		if err := r.refuseEdit(ctx, v, ownersOf); err != nil {
			return nil, err
		}

		if err := r.Store.Client(ctx).Collaborator.DeleteOneID(guest.ID).Exec(ctx); err != nil {
			return nil, fmt.Errorf("remove collaborator: %w", err)
		}

		return v, nil
	})
}
