package videos

import (
	"context"
	"fmt"

	"entgo.io/ent/dialect/sql"
	"golang.org/x/text/cases"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/ent/tag"
	"github.com/reelgraph/reelgraph/ent/videotag"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// tagSequence is a list of the tags that the viewer may see, by name.
func (svc Tags) tagSequence(who auth.Viewer, name string, of ...predicate.Tag) paging.Sequence[*ent.Tag] {
	query := func(ctx context.Context, only func(*sql.Selector)) *ent.TagQuery {
		q := svc.Store.Client(ctx).Tag.Query().Where(listing.VisibleTag(who)).Where(of...)
		q.Modify(only)

		return q
	}

	return paging.Sequence[*ent.Tag]{
		Service: svc.Listing.Paging, Name: name, What: "tags", Column: tag.FieldNameKey,
		At:    func(t *ent.Tag) (any, string) { return t.NameKey, t.ID },
		All:   func(ctx context.Context, only func(*sql.Selector)) paging.Listing[*ent.Tag] { return query(ctx, only) },
		Whole: func(ctx context.Context, only func(*sql.Selector)) paging.Counting { return query(ctx, only) },
	}
}

// ListTags returns a page of the tags the caller may see.
func (svc Tags) ListTags(ctx context.Context, size int, after *string) (*model.TagConnection, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	return svc.tagSequence(who, "tags|"+who.WorkspaceID+"|"+who.UserID).Page(ctx, size, after)
}

// TagPage returns a page of a video's tags.
func (svc Tags) TagPage(ctx context.Context, v *ent.Video, size int, after *string) (*model.TagConnection, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	tags := svc.tagSequence(who, "tags|"+v.ID, tag.HasVideoTagsWith(videotag.VideoID(v.ID)))

	if rows, known := listing.ListBelow[*ent.Tag](v, listing.ListName("tags", size)); known && after == nil {
		return tags.PageOf(rows, size, listing.TotalOf(rows)), nil
	}

	return tags.Page(ctx, size, after)
}

// TagOf returns a tag, or not_found if the caller may not see it. The argument "what" describes the tag in the error
// message. To lock the tag before changing it, pass a function that adds the lock to the query.
func (svc Tags) TagOf(ctx context.Context, id, what string, locks ...func(*ent.TagQuery)) (*ent.Tag, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	if !ids.Is(ids.Tag, id) {
		return nil, fault.NotFound(what)
	}

	q := svc.Store.Client(ctx).Tag.Query().Where(tag.ID(id), listing.VisibleTag(who))
	for _, lock := range locks {
		lock(q)
	}

	found, err := q.Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.NotFound(what)
	}

	if err != nil {
		return nil, fmt.Errorf("read tag: %w", err)
	}

	return found, nil
}

// editableTag locks a tag the caller may edit until the transaction ends. It returns not_found or forbidden.
func (svc Tags) editableTag(ctx context.Context, id string) (*ent.Tag, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	found, err := svc.TagOf(ctx, id, "tag", func(q *ent.TagQuery) { q.ForUpdate() })
	if err != nil {
		return nil, err
	}

	return found, access.Owns(who, found.UserID, "tag")
}

// nameKey returns a name with case folded, so that comparisons ignore case.
func nameKey(name string) string { return cases.Fold().String(name) }

// CreateTag creates a tag. If the input gives no color, the color is derived from the name.
func (svc Tags) CreateTag(ctx context.Context, in model.CreateTagInput) (*ent.Tag, error) {
	return store.Write(ctx, svc.Store, &in, func(ctx context.Context) (*ent.Tag, error) {
		who, err := access.Creator(ctx)
		if err != nil {
			return nil, err
		}

		next := ent.Tag{
			ID: ids.New(ids.Tag), UserID: who.UserID, Name: in.Name, NameKey: nameKey(in.Name),
			Scope: values.TagScopeWorkspace, Color: values.ColorOf(nameKey(in.Name)),
		}

		optional.Give(&next.Scope, in.Scope)
		optional.Give(&next.Color, in.Color)
		optional.Give(&next.Description, in.Description)

		if err := svc.refuseName(ctx, &next); err != nil {
			return nil, err
		}

		now := svc.Store.Now()

		made, err := svc.Store.Client(ctx).Tag.Create().SetID(next.ID).SetUserID(who.UserID).SetName(next.Name).SetNameKey(next.NameKey).
			SetScope(next.Scope).SetColor(Colour(next.Color)).SetDescription(next.Description).
			SetCreatedAt(now).SetUpdatedAt(now).Save(ctx)
		if ent.IsConstraintError(err) {
			return nil, errTaken().Because(err) // another request created it first
		}

		if err != nil {
			return nil, fmt.Errorf("create tag: %w", err)
		}

		return made, nil
	})
}

func errTaken() *fault.Error {
	return fault.Conflict("A tag with this name already exists in this scope.")
}

// refuseName returns a conflict when another tag of the scope has the name.
func (svc Tags) refuseName(ctx context.Context, t *ent.Tag) error {
	q := svc.Store.Client(ctx).Tag.Query().Where(tag.IDNEQ(t.ID), tag.NameKey(t.NameKey), tag.ScopeEQ(t.Scope))
	if t.Scope == values.TagScopePrivate {
		q.Where(tag.UserID(t.UserID))
	}

	taken, err := q.Exist(ctx)
	if err != nil {
		return fmt.Errorf("find tag by name: %w", err)
	}

	if taken {
		return errTaken()
	}

	return nil
}

