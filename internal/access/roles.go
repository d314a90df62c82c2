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

// Viewer is who is asking. The chain refuses requests without one; a resolver that is reached
// otherwise refuses them too.
func Viewer(ctx context.Context) (auth.Viewer, error) {
	v, ok := auth.From(ctx)
	if !ok || v.UserID == "" {
		return auth.Viewer{}, fault.Unauthorized()
	}

	return v, nil
}

// Creator is who is asking, if they may make things at all: a workspace viewer may not.
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

// Readable narrows videos to those the viewer may read: its own, those shared with the workspace,
// and those it collaborates on.
func Readable(v auth.Viewer) predicate.Video {
	return video.Or(
		video.VisibilityEQ(values.VisibilityOrg),
		video.UserID(v.UserID),
		video.HasCollaboratorsWith(collaborator.UserID(v.UserID)),
	)
}

// Permit refuses what not every editor of a video may do to it.
type Permit func(who auth.Viewer, v *ent.Video) error

// Governs reports whether the viewer decides about the video as a whole. It may read the video, so
// that whether it was invited cannot matter.
func Governs(who auth.Viewer, v *ent.Video) bool {
	return Standing{Creator: v.UserID == who.UserID, Role: who.Role}.Governs(v) || who.Role.Governs()
}
