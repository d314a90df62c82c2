// Package access holds the rules of who may do what with a video, as functions of what somebody is to
// it. The graph asks them for who is asking, events for whole audiences.
package access

import (
	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Standing is what a member of a video's workspace is to the video.
type Standing struct {
	Creator bool
	Invited values.CollaboratorRole // empty for who is no collaborator
	Role    auth.Role
}

// MayRead reports whether they may read the video: its creator, its collaborators, and every member
// when it is visible to the organisation.
func (s Standing) MayRead(v *ent.Video) bool {
	return s.Creator || s.Invited != "" || v.Visibility == values.VisibilityOrg
}

// MayEdit reports whether they may edit it: its creator, collaborators who are editors, and the
// owners and admins who may read it. A viewer of the workspace never edits.
func (s Standing) MayEdit(v *ent.Video) bool {
	if s.Role == auth.RoleViewer {
		return false
	}

	return s.Creator || s.Invited == values.CollaboratorRoleEditor || s.Role.Governs() && s.MayRead(v)
}

// Governs reports whether they decide about it as a whole: deletion, visibility, collaborators. Its
// creator does, and the owners and admins who may read it.
func (s Standing) Governs(v *ent.Video) bool {
	return s.Role != auth.RoleViewer && (s.Creator || s.Role.Governs() && s.MayRead(v))
}

// MayExport reports whether they may export it, as raw files or as films: who may edit it, and its
// other readers as far as it allows downloads.
func (s Standing) MayExport(v *ent.Video, raw bool) bool {
	open := v.Settings.DownloadsEnabled && (!raw || v.Settings.RawDownloadsEnabled)

	return s.MayEdit(v) || open && s.MayRead(v)
}
