package account

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/apikey"
	"github.com/reelgraph/reelgraph/ent/collaborator"
	"github.com/reelgraph/reelgraph/ent/membership"
	"github.com/reelgraph/reelgraph/ent/session"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// refuseOwners keeps admins from adding or removing owners.
func refuseOwners(who auth.Viewer, roles ...auth.Role) error {
	for _, role := range roles {
		if role == auth.RoleOwner && who.Role != auth.RoleOwner {
			return fault.Forbidden("Only owners of the workspace may add or remove owners.")
		}
	}

	return nil
}

// memberOf returns a member of the workspace, or not_found.
func (svc *Service) memberOf(ctx context.Context, userID string) (*ent.Membership, error) {
	if !ids.Is(ids.User, userID) {
		return nil, fault.NotFound("member")
	}

	m, err := svc.Store.Client(ctx).Membership.Query().Where(membership.UserID(userID)).WithUser().Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("member")
	}

	if err != nil {
		return nil, fmt.Errorf("read member: %w", err)
	}

	return m, nil
}

// UpdateMember changes a member's role.
func (svc *Service) UpdateMember(ctx context.Context, userID string, in model.UpdateMemberInput) (*ent.Membership, error) {
	return store.Write(ctx, svc.Store, &in, func(ctx context.Context) (*ent.Membership, error) {
		who, err := svc.lockWorkspace(ctx)
		if err != nil {
			return nil, err
		}

		m, err := svc.memberOf(ctx, userID)
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

		if err := svc.refuseLastOwner(ctx, m); err != nil {
			return nil, err
		}

		if in.Role == auth.RoleOwner {
			if err := svc.refuseOwning(ctx, who, m.UserID); err != nil {
				return nil, err
			}
		}

		changed, err := svc.Store.Client(ctx).Membership.UpdateOneID(m.ID).SetRole(in.Role).Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("update membership: %w", err)
		}

		if err := EndInvitations(auth.AsSystem(ctx), svc.Store.Client(ctx), who.WorkspaceID); err != nil {
			return nil, err
		}

		changed.Edges.User = m.Edges.User

		return changed, nil
	})
}

// refuseLastOwner returns a conflict when the workspace would have no owner left.
func (svc *Service) refuseLastOwner(ctx context.Context, m *ent.Membership) error {
	if m.Role != auth.RoleOwner {
		return nil
	}

	owners, err := svc.Store.Client(ctx).Membership.Query().Where(membership.RoleEQ(auth.RoleOwner)).Count(ctx)
	if err != nil {
		return fmt.Errorf("count owners: %w", err)
	}

	if owners == 1 {
		return fault.Conflict("A workspace needs at least one owner. Make somebody else an owner first.")
	}

	return nil
}

// RemoveMember removes a member from the workspace. It also deletes the member's keys, sessions and collaborations in
// it, so that the member does not get them back by rejoining.
func (svc *Service) RemoveMember(ctx context.Context, userID string) error {
	_, err := store.Write(ctx, svc.Store, nil, func(ctx context.Context) (struct{}, error) {
		who, err := svc.lockWorkspace(ctx)
		if err != nil {
			return struct{}{}, err
		}

		m, err := svc.memberOf(ctx, userID)
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

		if err := svc.refuseLastOwner(ctx, m); err != nil {
			return struct{}{}, err
		}

		return struct{}{}, svc.dismiss(ctx, m)
	})

	return err
}

func (svc *Service) dismiss(ctx context.Context, m *ent.Membership) error {
	c := svc.Store.Client(ctx)

	err := c.APIKey.Update().Where(apikey.UserID(m.UserID), apikey.RevokedAtIsNil()).SetRevokedAt(svc.Store.Now()).Exec(ctx)
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

	return EndInvitations(auth.AsSystem(ctx), c, m.WorkspaceID)
}

// MemberNode returns a member of the workspace by the id of the membership.
func (svc *Service) MemberNode(ctx context.Context, id string) (*ent.Membership, error) {
	if _, err := access.Viewer(ctx); err != nil {
		return nil, err
	}

	return listing.Found(svc.Store.Client(ctx).Membership.Get(ctx, id))
}

// MembersNamed returns the members of the workspace with the named memberships, in any order.
func (svc *Service) MembersNamed(ctx context.Context, named []string, sel selection.Tree) ([]*ent.Membership, error) {
	if _, err := access.Viewer(ctx); err != nil {
		return nil, err
	}

	q := svc.Store.Client(ctx).Membership.Query().Where(membership.IDIn(named...))
	withPeople(q, sel)

	rows, err := q.All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read members: %w", err)
	}

	return rows, nil
}
