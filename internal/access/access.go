// Package access defines who may do what with a video, as functions of a person's standing toward it. The graph uses it
// for the caller, and events use it for whole audiences.
package access

import (
	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Standing describes a member's relation to a video of the workspace.
type Standing struct {
	Creator bool
	Invited values.CollaboratorRole // empty for members who are not collaborators
	Role    auth.Role
}

// MayRead reports whether the member may read the video: its creator, its collaborators, and every member when it is
// visible to the organization.
func (s Standing) MayRead(v *ent.Video) bool {
	return s.Creator || s.Invited != "" || v.Visibility == values.VisibilityOrg
}

// MayEdit reports whether the member may edit the video: its creator, collaborators who are editors, and owners and
// admins who may read it. Viewers of the workspace never may.
func (s Standing) MayEdit(v *ent.Video) bool {
	if s.Role == auth.RoleViewer {
		return false
	}

	return s.Creator || s.Invited == values.CollaboratorRoleEditor || s.Role.Governs() && s.MayRead(v)
}

// Governs reports whether the member may delete the video and change its visibility and collaborators: its creator, and
// owners and admins who may read it.
func (s Standing) Governs(v *ent.Video) bool {
	return s.Role != auth.RoleViewer && (s.Creator || s.Role.Governs() && s.MayRead(v))
}

// MayExport reports whether the member may export the video, as raw files or as films: everyone who may edit it, and
// its other readers if it allows downloads.
func (s Standing) MayExport(v *ent.Video, raw bool) bool {
	open := v.Settings.DownloadsEnabled && (!raw || v.Settings.RawDownloadsEnabled)

	return s.MayEdit(v) || open && s.MayRead(v)
}
