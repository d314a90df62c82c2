package access

import (
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// Owns returns forbidden unless the caller may change a playlist, group or tag. The creator may change it, and owners
// and admins may change it if it belongs to the workspace. The caller has already returned not_found for private ones
// of other people.
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
