package access

import (
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// Owns checks whether the caller may change a playlist, group or tag, and returns forbidden if not. The creator may
// change it. Owners and admins may change it if it belongs to the workspace. Do not call Owns for private objects of
// other people: return not_found for them instead.
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
