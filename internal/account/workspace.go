package account

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/membership"
	"github.com/reelgraph/reelgraph/ent/workspace"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
)

// FirstWorkspace returns the oldest workspace, whose owners are the operators. It returns nil when there is none yet.
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

// LastWorkspace returns the id of the workspace that a person used last. It ignores workspaces that the person no
// longer belongs to, and returns an empty string if no workspace remains.
func LastWorkspace(ctx context.Context, c *ent.Client, userID string) (id string, err error) {
	rows, err := c.QueryContext(ctx, `
SELECT workspace_id FROM (
  SELECT workspace_id, last_seen_at AS used_at FROM sessions WHERE user_id = $1
  UNION ALL SELECT workspace_id, used_at FROM last_workspaces WHERE user_id = $1
) AS used WHERE workspace_id IN (SELECT workspace_id FROM memberships WHERE user_id = $1) ORDER BY used_at DESC LIMIT 1`, userID)
	if err != nil {
		return "", fmt.Errorf("read the last workspace of a person: %w", err)
	}
	defer rows.Close() //nolint:errcheck // Err says what went wrong

	for rows.Next() {
		if err := rows.Scan(&id); err != nil {
			return "", fmt.Errorf("read the last workspace of a person: %w", err)
		}
	}

	return id, rows.Err() //nolint:wrapcheck // the caller says what was attempted
}

// Owned returns how many workspaces a person owns. Other transactions that call Owned for the same person wait until
// this transaction ends.
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
