package account

import (
	"context"
	"fmt"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/invitation"
	"github.com/reelgraph/reelgraph/ent/membership"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
)

// Stands returns a predicate that matches invitations that are still valid. An invitation is valid as long as its
// inviter is an owner of the workspace. If the invited person will not be an owner, it is also valid as long as the
// inviter is an admin. An invitation that the server created is always valid.
func Stands() predicate.Invitation {
	return func(s *sql.Selector) {
		m := sql.Dialect(s.Dialect()).Table(membership.Table)
		may := sql.Dialect(s.Dialect()).Select(m.C(membership.FieldID)).From(m).Where(sql.And(
			sql.ColumnsEQ(m.C(membership.FieldWorkspaceID), s.C(invitation.FieldWorkspaceID)),
			sql.ColumnsEQ(m.C(membership.FieldUserID), s.C(invitation.FieldInviterID)),
			sql.Or(
				sql.EQ(m.C(membership.FieldRole), auth.RoleOwner),
				sql.And(sql.EQ(m.C(membership.FieldRole), auth.RoleAdmin), sql.NEQ(s.C(invitation.FieldRole), auth.RoleOwner)),
			),
		))
		s.Where(sql.Or(sql.IsNull(s.C(invitation.FieldInviterID)), sql.Exists(may)))
	}
}

// EndInvitations deletes those invitations of a workspace whose inviter has lost the right to invite. Call it after a
// role has changed or a membership has ended.
func EndInvitations(ctx context.Context, c *ent.Client, workspaceID string) error {
	_, err := c.ExecContext(ctx, `
DELETE FROM invitations i WHERE i.workspace_id = $1 AND i.inviter_id IS NOT NULL AND NOT EXISTS (
  SELECT FROM memberships m WHERE m.workspace_id = i.workspace_id AND m.user_id = i.inviter_id
    AND (m.role = 'owner' OR m.role = 'admin' AND i.role <> 'owner'))`, workspaceID)
	if err != nil {
		return fmt.Errorf("end invitations: %w", err)
	}

	return nil
}

// Lock makes sure that only one transaction at a time works on the account of an email address, so that two requests
// cannot create the account twice. The lock is held until the transaction ends.
func Lock(ctx context.Context, c *ent.Client, email string) error {
	if _, err := c.ExecContext(ctx, "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", "person "+email); err != nil {
		return fmt.Errorf("lock address: %w", err)
	}

	return nil
}