// UpdateTag changes the fields that the input contains. If nothing changes, the tag keeps its update time.
func (svc Tags) UpdateTag(ctx context.Context, id string, in model.UpdateTagInput) (*ent.Tag, error) {
	return store.Write(ctx, svc.Store, &in, func(ctx context.Context) (*ent.Tag, error) {
		was, err := svc.editableTag(ctx, id)
		if err != nil {
			return nil, err
		}

		next := *was
		optional.Give(&next.Name, in.Name)
		optional.Give(&next.Color, in.Color)
		optional.Give(&next.Description, in.Description)

		next.NameKey, next.Color = nameKey(next.Name), Colour(next.Color)
		if next.Name == was.Name && next.Color == was.Color && next.Description == was.Description {
			return was, nil
		}

		if err := svc.refuseName(ctx, &next); err != nil {
			return nil, err
		}

		changed, err := svc.Store.Client(ctx).Tag.UpdateOneID(id).SetName(next.Name).SetNameKey(next.NameKey).SetColor(next.Color).
			SetDescription(next.Description).SetUpdatedAt(svc.Store.Now()).Save(ctx)
		if ent.IsConstraintError(err) {
			return nil, errTaken().Because(err)
		}

		if err != nil {
			return nil, fmt.Errorf("update tag: %w", err)
		}

		return changed, nil
	})
}

// DeleteTag deletes a tag and removes it from all videos.
func (svc Tags) DeleteTag(ctx context.Context, id string) error {
	_, err := store.Write(ctx, svc.Store, nil, func(ctx context.Context) (struct{}, error) {
		if _, err := svc.editableTag(ctx, id); err != nil {
			return struct{}{}, err
		}

		if err := svc.Store.Client(ctx).Tag.DeleteOneID(id).Exec(ctx); err != nil {
			return struct{}{}, fmt.Errorf("delete tag: %w", err)
		}

		return struct{}{}, nil
	})

	return err
}

// TagVideo adds a tag to a video. It does nothing if the video already has the tag. The video's revision does not
// change.
func (svc Tags) TagVideo(ctx context.Context, videoID, tagID string) (*model.TagVideoPayload, error) {
	return store.Write(ctx, svc.Store, nil, func(ctx context.Context) (*model.TagVideoPayload, error) {
		v, err := svc.Listing.Rights().LockedVideo(ctx, videoID)
		if err != nil {
			return nil, err
		}

		t, err := svc.TagOf(ctx, tagID, "tag at tagId", func(q *ent.TagQuery) { q.ForShare() })
		if err != nil {
			return nil, err
		}

		if err := svc.Listing.Rights().RefuseEdit(ctx, v); err != nil {
			return nil, err
		}

		there, err := svc.Store.Client(ctx).VideoTag.Query().Where(videotag.VideoID(v.ID), videotag.TagID(t.ID)).Exist(ctx)
		if err != nil {
			return nil, fmt.Errorf("read tags: %w", err)
		}

		if !there {
			if err := svc.Store.Client(ctx).VideoTag.Create().SetVideo(v).SetTag(t).SetCreatedAt(svc.Store.Now()).Exec(ctx); err != nil {
				return nil, fmt.Errorf("tag video: %w", err)
			}
		}

		return &model.TagVideoPayload{Video: v, Tag: t}, nil
	})
}

// UntagVideo removes a tag from a video. It returns not_found if the video does not have the tag or the caller may
// not know of the tag.
func (svc Tags) UntagVideo(ctx context.Context, videoID, tagID string) (*ent.Video, error) {
	return store.Write(ctx, svc.Store, nil, func(ctx context.Context) (*ent.Video, error) {
		who, err := access.Viewer(ctx)
		if err != nil {
			return nil, err
		}

		v, err := svc.Listing.Rights().LockedVideo(ctx, videoID)
		if err != nil {
			return nil, err
		}

		there, err := svc.Store.Client(ctx).VideoTag.Query().
			Where(videotag.VideoID(v.ID), videotag.HasTagWith(tag.ID(tagID), listing.VisibleTag(who))).OnlyID(ctx)
		if ent.IsNotFound(err) {
			return nil, fault.NotFound("tag on this video")
		}

		if err != nil {
			return nil, fmt.Errorf("read tags: %w", err)
		}

		if err := svc.Listing.Rights().RefuseEdit(ctx, v); err != nil {
			return nil, err
		}

		if err := svc.Store.Client(ctx).VideoTag.DeleteOneID(there).Exec(ctx); err != nil {
			return nil, fmt.Errorf("untag video: %w", err)
		}

		return v, nil
	})
}

// TagsNamed returns those of the named tags that the caller may see, in any order.
func (svc Tags) TagsNamed(ctx context.Context, named []string) ([]*ent.Tag, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	rows, err := svc.Store.Client(ctx).Tag.Query().Where(tag.IDIn(named...), listing.VisibleTag(who)).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read tags: %w", err)
	}

	return rows, nil
}
