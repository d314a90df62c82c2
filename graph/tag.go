package graph

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
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// visibleTag narrows tags to those the viewer may see: the workspace's and its own.
func visibleTag(who auth.Viewer) predicate.Tag {
	return tag.Or(tag.ScopeEQ(values.TagScopeWorkspace), tag.UserID(who.UserID))
}

// tagSequence is a list of tags the viewer may see, by name.
func (r *Resolver) tagSequence(who auth.Viewer, name string, of ...predicate.Tag) sequence[*ent.Tag] {
	query := func(ctx context.Context, only func(*sql.Selector)) *ent.TagQuery {
		q := r.Store.Client(ctx).Tag.Query().Where(visibleTag(who)).Where(of...)
		q.Modify(only)

		return q
	}

	return sequence[*ent.Tag]{
		Resolver: r, name: name, what: "tags", column: tag.FieldNameKey,
		at:    func(t *ent.Tag) (any, string) { return t.NameKey, t.ID },
		all:   func(ctx context.Context, only func(*sql.Selector)) listing[*ent.Tag] { return query(ctx, only) },
		whole: func(ctx context.Context, only func(*sql.Selector)) counting { return query(ctx, only) },
	}
}

// listTags reads a page of the tags the caller may see.
func (r *Resolver) listTags(ctx context.Context, size int, after *string) (*model.TagConnection, error) {
	who, err := viewer(ctx)
	if err != nil {
		return nil, err
	}

	return r.tagSequence(who, "tags|"+who.WorkspaceID+"|"+who.UserID).page(ctx, size, after)
}

// tagPage is a page of a video's tags.
func (r *Resolver) tagPage(ctx context.Context, v *ent.Video, size int, after *string) (*model.TagConnection, error) {
	who, err := viewer(ctx)
	if err != nil {
		return nil, err
	}

	tags := r.tagSequence(who, "tags|"+v.ID, tag.HasVideoTagsWith(videotag.VideoID(v.ID)))

	if rows, known := listBelow[*ent.Tag](v, listName("tags", size)); known && after == nil {
		return tags.pageOf(rows, size, totalOf(rows)), nil
	}

	return tags.page(ctx, size, after)
}

// tagColumns says which columns a field of a tag is made of.
var tagColumns = map[string][]string{ //nolint:gochecknoglobals // a constant
	"id":          nil,
	"name":        {tag.FieldName},
	"color":       {tag.FieldColor},
	"scope":       {tag.FieldScope},
	"description": {tag.FieldDescription},
	"createdAt":   {tag.FieldCreatedAt},
	"updatedAt":   {tag.FieldUpdatedAt},
}

// tagsBelow reads the tags of each of many videos that the viewer may see.
func (r *Resolver) tagsBelow(who auth.Viewer, list asked) readBelow[*ent.Video] {
	order := []sql.Querier{sql.Expr(tag.Table + "." + tag.FieldNameKey), sql.Expr(tag.Table + "." + tag.FieldID)}

	page := firstPage(list, videotag.Table, videotag.FieldVideoID, order)
	page.sorted = true

	return eachList[*ent.Video](page,
		func(ctx context.Context, only func(*sql.Selector)) listing[*ent.Tag] {
			q := r.Store.Client(ctx).Tag.Query().Where(visibleTag(who))

			if columns, all := madeOf(list.Tree.Items(), tagColumns, tag.FieldID, tag.FieldNameKey); all {
				q.Select(columns...)
			}

			q.Modify(func(s *sql.Selector) {
				links := sql.Table(videotag.Table).As(videotag.Table)
				s.Join(links).On(s.C(tag.FieldID), links.C(videotag.FieldTagID))
				only(s)
			})

			return q
		})
}

