package listing

import (
	"context"
	"fmt"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/comment"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/cursor"
)

// commentColumns maps each field of a comment to its columns.
var commentColumns = map[string][]string{ //nolint:gochecknoglobals // a constant
	"id":        nil,
	"videoId":   {comment.FieldVideoID},
	"userId":    {comment.FieldUserID},
	"author":    {comment.FieldAuthor},
	"body":      {comment.FieldBody},
	"atSeconds": {comment.FieldAtMs},
	"createdAt": nil,
}

// selectComment reads only the selected columns of comments.
func selectComment(q *ent.CommentQuery, sel selection.Tree) {
	if columns, all := madeOf(sel, commentColumns, comment.FieldID, comment.FieldCreatedAt); all {
		q.Select(columns...)
	}
}

func commentOrder() []sql.Querier {
	return []sql.Querier{sql.Expr(comment.FieldCreatedAt), sql.Expr(comment.FieldID)}
}

// commentsBelow reads the comments of many videos.
func (svc *Service) commentsBelow(list Asked) ReadBelow[*ent.Video] {
	return EachList[*ent.Video](FirstPage(list, comment.Table, comment.FieldVideoID, commentOrder()),
		func(ctx context.Context, only func(*sql.Selector)) paging.Listing[*ent.Comment] {
			q := svc.Store.Client(ctx).Comment.Query()
			selectComment(q, list.Tree.Items())
			q.Modify(only)

			return q
		})
}

// CommentPage returns a page of the comments on a video, oldest first. It does not check whether the caller may read the
// video, so check this before.
func (svc *Service) CommentPage(ctx context.Context, v *ent.Video, size int, after *string) (*model.CommentConnection, error) {
	turn := svc.Paging.Turn("comments|" + v.ID)
	placeOf := func(c *ent.Comment) cursor.Cursor { return paging.PositionAt(c.CreatedAt, c.ID) }

	if rows, known := ListBelow[*ent.Comment](v, ListName("comments", size)); known && after == nil {
		return paging.PageOf(turn, rows, size, placeOf, TotalOf(rows)), nil
	}

	q := svc.Store.Client(ctx).Comment.Query().Where(comment.VideoID(v.ID))
	count := q.Clone()
	selectComment(q, selection.Of(ctx).Items())

	if after != nil {
		c, err := turn.Open(ctx, *after)
		if err != nil {
			return nil, err
		}

		q.Where(paging.Behind(c, comment.FieldCreatedAt))
	}

	rows, err := q.Order(ent.Asc(comment.FieldCreatedAt, comment.FieldID)).Limit(size + 1).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("list comments: %w", err)
	}

	return paging.PageOf(turn, rows, size, placeOf, count.Count), nil
}
