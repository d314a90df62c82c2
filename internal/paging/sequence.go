package paging

import (
	"context"
	"fmt"
	"strings"
	"time"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/cursor"
)

// Sequence is a list that is sorted by one column and then by id. Edits should rarely change the column. Each page
// starts after the position that the last row of the previous page had when that page was read.
type Sequence[T any] struct {
	*Service

	Name   string // identifies the list and its filters; cursors of other lists are rejected
	What   string // the name of the rows, for errors
	Column string
	// Falling makes the list begin with the greatest value and, among equal values, with the greatest id.
	Falling bool
	// Times tells that the column contains times.
	Times bool
	// Fold is an SQL expression that is the sort key, with %s in place of the column. If it is empty, the column itself
	// is the sort key.
	Fold string
	// At returns the value of the column, an int64, a string or a time, and the id of a row.
	At func(T) (key any, id string)
	// All returns a query of the list for the selected fields. The query applies the condition that is passed as
	// "only". Whole returns the same query without the selected fields.
	All   func(ctx context.Context, only func(*sql.Selector)) Listing[T]
	Whole func(ctx context.Context, only func(*sql.Selector)) Counting
}

// Page reads a page of the list.
func (q Sequence[T]) Page(ctx context.Context, size int, after *string) (*model.Connection[T], error) {
	behind, turn := func(*sql.Selector) {}, q.Turn(q.Name)

	if after != nil {
		c, err := turn.Open(ctx, *after)
		if err != nil {
			return nil, err
		}

		behind = q.behind(c)
	}

	rows, err := q.All(ctx, func(s *sql.Selector) {
		behind(s)
		s.OrderExpr(q.order(s, q.Column, q.Fold), q.order(s, IDColumn, "")).Limit(size + 1)
	}).All(showing[T](ctx, size))
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", q.What, err)
	}

	return q.pageAt(turn, rows, size, func(ctx context.Context) (int, error) {
		n, err := q.Whole(ctx, func(*sql.Selector) {}).Count(ctx)
		if err != nil {
			return 0, fmt.Errorf("count %s: %w", q.What, err)
		}

		return n, nil
	}), nil
}

// behind limits a query to the rows after a cursor.
func (q Sequence[T]) behind(c cursor.Cursor) func(*sql.Selector) {
	key := c.Column()
	if q.Times {
		key = time.UnixMilli(c.AtMs).UTC()
	}

	than := " > "
	if q.Falling {
		than = " < "
	}

	return func(s *sql.Selector) {
		s.Where(sql.P(func(b *sql.Builder) {
			b.Wrap(func(b *sql.Builder) {
				folded(b, q.Fold, func() { b.Ident(s.C(q.Column)) })
				b.Comma().Ident(s.C(IDColumn))
			}).WriteString(than).Wrap(func(b *sql.Builder) {
				folded(b, q.Fold, func() { b.Arg(key) })
				b.Comma().Arg(c.ID)
			})
		}))
	}
}

// order sorts by a column in the direction of the list.
func (q Sequence[T]) order(s *sql.Selector, column, fold string) sql.Querier {
	return sql.ExprFunc(func(b *sql.Builder) {
		folded(b, fold, func() { b.Ident(s.C(column)) })

		if q.Falling {
			b.WriteString(" DESC")
		}
	})
}

// folded writes a value within the SQL expression that makes it a sort key.
func folded(b *sql.Builder, fold string, value func()) {
	before, after, _ := strings.Cut(fold, "%s")
	b.WriteString(before)
	value()
	b.WriteString(after)
}

// PageOf builds the first page from rows that were already read. The caller must read one row more than size.
func (q Sequence[T]) PageOf(rows []T, size int, count func(context.Context) (int, error)) *model.Connection[T] {
	return q.pageAt(q.Turn(q.Name), rows, size, count)
}

func (q Sequence[T]) pageAt(t *Turn, rows []T, size int, count func(context.Context) (int, error)) *model.Connection[T] {
	return PageOf(t, rows, size, func(row T) cursor.Cursor {
		key, id := q.At(row)

		return cursor.Behind(key, id)
	}, count)
}

// Reshaped converts a page of rows into a page of the objects that the rows refer to.
func Reshaped[T any, S comparable](page *model.Connection[T], of func(T) S) *model.Connection[S] {
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