// tagOf is a tag the caller may see, or not_found. Whoever is to write by it locks it.
func (r *Resolver) tagOf(ctx context.Context, id, what string, locks ...func(*ent.TagQuery)) (*ent.Tag, error) {
	who, err := viewer(ctx)
	if err != nil {
		return nil, err
	}

	if !ids.Is(ids.Tag, id) {
		return nil, fault.NotFound(what)
	}

	q := r.Store.Client(ctx).Tag.Query().Where(tag.ID(id), visibleTag(who))
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

// editableTag locks a tag the caller may edit, until the transaction ends. It answers not_found or forbidden.
func (r *Resolver) editableTag(ctx context.Context, id string) (*ent.Tag, error) {
	who, err := viewer(ctx)
	if err != nil {
		return nil, err
	}

	found, err := r.tagOf(ctx, id, "tag", func(q *ent.TagQuery) { q.ForUpdate() })
	if err != nil {
		return nil, err
	}

	return found, owns(who, found.UserID, "tag")
}

// nameKey is a name folded, so that equal names ignore case.
func nameKey(name string) string { return cases.Fold().String(name) }

// createTag makes a tag, in the colour of its name unless another is given.
func (r *Resolver) createTag(ctx context.Context, in model.CreateTagInput) (*ent.Tag, error) {
	return store.Write(ctx, r.Store, &in, func(ctx context.Context) (*ent.Tag, error) {
		who, err := creator(ctx)
		if err != nil {
			return nil, err
		}

		next := ent.Tag{
			ID: ids.New(ids.Tag), UserID: who.UserID, Name: in.Name, NameKey: nameKey(in.Name),
			Scope: values.TagScopeWorkspace, Color: values.ColorOf(nameKey(in.Name)),
		}

		give(&next.Scope, in.Scope)
		give(&next.Color, in.Color)
		give(&next.Description, in.Description)

		if err := r.refuseName(ctx, &next); err != nil {
			return nil, err
		}

		now := r.Store.Now()

		made, err := r.Store.Client(ctx).Tag.Create().SetID(next.ID).SetUserID(who.UserID).SetName(next.Name).SetNameKey(next.NameKey).
			SetScope(next.Scope).SetColor(colour(next.Color)).SetDescription(next.Description).
			SetCreatedAt(now).SetUpdatedAt(now).Save(ctx)
		if ent.IsConstraintError(err) {
			return nil, errTaken().Because(err) // another request was faster
		}

		if err != nil {
			return nil, fmt.Errorf("create tag: %w", err)
		}

		return made, nil
	})
}

func errTaken() *fault.Error {
	return fault.Conflict("There is a tag of this name in this scope already.")
}

// refuseName answers conflict when another tag of the scope has the name.
func (r *Resolver) refuseName(ctx context.Context, t *ent.Tag) error {
	q := r.Store.Client(ctx).Tag.Query().Where(tag.IDNEQ(t.ID), tag.NameKey(t.NameKey), tag.ScopeEQ(t.Scope))
	if t.Scope == values.TagScopePrivate {
		q.Where(tag.UserID(t.UserID))
	}

	taken, err := q.Exist(ctx)
	if err != nil {
		return fmt.Errorf("look for the name: %w", err)
	}

	if taken {
		return errTaken()
	}

	return nil
}

// updateTag changes what the input names. A change of nothing leaves its time.
func (r *Resolver) updateTag(ctx context.Context, id string, in model.UpdateTagInput) (*ent.Tag, error) {
	return store.Write(ctx, r.Store, &in, func(ctx context.Context) (*ent.Tag, error) {
		was, err := r.editableTag(ctx, id)
		if err != nil {
			return nil, err
		}

		next := *was
		give(&next.Name, in.Name)
		give(&next.Color, in.Color)
		give(&next.Description, in.Description)

		next.NameKey, next.Color = nameKey(next.Name), colour(next.Color)
		if next.Name == was.Name && next.Color == was.Color && next.Description == was.Description {
			return was, nil
		}

		if err := r.refuseName(ctx, &next); err != nil {
			return nil, err
		}

		changed, err := r.Store.Client(ctx).Tag.UpdateOneID(id).SetName(next.Name).SetNameKey(next.NameKey).SetColor(next.Color).
			SetDescription(next.Description).SetUpdatedAt(r.Store.Now()).Save(ctx)
		if ent.IsConstraintError(err) {
			return nil, errTaken().Because(err)
		}

		if err != nil {
			return nil, fmt.Errorf("update tag: %w", err)
		}

		return changed, nil
	})
}

// deleteTag removes a tag, also from the videos that have it.
func (r *Resolver) deleteTag(ctx context.Context, id string) error {
	_, err := store.Write(ctx, r.Store, nil, func(ctx context.Context) (struct{}, error) {
		if _, err := r.editableTag(ctx, id); err != nil {
			return struct{}{}, err
		}

		if err := r.Store.Client(ctx).Tag.DeleteOneID(id).Exec(ctx); err != nil {
			return struct{}{}, fmt.Errorf("delete tag: %w", err)
		}

		return struct{}{}, nil
	})

	return err
}

// tagVideo puts a tag on a video. One that is there already stays. The video's revision does too.
func (r *Resolver) tagVideo(ctx context.Context, videoID, tagID string) (*model.TagVideoPayload, error) {
	return store.Write(ctx, r.Store, nil, func(ctx context.Context) (*model.TagVideoPayload, error) {
		v, err := r.lockedVideo(ctx, videoID)
		if err != nil {
			return nil, err
		}

		t, err := r.tagOf(ctx, tagID, "tag at tagId", func(q *ent.TagQuery) { q.ForShare() })
		if err != nil {
			return nil, err
		}

		if err := r.refuseEdit(ctx, v); err != nil {
			return nil, err
		}

		there, err := r.Store.Client(ctx).VideoTag.Query().Where(videotag.VideoID(v.ID), videotag.TagID(t.ID)).Exist(ctx)
		if err != nil {
			return nil, fmt.Errorf("read tags: %w", err)
		}

		if !there {
			if err := r.Store.Client(ctx).VideoTag.Create().SetVideo(v).SetTag(t).SetCreatedAt(r.Store.Now()).Exec(ctx); err != nil {
				return nil, fmt.Errorf("tag video: %w", err)
			}
		}

		return &model.TagVideoPayload{Video: v, Tag: t}, nil
	})
}

// untagVideo takes a tag off a video. One that is not on it, or that the caller may not know of, is
// not_found.
func (r *Resolver) untagVideo(ctx context.Context, videoID, tagID string) (*ent.Video, error) {
	return store.Write(ctx, r.Store, nil, func(ctx context.Context) (*ent.Video, error) {
		who, err := viewer(ctx)
		if err != nil {
			return nil, err
		}

		v, err := r.lockedVideo(ctx, videoID)
		if err != nil {
			return nil, err
		}

		there, err := r.Store.Client(ctx).VideoTag.Query().
			Where(videotag.VideoID(v.ID), videotag.HasTagWith(tag.ID(tagID), visibleTag(who))).OnlyID(ctx)
		if ent.IsNotFound(err) {
			return nil, fault.NotFound("tag on this video")
		}

		if err != nil {
			return nil, fmt.Errorf("read tags: %w", err)
		}

		if err := r.refuseEdit(ctx, v); err != nil {
			return nil, err
		}

		if err := r.Store.Client(ctx).VideoTag.DeleteOneID(there).Exec(ctx); err != nil {
			return nil, fmt.Errorf("untag video: %w", err)
		}

		return v, nil
	})
}
