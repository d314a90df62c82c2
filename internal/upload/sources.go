package upload

import (
	"context"
	stdsql "database/sql"
	"fmt"
	"strings"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/extract"
	"github.com/reelgraph/reelgraph/ent/libraryitem"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/ent/user"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/cursor"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// ListSources returns a page of the caller's own sources, newest first.
func (svc *Service) ListSources(
	ctx context.Context, statuses []values.SourceStatus, kind *values.SourceKind, size int, after *string,
) (*model.SourceConnection, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	statuses = optional.Distinct(statuses)
	turn := svc.Listing.Paging.Turn(strings.Join(
		[]string{"sources", who.WorkspaceID, who.UserID, fmt.Sprint(statuses), string(optional.Deref(kind))}, "|"))
	q := svc.Store.Client(ctx).Source.Query().Where(source.UserID(who.UserID), source.Partial(false))

	if len(statuses) > 0 {
		q.Where(source.StatusIn(statuses...))
	}

	if kind != nil {
		q.Where(source.KindEQ(*kind))
	}

	count := q.Clone()

	if after != nil {
		c, err := turn.Open(ctx, *after)
		if err != nil {
			return nil, err
		}

		q.Where(paging.Before(c, source.FieldCreatedAt))
	}

	rows, err := q.Order(ent.Desc(source.FieldCreatedAt, source.FieldID)).Limit(size + 1).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("list sources: %w", err)
	}

	return paging.PageOf(turn, rows, size, func(s *ent.Source) cursor.Cursor { return paging.PositionAt(s.CreatedAt, s.ID) }, count.Count), nil
}

// UpdateSource changes the name or the clock of one of the caller's own sources. The clock cannot be changed after
// all bytes have been uploaded.
func (svc *Service) UpdateSource(ctx context.Context, id string, in model.UpdateSourceInput) (*ent.Source, error) {
	return store.Write(ctx, svc.Store, &in, func(ctx context.Context) (*ent.Source, error) {
		found, err := svc.ownSource(ctx, id)
		if err != nil {
			return nil, err
		}

		if in.Clock != nil {
			if err := svc.setClock(ctx, id, in.Clock.Clock()); err != nil {
				return nil, err
			}
		}

		if in.Name == nil || *in.Name == found.Name {
			return found, nil
		}

		changed, err := svc.Store.Client(ctx).Source.UpdateOneID(id).SetName(*in.Name).Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("update source: %w", err)
		}

		return changed, svc.Store.Notify(ctx, jobs.SourceTopic(id))
	})
}

// DeleteSource deletes one of the caller's own sources, with its bytes and everything that was computed from them. If
// the source is in use, it returns a conflict that names the videos, people and library items that use it, as far as the
// caller may know of them.
func (svc *Service) DeleteSource(ctx context.Context, id string) error {
	_, err := store.Write(ctx, svc.Store, nil, func(ctx context.Context) (struct{}, error) {
		if _, err := svc.ownSource(ctx, id); err != nil {
			return struct{}{}, err
		}

		c := svc.Store.Client(ctx)

		// The lock keeps others from starting to use it.
		s, err := c.Source.Query().Where(source.ID(id)).ForUpdate().Only(ctx)
		if ent.IsNotFound(err) {
			return struct{}{}, fault.NotFound("source")
		}

		if err != nil {
			return struct{}{}, fmt.Errorf("read source: %w", err)
		}

		if err := svc.refuseUsed(ctx, s); err != nil {
			return struct{}{}, err
		}

		made, err := svc.forgetExtracts(ctx, id)
		if err != nil {
			return struct{}{}, err
		}

		if err := c.Source.DeleteOneID(id).Exec(ctx); err != nil {
			return struct{}{}, fmt.Errorf("delete source: %w", err)
		}

		if files := append(Files(s), made...); len(files) > 0 {
			if err := svc.Jobs.Add(ctx, jobs.Discard{WorkspaceID: s.WorkspaceID, BlobKeys: files}); err != nil {
				return struct{}{}, err
			}
		}

		return struct{}{}, svc.Store.Notify(ctx, jobs.SourceTopic(id))
	})

	return err
}

