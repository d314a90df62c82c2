package rights

import (
	"context"
	"fmt"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/collaborator"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
)

// EditableVideo returns a video and locks it until the transaction ends. It returns not_found if the caller may not
// read the video, then forbidden if the caller may not edit it, then edit_conflict if the video does not have the
// revision that the request expects.
func (svc Service) EditableVideo(ctx context.Context, id string, permits ...access.Permit) (*ent.Video, error) {
	found, err := svc.LockedVideo(ctx, id)
	if err != nil {
		return nil, err
	}

	if err := svc.RefuseEdit(ctx, found, permits...); err != nil {
		return nil, err
	}

	return found, nil
}

// LockedVideo returns a video and locks it until the transaction ends, so that only one transaction at a time writes
// to the video. It returns not_found if the caller may not read the video.
func (svc Service) LockedVideo(ctx context.Context, id string) (*ent.Video, error) {
	return svc.lockVideo(ctx, id, access.Readable)
}

// LockedOrTrashedVideo is like LockedVideo, but it also returns a video in the trash if the caller may restore it.
func (svc Service) LockedOrTrashedVideo(ctx context.Context, id string) (*ent.Video, error) {
	return svc.lockVideo(auth.WithTrash(ctx), id, func(who auth.Viewer) predicate.Video {
		return video.Or(access.Readable(who), access.Restorable(who))
	})
}

func (svc Service) lockVideo(ctx context.Context, id string, these func(auth.Viewer) predicate.Video) (*ent.Video, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	if !ids.Is(ids.Video, id) {
		return nil, fault.NotFound("video")
	}

	found, err := svc.Store.Client(ctx).Video.Query().
		Where(video.ID(id), these(who)).
		ForUpdate(sql.WithLockTables(video.Table)).
		Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("video")
	}

	if err != nil {
		return nil, fmt.Errorf("lock video: %w", err)
	}

	return found, nil
}

// RefuseEdit returns forbidden if the caller may not edit the video or one of the permits refuses, and edit_conflict
// if the video does not have the revision that the request expects. It does not check whether the caller may read the
// video, so check this before.
func (svc Service) RefuseEdit(ctx context.Context, v *ent.Video, permits ...access.Permit) error {
	who, err := access.Viewer(ctx)
	if err != nil {
		return err
	}

	may, err := svc.MayEdit(ctx, who, v)
	if err != nil {
		return err
	}

	switch {
	case may:
	case who.Role == auth.RoleViewer:
		return fault.Forbidden("You are a viewer in this workspace: viewers cannot edit videos, even as collaborators.")
	default:
		return fault.Forbidden("You may read this video but not edit it.")
	}

	for _, permitted := range permits {
		if err := permitted(who, v); err != nil {
			return err
		}
	}

	if !middleware.Holds(ctx, v.Revision) {
		return fault.EditConflict()
	}

	return nil
}

// standingOf returns the viewer's standing toward a video it may read.
func (svc Service) standingOf(ctx context.Context, who auth.Viewer, v *ent.Video) (access.Standing, error) {
	s := access.Standing{Creator: v.UserID == who.UserID, Role: who.Role}

	guests, err := v.Edges.CollaboratorsOrErr() // loaded with the video: only the viewer's own
	if err != nil {
		guests, err = svc.Store.Client(ctx).Collaborator.Query().
			Where(collaborator.VideoID(v.ID), collaborator.UserID(who.UserID)).All(ctx)
		if err != nil {
			return s, fmt.Errorf("read collaborators: %w", err)
		}
	}

	if len(guests) == 1 {
		s.Invited = guests[0].Role
	}

	return s, nil
}

// MayEdit reports whether the viewer may edit the video. It does not check whether the viewer may read the video, so
// check this before.
func (svc Service) MayEdit(ctx context.Context, who auth.Viewer, v *ent.Video) (bool, error) {
	if access.Governs(who, v) {
		return true, nil
	}

	s, err := svc.standingOf(ctx, who, v)

	return s.MayEdit(v), err
}

// MayExport reports whether the viewer may export the video, as raw files or as a rendered film. It does not check
// whether the viewer may read the video, so check this before.
func (svc Service) MayExport(ctx context.Context, v *ent.Video, raw bool) (bool, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return false, err
	}

	if access.Governs(who, v) {
		return true, nil
	}

	s, err := svc.standingOf(ctx, who, v)

	return s.MayExport(v, raw), err
}

// HoldSource locks a source until the transaction ends, so that it cannot be deleted meanwhile. Call it when a row
// refers to the source without a foreign key. It returns not_found if the source has already been deleted.
func (svc Service) HoldSource(ctx context.Context, id, what string) error {
	_, err := svc.Store.Client(ctx).Source.Query().Where(source.ID(id)).ForShare().OnlyID(ctx)
	if ent.IsNotFound(err) {
		return fault.NotFound(what)
	}

	if err != nil {
		return fmt.Errorf("lock source: %w", err)
	}

	return nil
}
