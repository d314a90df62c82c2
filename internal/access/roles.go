package access

import (
	"context"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/collaborator"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Viewer returns the caller. Requests without a caller are refused before they reach a resolver, but Viewer checks
// this again, because a resolver may also be called in another way.
func Viewer(ctx context.Context) (auth.Viewer, error) {
	v, ok := auth.From(ctx)
	if !ok || v.UserID == "" {
		return auth.Viewer{}, fault.Unauthorized()
	}

	return v, nil
}

// Creator returns the caller if they may create things. Members with the viewer role in the workspace may not.
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

// Readable adds a condition to a query of videos, so that it finds only videos that the viewer may read. These are
// the viewer's own videos, the videos that are shared with the workspace, and the videos on which the viewer
// collaborates. A video in the trash is none of them.
func Readable(v auth.Viewer) predicate.Video { return video.And(Kept(), open(v)) }

// open finds the videos that the viewer may read, in the trash or not.
func open(v auth.Viewer) predicate.Video {
	return video.Or(
		video.VisibilityEQ(values.VisibilityOrg),
		video.UserID(v.UserID),
		video.HasCollaboratorsWith(collaborator.UserID(v.UserID)),
	)
}

// Kept adds a condition to a query, so that it finds only videos that are not in the trash. Queries of videos have it
// already; use it in conditions about the videos of other rows.
func Kept() predicate.Video { return video.TrashedAtIsNil() }

// Restorable adds a condition to a query of videos, so that it finds only videos in the trash that the viewer may
// restore or delete. These are the viewer's own; owners and admins may also restore those that are shared with the
// workspace and those on which they collaborate. The context must have auth.WithTrash.
func Restorable(v auth.Viewer) predicate.Video {
	switch {
	case v.Role == auth.RoleViewer:
		return func(s *sql.Selector) { s.Where(sql.False()) }
	case v.Role.Governs():
		return video.And(video.TrashedAtNotNil(), open(v))
	default:
		return video.And(video.TrashedAtNotNil(), video.UserID(v.UserID))
	}
}

// Permit is a check of the caller's rights to a video. It returns forbidden if the caller lacks them.
type Permit func(who auth.Viewer, v *ent.Video) error

// Governs reports whether the viewer may make decisions about the whole video, such as deleting it. It assumes that
// the viewer may read the video, so it does not need to know whether they are a collaborator.
func Governs(who auth.Viewer, v *ent.Video) bool {
	return Standing{Creator: v.UserID == who.UserID, Role: who.Role}.Governs(v) || who.Role.Governs()
}
