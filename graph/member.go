package graph

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/apikey"
	"github.com/reelgraph/reelgraph/ent/collaborator"
	"github.com/reelgraph/reelgraph/ent/membership"
	"github.com/reelgraph/reelgraph/ent/session"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/account"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// refuseOwners keeps admins from making or unmaking owners.
func refuseOwners(who auth.Viewer, roles ...auth.Role) error {
	for _, role := range roles {
		if role == auth.RoleOwner && who.Role != auth.RoleOwner {
			return fault.Forbidden("Only owners of the workspace decide who is one.")
		}
	}

	return nil
}

// memberOf is a member of the workspace, or not_found.
func (r *Resolver) memberOf(ctx context.Context, userID string) (*ent.Membership, error) {
	if !ids.Is(ids.User, userID) {
		return nil, fault.NotFound("member")
	}

	m, err := r.Store.Client(ctx).Membership.Query().Where(membership.UserID(userID)).WithUser().Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("member")
	}

	if err != nil {
		return nil, fmt.Errorf("read member: %w", err)
	}

	return m, nil
}

// updateMember changes a member's role.
func (r *Resolver) updateMember(ctx context.Context, userID string, in model.UpdateMemberInput) (*ent.Membership, error) {
	return store.Write(ctx, r.Store, &in, func(ctx context.Context) (*ent.Membership, error) {
		who, err := r.lockWorkspace(ctx)
		if err != nil {
			return nil, err
		}

		m, err := r.memberOf(ctx, userID)
		if err != nil {
			return nil, err
		}

		if err := refuseOthers(who); err != nil {
			return nil, err
		}

		if in.Role == m.Role {
			return m, nil
		}

		if err := refuseOwners(who, in.Role, m.Role); err != nil {
			return nil, err
		}

		if err := r.refuseLastOwner(ctx, m); err != nil {
			return nil, err
		}

		if in.Role == auth.RoleOwner {
			if err := r.refuseOwning(ctx, who, m.UserID); err != nil {
				return nil, err
			}
		}

		changed, err := r.Store.Client(ctx).Membership.UpdateOneID(m.ID).SetRole(in.Role).Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("update membership: %w", err)
		}

		if err := account.EndInvitations(auth.AsSystem(ctx), r.Store.Client(ctx), who.WorkspaceID); err != nil {
			return nil, err
		}

		changed.Edges.User = m.Edges.User

		return changed, nil
	})
}

// refuseLastOwner answers conflict when the workspace would be without an owner.
func (r *Resolver) refuseLastOwner(ctx context.Context, m *ent.Membership) error {
	if m.Role != auth.RoleOwner {
		return nil
	}

	owners, err := r.Store.Client(ctx).Membership.Query().Where(membership.RoleEQ(auth.RoleOwner)).Count(ctx)
	if err != nil {
		return fmt.Errorf("count owners: %w", err)
	}

	if owners == 1 {
		return fault.Conflict("The last owner of a workspace must stay one. Make somebody else an owner first.")
	}

	return nil
}

// removeMember takes a member's place in the workspace away, and whatever would be theirs again if they
// came back: keys, sessions, and what they were invited to.
func (r *Resolver) removeMember(ctx context.Context, userID string) error {
	_, err := store.Write(ctx, r.Store, nil, func(ctx context.Context) (struct{}, error) {
		who, err := r.lockWorkspace(ctx)
		if err != nil {
			return struct{}{}, err
		}

		m, err := r.memberOf(ctx, userID)
		if err != nil {
			return struct{}{}, err
		}

		if m.UserID != who.UserID {
			if err := refuseOthers(who); err != nil {
				return struct{}{}, err
			}

			if err := refuseOwners(who, m.Role); err != nil {
				return struct{}{}, err
			}
		}

		if err := r.refuseLastOwner(ctx, m); err != nil {
			return struct{}{}, err
		}

		return struct{}{}, r.dismiss(ctx, m)
	})

	return err
}

func (r *Resolver) dismiss(ctx context.Context, m *ent.Membership) error {
	c := r.Store.Client(ctx)

	err := c.APIKey.Update().Where(apikey.UserID(m.UserID), apikey.RevokedAtIsNil()).SetRevokedAt(r.Store.Now()).Exec(ctx)
	if err != nil {
		return fmt.Errorf("revoke keys: %w", err)
	}

	if _, err := c.Session.Delete().Where(session.UserID(m.UserID)).Exec(ctx); err != nil {
		return fmt.Errorf("end sessions: %w", err)
	}

	if _, err := c.Collaborator.Delete().Where(collaborator.UserID(m.UserID)).Exec(ctx); err != nil {
		return fmt.Errorf("remove collaborations: %w", err)
	}

	if err := c.Membership.DeleteOneID(m.ID).Exec(ctx); err != nil {
		return fmt.Errorf("delete membership: %w", err)
	}

	return account.EndInvitations(auth.AsSystem(ctx), c, m.WorkspaceID)
}
