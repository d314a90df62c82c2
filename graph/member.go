package graph

import (
	"context"
	"fmt"
	"strings"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/apikey"
	"github.com/reelgraph/reelgraph/ent/collaborator"
	"github.com/reelgraph/reelgraph/ent/membership"
	"github.com/reelgraph/reelgraph/ent/session"
	"github.com/reelgraph/reelgraph/ent/user"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/auth"
	"github.com/reelgraph/reelgraph/internal/fault"
	"github.com/reelgraph/reelgraph/internal/ids"
)

// addMember gives a person a place in the workspace. Who is not known yet becomes a person without a
// password.
func (r *Resolver) addMember(ctx context.Context, in model.AddMemberInput) (*ent.Membership, error) {
	return write(ctx, r, &in, func(ctx context.Context) (*ent.Membership, error) {
		who, err := r.governor(ctx)
		if err != nil {
			return nil, err
		}

		role := auth.RoleMember
		put(&role, in.Role)

		if err := refuseOwners(who, role); err != nil {
			return nil, err
		}

		person, err := r.person(ctx, in)
		if err != nil {
			return nil, err
		}

		c := r.Store.Client(ctx)

		there, err := c.Membership.Query().Where(membership.UserID(person.ID)).Exist(ctx)
		if err != nil {
			return nil, fmt.Errorf("read membership: %w", err)
		}

		if there {
			return nil, fault.Conflict("This person is a member of the workspace already.")
		}

		// As the system: the person is nobody whom the workspace could see before.
		made, err := c.Membership.Create().SetWorkspaceID(who.WorkspaceID).SetUserID(person.ID).SetRole(role).Save(auth.AsSystem(ctx))
		if err != nil {
			return nil, fmt.Errorf("create membership: %w", err)
		}

		made.Edges.User = person

		return made, nil
	})
}

// refuseOwners keeps admins from making or unmaking owners.
func refuseOwners(who auth.Viewer, roles ...auth.Role) error {
	for _, role := range roles {
		if role == auth.RoleOwner && who.Role != auth.RoleOwner {
			return fault.Forbidden("Only owners of the workspace decide who is one.")
		}
	}

	return nil
}

// person finds whoever has the address, in whatever workspace, or makes them.
func (r *Resolver) person(ctx context.Context, in model.AddMemberInput) (*ent.User, error) {
	c, across, email := r.Store.Client(ctx), auth.AsSystem(ctx), strings.ToLower(in.Email)

	// Two workspaces that add somebody new at once make one person.
	if _, err := c.ExecContext(ctx, "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", "person "+email); err != nil {
		return nil, fmt.Errorf("lock address: %w", err)
	}

	known, err := c.User.Query().Where(user.Email(email)).Only(across)
	if err == nil {
		return known, nil
	}

	if !ent.IsNotFound(err) {
		return nil, fmt.Errorf("read user: %w", err)
	}

	name, _, _ := strings.Cut(email, "@")
	put(&name, in.Name)

	made, err := c.User.Create().SetEmail(email).SetName(name).Save(across)
	if err != nil {
		return nil, fmt.Errorf("create user: %w", err)
	}

	return made, nil
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
	return write(ctx, r, &in, func(ctx context.Context) (*ent.Membership, error) {
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

		changed, err := r.Store.Client(ctx).Membership.UpdateOneID(m.ID).SetRole(in.Role).Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("update membership: %w", err)
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
	_, err := write(ctx, r, nil, func(ctx context.Context) (struct{}, error) {
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

	err := c.APIKey.Update().Where(apikey.UserID(m.UserID), apikey.RevokedAtIsNil()).SetRevokedAt(r.now()).Exec(ctx)
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

	return nil
}