// forgetExtracts deletes the extracts of a source and returns the keys of their files.
func (svc *Service) forgetExtracts(ctx context.Context, sourceID string) (files []string, err error) {
	c := svc.Store.Client(ctx).Extract

	rows, err := c.Query().Where(extract.SubjectID(sourceID)).ForUpdate().All(ctx)
	if err != nil {
		return nil, fmt.Errorf("find extracts: %w", err)
	}

	made := make([]string, len(rows))

	for i, row := range rows {
		made[i] = row.ID

		for _, f := range row.Files {
			files = append(files, f.BlobKey)
		}
	}

	if _, err := c.Delete().Where(extract.IDIn(made...)).Exec(ctx); err != nil {
		return nil, fmt.Errorf("remove extracts: %w", err)
	}

	return files, nil
}

// usersNamed is how many users of a source an error names.
const usersNamed = 10

// refuseUsed returns a conflict when something uses the source.
func (svc *Service) refuseUsed(ctx context.Context, s *ent.Source) error {
	used := map[string][]string{}
	all := 0

	err := svc.Store.Query(ctx, func(rows *stdsql.Rows) error {
		var kind, id string

		err := rows.Scan(&kind, &id)
		used[kind] = append(used[kind], id)
		all++

		return err
	}, UsesOfSource, s.WorkspaceID, s.ID)
	if err != nil {
		return fmt.Errorf("find what uses a source: %w", err)
	}

	if all > 0 {
		names, err := svc.namesOfUsers(ctx, used)
		if err != nil {
			return err
		}

		return fault.Conflict("This source is used by " + told(names, all) + ". Remove it there first.")
	}

	var read bool

	err = svc.Store.Query(ctx, func(rows *stdsql.Rows) error { return rows.Scan(&read) }, "SELECT "+ByExports, s.WorkspaceID, s.ID)
	if err != nil {
		return fmt.Errorf("find exports of a source: %w", err)
	}

	if read {
		return fault.Conflict("An export that uses this source is running. Delete the source when the export has ended.")
	}

	return nil
}

// namesOfUsers returns the names of the videos, people and library items that the caller may know of. A video in the trash
// is named to those who may restore or delete it.
func (svc *Service) namesOfUsers(ctx context.Context, used map[string][]string) (names []string, err error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	videos, err := svc.Store.Client(ctx).Video.Query().
		Where(video.IDIn(used["video"]...), video.Or(access.Readable(who), access.Restorable(who))).
		Order(ent.Asc(video.FieldID)).Select(video.FieldID, video.FieldName, video.FieldTrashedAt).All(auth.WithTrash(ctx))
	if err != nil {
		return nil, fmt.Errorf("read videos: %w", err)
	}

	for _, v := range videos {
		name := fmt.Sprintf("the video %q (%s)", v.Name, v.ID)
		if v.TrashedAt != nil {
			name += " in the trash"
		}

		names = append(names, name)
	}

	items, err := svc.Store.Client(ctx).LibraryItem.Query().Where(libraryitem.IDIn(used["library item"]...), listing.VisibleItem(who)).
		Order(ent.Asc(libraryitem.FieldID)).Select(libraryitem.FieldID, libraryitem.FieldName).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read library items: %w", err)
	}

	people, err := svc.Store.Client(ctx).User.Query().Where(user.IDIn(used["person"]...)).Order(ent.Asc(user.FieldID)).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read people: %w", err)
	}

	for _, one := range people {
		names = append(names, fmt.Sprintf("the picture of %q (%s)", one.Name, one.ID))
	}

	for _, item := range items {
		names = append(names, fmt.Sprintf("the library item %q (%s)", item.Name, item.ID))
	}

	return names, nil
}

// told lists the known names and says how many others there are.
func told(names []string, all int) string {
	names = names[:min(len(names), usersNamed)]

	switch others := all - len(names); {
	case others == 0:
	case len(names) == 0 && others == 1:
		names = append(names, "something that you may not see")
	case len(names) == 0:
		names = append(names, fmt.Sprintf("%d things that you may not see", others))
	case others == 1:
		names = append(names, "one other")
	default:
		names = append(names, fmt.Sprintf("%d others", others))
	}

	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " and " + names[last]
	}

	return names[0]
}
