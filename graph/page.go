package graph

import (
	"context"
	"strconv"
	"sync"

	"entgo.io/ent"
	"entgo.io/ent/dialect/sql"
	"github.com/99designs/gqlgen/graphql"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
)

// totalColumn is the extra column in which a nested list carries its parent's total.
const totalColumn = "total_rows"

// pageOf makes a page of rows that were read one beyond its size.
func pageOf[T any](rows []T, size int, cursorOf func(T) string, count func(context.Context) (int, error)) *model.Connection[T] {
	page := &model.Connection[T]{Nodes: rows, CursorOf: cursorOf, Count: counted(count)}

	if len(rows) > size {
		page.Nodes, page.PageInfo.HasNextPage = rows[:size], true
	}

	if n := len(page.Nodes); n > 0 {
		page.PageInfo.End = func() string { return cursorOf(page.Nodes[n-1]) }
	}

	return page
}

// counted counts once, whoever asks: aliases of one total are resolved at once, and a query of ent is not
// for two.
func counted(count func(context.Context) (int, error)) func(context.Context) (int, error) {
	var (
		mu   sync.Mutex
		done bool
		n    int
		err  error
	)

	return func(ctx context.Context) (int, error) {
		mu.Lock()
		defer mu.Unlock()

		if !done {
			n, err = count(ctx)
			done = true
		}

		return n, err
	}
}

// firstOfEach keeps the rows that a page of every parent's list needs, one beyond its size, so that the
// lists of many parents are one statement. order is the order of the list. If its length is asked for,
// every row bears it.
func firstOfEach(list selection.Node, parent string, order ...sql.Querier) func(*sql.Selector) {
	return func(s *sql.Selector) {
		counted := list.Tree.Has("totalCount")

		ranked := s.Clone().AppendSelectExprAs(sql.RowNumber().PartitionBy(s.C(parent)).OrderExpr(order...), "place")
		if counted {
			ranked.AppendSelectExprAs(sql.Window(func(b *sql.Builder) { b.WriteString("COUNT(*)") }).PartitionBy(s.C(parent)), totalColumn)
		}

		outer := sql.Dialect(s.Dialect()).Select(s.UnqualifiedColumns()...).From(ranked.As(s.TableName()))
		if counted {
			outer.AppendSelect(totalColumn)
		}

		*s = *outer.Where(sql.LTE("place", sizeOf(list)+1)).OrderBy(parent, "place")
	}
}

// totalOf reads the total that firstOfEach added to any row of a list.
func totalOf[T interface {
	Value(string) (ent.Value, error)
}](rows []T) func(context.Context) (int, error) {
	return func(context.Context) (int, error) {
		if len(rows) == 0 {
			return 0, nil
		}

		total, err := rows[0].Value(totalColumn)
		if err != nil {
			return 0, err //nolint:wrapcheck // ent says which column
		}

		n, _ := total.(int64)

		return int(n), nil
	}
}

// nameOf is the name under which a list was loaded with its parent: the alias of the field that is
// being resolved and the size of its page, so that one list may be asked for twice.
func nameOf(ctx context.Context, field string, size int) string {
	return listName(fieldAlias(ctx, field), size)
}

// fieldAlias is what the answer calls the field that is being resolved.
func fieldAlias(ctx context.Context, field string) string {
	if fc := graphql.GetFieldContext(ctx); fc != nil && fc.Field.Field != nil && fc.Field.Name == field {
		return fc.Field.Alias
	}

	return field
}

// listName joins an alias and a page size: below nodes and below edges one alias may have two sizes.
func listName(alias string, size int) string { return alias + ":" + strconv.Itoa(size) }
