package graph

import (
	"context"
	"fmt"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/collaborator"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// viewer is who is asking. The chain refuses requests without one; a resolver that is reached
// otherwise refuses them too.
func viewer(ctx context.Context) (auth.Viewer, error) {
	v, ok := auth.From(ctx)
	if !ok || v.UserID == "" {
		return auth.Viewer{}, fault.Unauthorized()
	}

	return v, nil
}

// creator is who is asking, if they may make things at all: a workspace viewer may not.
func creator(ctx context.Context) (auth.Viewer, error) {
	v, err := viewer(ctx)
	if err != nil {
		return v, err
	}

	if v.Role == auth.RoleViewer {
		return v, fault.Forbidden("A viewer of the workspace cannot create or change anything.")
	}

	return v, nil
}

// readable narrows videos to those the viewer may read: its own, those shared with the workspace,
// and those it collaborates on.
func readable(v auth.Viewer) predicate.Video {
	return video.Or(
		video.VisibilityEQ(values.VisibilityOrg),
		video.UserID(v.UserID),
		video.HasCollaboratorsWith(collaborator.UserID(v.UserID)),
	)
}

// readableVideo is a video the caller may read, with what is selected of it, or not_found.
func (r *Resolver) readableVideo(ctx context.Context, id string, sel selection.Tree) (*ent.Video, error) {
	v, err := viewer(ctx)
	if err != nil {
		return nil, err
	}

	if !ids.Is(ids.Video, id) {
		return nil, fault.NotFound("video")
	}

	if nodes := sel.Nodes(); len(nodes) > 0 && !store.Began(ctx) {
		if columns, plain := columnsOf(v, nodes); plain {
			return r.sharedVideo(ctx, v, id, columns)
		}
	}

	q := r.Store.Client(ctx).Video.Query().Where(video.ID(id), readable(v))
	r.selectVideo(v, q, sel)

	found, err := q.Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("video")
	}

	if err != nil {
		return nil, fmt.Errorf("read video: %w", err)
	}

	return found, nil
}

// permit refuses what not every editor of a video may do to it.
type permit func(who auth.Viewer, v *ent.Video) error

// editableVideo locks a video the caller may edit, until the transaction ends. It answers not_found,
// forbidden or edit_conflict, in that order.
func (r *Resolver) editableVideo(ctx context.Context, id string, permits ...permit) (*ent.Video, error) {
	found, err := r.lockedVideo(ctx, id)
	if err != nil {
		return nil, err
	}

	if err := r.refuseEdit(ctx, found, permits...); err != nil {
		return nil, err
	}

	return found, nil
}

// lockedVideo locks a video the caller may read, until the transaction ends: writes to one video are
// serialised.
func (r *Resolver) lockedVideo(ctx context.Context, id string) (*ent.Video, error) {
	who, err := viewer(ctx)
	if err != nil {
		return nil, err
	}

	if !ids.Is(ids.Video, id) {
		return nil, fault.NotFound("video")
	}

	found, err := r.Store.Client(ctx).Video.Query().
		Where(video.ID(id), readable(who)).
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

// refuseEdit answers forbidden unless the caller may edit a video it may read, and edit_conflict
// unless the video is as the request expects it.
func (r *Resolver) refuseEdit(ctx context.Context, v *ent.Video, permits ...permit) error {
	who, err := viewer(ctx)
	if err != nil {
		return err
	}

	may, err := r.mayEdit(ctx, who, v)
	if err != nil {
		return err
	}

	switch {
	case may:
	case who.Role == auth.RoleViewer:
		return fault.Forbidden("You are a viewer in this workspace: viewers cannot edit videos, even as collaborators.")
	default:
		return fault.Forbidden("You may read this video and not edit it.")
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

// standingOf is what the viewer is to a video it may read.
func (r *Resolver) standingOf(ctx context.Context, who auth.Viewer, v *ent.Video) (access.Standing, error) {
	s := access.Standing{Creator: v.UserID == who.UserID, Role: who.Role}

	guests, err := v.Edges.CollaboratorsOrErr() // loaded with the video: the viewer's alone
	if err != nil {
		guests, err = r.Store.Client(ctx).Collaborator.Query().
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

// governs reports whether the viewer decides about the video as a whole. It may read the video, so
// that whether it was invited cannot matter.
func governs(who auth.Viewer, v *ent.Video) bool {
	return access.Standing{Creator: v.UserID == who.UserID, Role: who.Role}.Governs(v) || who.Role.Governs()
}

// mayEdit reports whether the viewer may edit a video it may read.
func (r *Resolver) mayEdit(ctx context.Context, who auth.Viewer, v *ent.Video) (bool, error) {
	if governs(who, v) {
		return true, nil
	}

	s, err := r.standingOf(ctx, who, v)

	return s.MayEdit(v), err
}

// mayExport reports whether the viewer may export a video it may read.
func (r *Resolver) mayExport(ctx context.Context, v *ent.Video, raw bool) (bool, error) {
	who, err := viewer(ctx)
	if err != nil {
		return false, err
	}

	if governs(who, v) {
		return true, nil
	}

	s, err := r.standingOf(ctx, who, v)

	return s.MayExport(v, raw), err
}

// holdSource keeps a source that was found before the transaction from being removed until it ends, for a
// reference that is no foreign key. A source that is gone meanwhile is not_found.
func (r *Resolver) holdSource(ctx context.Context, id, what string) error {
	_, err := r.Store.Client(ctx).Source.Query().Where(source.ID(id)).ForShare().OnlyID(ctx)
	if ent.IsNotFound(err) {
		return fault.NotFound(what)
	}

	if err != nil {
		return fmt.Errorf("hold source: %w", err)
	}

	return nil
}
