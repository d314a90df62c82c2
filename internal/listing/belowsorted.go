package listing

import (
	"context"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// wholeAtMost is how many rows the sorted lists may have together to be read whole, whatever their page sizes. It
// equals the rows that a page of the largest pages shows. Numbering the rows of each list costs Postgres more than
// sending a few extra rows.
const wholeAtMost = 100 * (100 + 1)

// placeColumn is a row's position in its list, counted from 1. It is not read.
const placeColumn = "place"

// sortedBelow reads paged lists for whose order there is no index. Short lists, the usual case, are read whole;
// otherwise only the rows of their pages are read.
func sortedBelow[Below paging.Entity](
	ctx context.Context, list Nested, ids []string, all func(context.Context, func(*sql.Selector)) paging.Listing[Below],
) (map[string][]Below, error) {
	rows, err := all(ctx, list.whole(ids)).All(ctx)
	if err != nil {
		return nil, err //nolint:wrapcheck // EachList says which list
	}

	if len(rows) <= wholeAtMost {
		return cut(list, listsOf(list, rows)), nil
	}

	if rows, err = all(ctx, list.numbered(ids)).All(ctx); err != nil {
		return nil, err //nolint:wrapcheck // as above
	}

	return listsOf(list, rows), nil
}

// whole turns a query for rows of any list into one for all rows of these lists, up to one more than may be read whole.
func (n Nested) whole(ids []string) func(*sql.Selector) {
	return func(s *sql.Selector) {
		s.Where(store.Among(n.qualified(), ids)).AppendSelectAs(n.qualified(), ent.AboveColumn)
		s.OrderBy(ent.AboveColumn).OrderExpr(n.order...).Limit(wholeAtMost + 1)
	}
}

// numbered turns it into a query for the rows of the pages: one join for all lists instead of one lateral subquery for
// each row.
func (n Nested) numbered(ids []string) func(*sql.Selector) {
	parent := n.qualified()
	over := func(order ...sql.Querier) sql.Querier {
		return sql.ExprFunc(func(b *sql.Builder) {
			b.WriteString("PARTITION BY ").Ident(parent)

			if len(order) > 0 {
				b.WriteString(" ORDER BY ").JoinComma(order...)
			}
		})
	}
	window := func(function string, of sql.Querier) sql.Querier {
		return sql.ExprFunc(func(b *sql.Builder) {
			b.WriteString(function + " OVER ").Wrap(func(b *sql.Builder) { b.Join(of) })
		})
	}

	return func(s *sql.Selector) {
		table := s.TableName()
		all := s.Clone().Where(store.Among(parent, ids))
		all.AppendSelectAs(parent, ent.AboveColumn).AppendSelectExprAs(window("row_number()", over(n.order...)), placeColumn)

		columns := append(s.UnqualifiedColumns(), ent.AboveColumn)

		if n.total {
			columns = append(columns, ent.TotalColumn)
			all.AppendSelectExprAs(window("COUNT(*)", over()), ent.TotalColumn)
		}

		*s = *sql.Dialect(s.Dialect()).Select(columns...).From(all.As(table))
		s.Where(sql.LTE(placeColumn, n.size+1))
		s.OrderBy(ent.AboveColumn).OrderExpr(n.order...) // in the order of the window function
	}
}

// cut trims whole lists to their pages and one more row. The rows hold the full length of their list.
func cut[Below paging.Entity](list Nested, lists map[string][]Below) map[string][]Below {
	for of, rows := range lists {
		shown := min(len(rows), list.size+1)
		lists[of] = rows[:shown:shown]

		for _, row := range lists[of] {
			_, extra := row.Below()
			extra.Total = len(rows)
		}
	}

	return lists
}
