package account

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/membership"
	"github.com/reelgraph/reelgraph/ent/workspace"
	"github.com/reelgraph/reelgraph/internal/auth"
)

// FirstWorkspace is the oldest workspace, whose owners are the operators. It is nil when there is none yet.
func FirstWorkspace(ctx context.Context, c *ent.Client) (*ent.Workspace, error) {
	first, err := c.Workspace.Query().Order(ent.Asc(workspace.FieldCreatedAt, workspace.FieldID)).First(ctx)
	if ent.IsNotFound(err) {
		return nil, nil //nolint:nilnil // as documented
	}

	if err != nil {
		return nil, fmt.Errorf("read the first workspace: %w", err)
	}

	return first, nil
}

// Owned is how many workspaces a person owns. Others that count for the person wait until the transaction ends.
func Owned(ctx context.Context, c *ent.Client, userID string) (int, error) {
	if _, err := c.ExecContext(ctx, "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", "workspaces of "+userID); err != nil {
		return 0, fmt.Errorf("lock the workspaces of a person: %w", err)
	}

	owned, err := c.Membership.Query().Where(membership.UserID(userID), membership.RoleEQ(auth.RoleOwner)).Count(ctx)
	if err != nil {
		return 0, fmt.Errorf("count the workspaces of a person: %w", err)
	}

	return owned, nil
}
