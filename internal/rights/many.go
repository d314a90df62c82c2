package rights

import (
	"context"
	"fmt"
	"slices"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/collaborator"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// Named are ids that a request gives in an argument. Errors name the argument and the position of the id.
type Named struct {
	Argument string
	IDs      []string
}

// at returns the place of an id, such as ids[2].
func (n Named) at(i int) string { return fmt.Sprintf("%s[%d]", n.Argument, i) }

// Missing returns not_found for the first id for which has returns false, and nil if there is none.
func (n Named) Missing(what string, has func(id string) bool) error {
	for i, id := range n.IDs {
		if !has(id) {
			return fault.NotFound(what + " at " + n.at(i))
		}
	}

	return nil
}

// Once returns the ids without repetitions.
func (n Named) Once() []string {
	once := make([]string, 0, len(n.IDs))

	for i, id := range n.IDs {
		if !slices.Contains(n.IDs[:i], id) {
			once = append(once, id)
		}
	}

	return once
}

// Refused adds the place of an id to a refusal that is about one of several ids.
func (n Named) Refused(id string, err error) error {
	public, is := fault.As(err)
	if !is {
		return err
	}

	for i, named := range n.IDs {
		if named == id {
			return public.Saying(n.at(i) + ": " + public.Message)
		}
	}

	return err
}

// LockedVideos returns several videos, each once and in the order in which they are named, and locks them until the
// transaction ends. If the caller may not read one of them, it returns not_found for the first such id.
func (svc Service) LockedVideos(ctx context.Context, named Named) ([]*ent.Video, error) {
	return svc.lockVideos(ctx, named, access.Readable, (*ent.VideoQuery).ForUpdate)
}

// HeldVideos is like LockedVideos, but it locks the videos only against being deleted or trashed.
func (svc Service) HeldVideos(ctx context.Context, named Named) ([]*ent.Video, error) {
	return svc.lockVideos(ctx, named, access.Readable, (*ent.VideoQuery).ForShare)
}

// TrashedVideos is like LockedVideos for videos in the trash that the caller may restore.
func (svc Service) TrashedVideos(ctx context.Context, named Named) ([]*ent.Video, error) {
	return svc.lockVideos(auth.WithTrash(ctx), named, access.Restorable, (*ent.VideoQuery).ForUpdate)
}

func (svc Service) lockVideos(
	ctx context.Context, named Named, these func(auth.Viewer) predicate.Video,
	lock func(*ent.VideoQuery, ...sql.LockOption) *ent.VideoQuery,
) ([]*ent.Video, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	q := svc.Store.Client(ctx).Video.Query().Where(func(s *sql.Selector) { s.Where(store.Among(s.C(video.FieldID), named.IDs)) }, these(who)).
		WithCollaborators(func(q *ent.CollaboratorQuery) { q.Where(collaborator.UserID(who.UserID)) }).
		Order(ent.Asc(video.FieldID)) // always in the same order, to avoid deadlocks

	rows, err := lock(q, sql.WithLockTables(video.Table)).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("lock videos: %w", err)
	}

	found := make(map[string]*ent.Video, len(rows))
	for _, v := range rows {
		found[v.ID] = v
	}

	if err := named.Missing("video", func(id string) bool { return found[id] != nil }); err != nil {
		return nil, err
	}

	inOrder := make([]*ent.Video, 0, len(rows))

	for _, id := range named.IDs {
		if v := found[id]; v != nil {
			inOrder = append(inOrder, v)

			delete(found, id) // an id may be named twice
		}
	}

	return inOrder, nil
}
