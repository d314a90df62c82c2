package account

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/apikey"
	"github.com/reelgraph/reelgraph/ent/invitation"
	"github.com/reelgraph/reelgraph/ent/membership"
	"github.com/reelgraph/reelgraph/ent/session"
	"github.com/reelgraph/reelgraph/ent/user"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
)

// Prove marks an account's email address as verified. Call it when an emailed link, a link from an operator or a
// command has shown that the address belongs to the person. Before that, somebody else may have created the account.
// So the first call deletes the account's password, sessions and keys, and replaces each membership with an
// invitation. Prove reports whether this was the first call.
func Prove(ctx context.Context, c *ent.Client, userID string) (first bool, err error) {
	person, err := c.User.Query().Where(user.ID(userID)).ForUpdate().Only(ctx)
	if err != nil {
		return false, fmt.Errorf("read user: %w", err)
	}

	if person.UnprovedIn == "" {
		return false, nil
	}

	if err := c.User.UpdateOneID(userID).SetUnprovedIn("").ClearPasswordHash().Exec(ctx); err != nil {
		return false, fmt.Errorf("mark address as verified: %w", err)
	}

	if err := EndSessions(ctx, c, userID, ""); err != nil {
		return false, err
	}

	if _, err := c.APIKey.Delete().Where(apikey.UserID(userID)).Exec(ctx); err != nil {
		return false, fmt.Errorf("delete keys: %w", err)
	}

	if err := forgetResets(ctx, c, person.Email); err != nil {
		return false, err
	}

	places, err := c.Membership.Query().Where(membership.UserID(userID)).All(ctx)
	if err != nil {
		return false, fmt.Errorf("read memberships: %w", err)
	}

	for _, place := range places { // an account of this kind has at most one
		if err := invite(ctx, c, person, place); err != nil {
			return false, err
		}
	}

	return true, nil
}

// invite replaces a membership with an invitation by the oldest other owner, or by no one if there is none.
func invite(ctx context.Context, c *ent.Client, person *ent.User, place *ent.Membership) error {
	owner, err := c.Membership.Query().
		Where(membership.WorkspaceID(place.WorkspaceID), membership.RoleEQ(auth.RoleOwner), membership.UserIDNEQ(person.ID)).
		Order(ent.Asc(membership.FieldCreatedAt, membership.FieldID)).First(ctx)
	if err != nil && !ent.IsNotFound(err) {
		return fmt.Errorf("read owners: %w", err)
	}

	if err := c.Membership.DeleteOneID(place.ID).Exec(ctx); err != nil {
		return fmt.Errorf("delete membership: %w", err)
	}

	if err := EndInvitations(ctx, c, place.WorkspaceID); err != nil {
		return err
	}

	if _, err := c.Invitation.Delete().Where(invitation.WorkspaceID(place.WorkspaceID), invitation.Email(person.Email)).Exec(ctx); err != nil {
		return fmt.Errorf("delete invitation: %w", err)
	}

	create := c.Invitation.Create().SetWorkspaceID(place.WorkspaceID).SetEmail(person.Email).SetAddress(person.Email).
		SetRole(place.Role).SetExpiresAt(now().Add(InvitationLasts))
	if owner != nil {
		create.SetInviterID(owner.UserID)
	}

	if err := create.Exec(ctx); err != nil {
		return fmt.Errorf("create invitation: %w", err)
	}

	return nil
}

// EndSessions deletes a person's sessions. It keeps the session whose id is the argument "except". An empty string
// keeps none.
func EndSessions(ctx context.Context, c *ent.Client, userID, except string) error {
	if _, err := c.Session.Delete().Where(session.UserID(userID), session.IDNEQ(except)).Exec(ctx); err != nil {
		return fmt.Errorf("end sessions: %w", err)
	}

	return nil
}

// SetPassword changes a person's password. It also deletes the person's password reset links and sessions, but keeps
// the session whose id is the argument "except".
func SetPassword(ctx context.Context, c *ent.Client, person *ent.User, password, except string) (*ent.User, error) {
	changed, err := c.User.UpdateOneID(person.ID).SetPasswordHash(auth.HashPassword(password)).Save(ctx)
	if err != nil {
		return nil, fmt.Errorf("set password: %w", err)
	}

	if err := EndSessions(ctx, c, person.ID, except); err != nil {
		return nil, err
	}

	return changed, forgetResets(ctx, c, person.Email)
}
