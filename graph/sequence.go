package graph

import (
	"context"
	"fmt"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/cursor"
)

// sequence is a list in an order of its own that edits hardly ever touch: by one column, then by id.
// Its pages go on behind the last row, wherever that stands now.
type sequence[T any] struct {
	*Resolver

	name   string // of the list and its filters: its cursors open no other
	what   string // it is a list of, for the log
	column string
	// at is the value of the column, an int64 or a string, and the id of a row.
	at func(T) (key any, id string)
	// all is a query of the list, narrowed by only, with what is selected of its rows; whole the same
	// without what is selected.
	all   func(ctx context.Context, only func(*sql.Selector)) listing[T]
	whole func(ctx context.Context, only func(*sql.Selector)) counting
}

// page reads a page of the list.
func (q sequence[T]) page(ctx context.Context, size int, after *string) (*model.Connection[T], error) {
	behind, turn := func(*sql.Selector) {}, q.turn(q.name)

	if after != nil {
		c, err := turn.open(ctx, *after)
		if err != nil {
			return nil, err
		}

		behind = func(s *sql.Selector) {
			s.Where(sql.CompositeGT([]string{s.C(q.column), s.C(idColumn)}, c.Column(), c.ID))
		}
	}

	rows, err := q.all(ctx, func(s *sql.Selector) {
		behind(s)
		s.OrderBy(s.C(q.column), s.C(idColumn)).Limit(size + 1)
	}).All(showing[T](ctx, size))
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", q.what, err)
	}

	return q.pageAt(turn, rows, size, func(ctx context.Context) (int, error) {
		n, err := q.whole(ctx, func(*sql.Selector) {}).Count(ctx)
		if err != nil {
			return 0, fmt.Errorf("count %s: %w", q.what, err)
		}

		return n, nil
	}), nil
}

// pageOf makes the first page of rows that were read already, one beyond its size.
func (q sequence[T]) pageOf(rows []T, size int, count func(context.Context) (int, error)) *model.Connection[T] {
	return q.pageAt(q.turn(q.name), rows, size, count)
}

func (q sequence[T]) pageAt(t *turn, rows []T, size int, count func(context.Context) (int, error)) *model.Connection[T] {
	return pageOf(t, rows, size, func(row T) cursor.Cursor {
		key, id := q.at(row)

		return cursor.Behind(key, id)
	}, count)
}

// reshaped is a page of what stands behind the rows of another.
func reshaped[T any, S comparable](page *model.Connection[T], of func(T) S) *model.Connection[S] {
	nodes, rows := make([]S, len(page.Nodes)), map[S]T{}

	for i, row := range page.Nodes {
		nodes[i] = of(row)
		rows[nodes[i]] = row
	}

	return &model.Connection[S]{
		Nodes: nodes, PageInfo: page.PageInfo, Count: page.Count,
		CursorOf: func(node S) string { return page.CursorOf(rows[node]) },
	}
}
