// Package access defines what each member may do with a video, depending on the member's relation to the video (see
// Standing). The graph checks the rights of the caller. Events use the same rules to find all members who may receive
// them.
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

// MayRead reports whether the member may read the video. The creator and the collaborators may read it, and so may
// every member if the video is visible to the organization.
func (s Standing) MayRead(v *ent.Video) bool {
	return s.Creator || s.Invited != "" || v.Visibility == values.VisibilityOrg
}

// MayEdit reports whether the member may edit the video. The creator, collaborators with the editor role, and owners
// and admins who may read the video may edit it. Members with the viewer role in the workspace never may.
func (s Standing) MayEdit(v *ent.Video) bool {
	if s.Role == auth.RoleViewer {
		return false
	}

	return s.Creator || s.Invited == values.CollaboratorRoleEditor || s.Role.Governs() && s.MayRead(v)
}

// Governs reports whether the member may delete the video and change its visibility and collaborators. The creator
// may, and so may owners and admins who may read the video.
func (s Standing) Governs(v *ent.Video) bool {
	return s.Role != auth.RoleViewer && (s.Creator || s.Role.Governs() && s.MayRead(v))
}

// MayExport reports whether the member may export the video, as raw files or as rendered films. Everyone who may edit
// the video may export it. Other readers may if the video allows downloads of that kind.
func (s Standing) MayExport(v *ent.Video, raw bool) bool {
	open := v.Settings.DownloadsEnabled && (!raw || v.Settings.RawDownloadsEnabled)

	return s.MayEdit(v) || open && s.MayRead(v)
}
