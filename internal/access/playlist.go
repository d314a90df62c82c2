package access

import (
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// Owns returns forbidden unless the caller may change a playlist, group or tag: its creator may, and owners and admins
// may if it belongs to the workspace. Other people's private ones were already not_found.
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
