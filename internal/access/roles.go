package access

import (
	"context"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/collaborator"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Viewer returns the caller. Requests without one are refused earlier; Viewer also refuses them for resolvers that are
// reached in another way.
func Viewer(ctx context.Context) (auth.Viewer, error) {
	v, ok := auth.From(ctx)
	if !ok || v.UserID == "" {
		return auth.Viewer{}, fault.Unauthorized()
	}

	return v, nil
}

// Creator returns the caller if they may create things. Viewers of the workspace may not.
func Creator(ctx context.Context) (auth.Viewer, error) {
	v, err := Viewer(ctx)
	if err != nil {
		return v, err
	}

	if v.Role == auth.RoleViewer {
		return v, fault.Forbidden("A viewer of the workspace cannot create or change anything.")
	}

	return v, nil
}

// Readable limits videos to those the viewer may read: its own, those shared with the workspace, and those it
// collaborates on.
func Readable(v auth.Viewer) predicate.Video {
	return video.Or(
		video.VisibilityEQ(values.VisibilityOrg),
		video.UserID(v.UserID),
		video.HasCollaboratorsWith(collaborator.UserID(v.UserID)),
	)
}

// Permit returns forbidden with the given message unless allowed is true.
type Permit func(who auth.Viewer, v *ent.Video) error

// Governs reports whether the viewer may decide about the video as a whole. The viewer must be able to read the video,
// so being a collaborator makes no difference.
func Governs(who auth.Viewer, v *ent.Video) bool {
	return Standing{Creator: v.UserID == who.UserID, Role: who.Role}.Governs(v) || who.Role.Governs()
}
