package access

import (
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// Owns refuses what only the creator of a playlist, group or tag may do to it, and owners and admins
// to what is the workspace's. Another's private ones were not found before.
func Owns(who auth.Viewer, creatorID, what string) error {
	switch {
	case who.Role == auth.RoleViewer:
		return fault.Forbidden("A viewer of the workspace cannot create or change anything.")
	case who.UserID != creatorID && !who.Role.Governs():
		return fault.Forbidden("Only the " + what + "'s creator, owners and admins may change it.")
	default:
		return nil
	}
}
