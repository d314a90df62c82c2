package listing

import (
	"context"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// wholeAtMost is how many rows sorted lists may have together and still be read whole, whatever their pages are: as
// many as a page of the greatest pages shows. To number the rows of each list costs Postgres more than to send some more.
const wholeAtMost = 100 * (100 + 1)

// placeColumn is which a row is in its list, from 1; it is not read.
const placeColumn = "place"

// sortedBelow reads lists that no index has in their order, and that have pages: whole if they are short, as they
// mostly are, else what their pages show.
func sortedBelow[Below paging.Entity](
	ctx context.Context, list Nested, ids []string, all func(context.Context, func(*sql.Selector)) paging.Listing[Below],
) (map[string][]Below, error) {
	rows, err := all(ctx, list.whole(ids)).All(ctx)
	if err != nil {
		return nil, err //nolint:wrapcheck // eachList says which list
	}

	if len(rows) <= wholeAtMost {
		return cut(list, listsOf(list, rows)), nil
	}

	if rows, err = all(ctx, list.numbered(ids)).All(ctx); err != nil {
		return nil, err //nolint:wrapcheck // as above
	}

	return listsOf(list, rows), nil
}

// whole turns a query of the rows of any list into one of all rows of these lists, or of one more than are read whole.
func (n Nested) whole(ids []string) func(*sql.Selector) {
	return func(s *sql.Selector) {
		s.Where(store.Among(n.qualified(), ids)).AppendSelectAs(n.qualified(), ent.AboveColumn)
		s.OrderBy(ent.AboveColumn).OrderExpr(n.order...).Limit(wholeAtMost + 1)
	}
}

// numbered turns it into one of what their pages show: one join of all where a lateral one would be made for each row.
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
		s.OrderBy(ent.AboveColumn).OrderExpr(n.order...) // as the window has sorted them
	}
}

// cut leaves of whole lists what their pages show, and the row behind it. The rows bear how many there were.
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
