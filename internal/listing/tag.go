package listing

import (
	"context"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/ent/tag"
	"github.com/reelgraph/reelgraph/ent/videotag"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// VisibleTag limits a query to tags that the viewer may see: the workspace's tags and the viewer's own.
func VisibleTag(who auth.Viewer) predicate.Tag {
	return tag.Or(tag.ScopeEQ(values.TagScopeWorkspace), tag.UserID(who.UserID))
}

// tagColumns maps each field of a tag to its columns.
var tagColumns = map[string][]string{ //nolint:gochecknoglobals // a constant
	"id":          nil,
	"name":        {tag.FieldName},
	"color":       {tag.FieldColor},
	"scope":       {tag.FieldScope},
	"description": {tag.FieldDescription},
	"createdAt":   {tag.FieldCreatedAt},
	"updatedAt":   {tag.FieldUpdatedAt},
}

// tagsBelow reads, for many videos, the tags that the viewer may see.
func (svc *Service) tagsBelow(who auth.Viewer, list Asked) ReadBelow[*ent.Video] {
	order := []sql.Querier{sql.Expr(tag.Table + "." + tag.FieldNameKey), sql.Expr(tag.Table + "." + tag.FieldID)}

	page := FirstPage(list, videotag.Table, videotag.FieldVideoID, order)
	page.sorted = true

	return EachList[*ent.Video](page,
		func(ctx context.Context, only func(*sql.Selector)) paging.Listing[*ent.Tag] {
			q := svc.Store.Client(ctx).Tag.Query().Where(VisibleTag(who))

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
