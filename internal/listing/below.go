package listing

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// Nested is a list that stands below many rows. Reading them reads it too, in one statement for all of
// them: each row's own list is a lateral subquery, which stops where its page does, or all lists are sorted
// together.
type Nested struct {
	name   string        // under which the rows bear it
	table  string        // of the column that names the row it stands below: its own, or one that is joined
	parent string        // that column
	order  []sql.Querier // of the list; the columns are among those that are read
	size   int           // of the page, one beyond which is read; 0 is the whole list
	total  bool          // whether every row is to bear how long the list is
	sorted bool          // whether no index has the order, so that all rows of a list are sorted for its page anyway
}

// Asked is a field that is asked for below many rows, with what is selected of it in all places. It is made by
// firstPages alone.
type Asked struct{ selection.Node }

// FirstPages are the fields that are asked for, lists from their beginning, each once: what is selected of one list
// under several aliases, or below nodes and below edges, is read together.
func FirstPages(nodes []selection.Node) []Asked {
	fields := make([]Asked, 0, len(nodes))

	for _, node := range nodes {
		if _, paged := node.Text("after"); paged {
			continue
		}

		same := func(f Asked) bool { return f.Name == node.Name && f.name() == Asked{node}.name() }

		if i := slices.IndexFunc(fields, same); i >= 0 {
			fields[i].Tree = fields[i].Tree.And(node.Tree)
		} else {
			fields = append(fields, Asked{node})
		}
	}

	return fields
}

// name is the name of the list that is asked for.
func (a Asked) name() string {
	switch a.Name {
	case "effects":
		return effectsName(a.Name, sizeOf(a.Node), kindsOf(a.Node))
	case "words":
		return wordsName(sizeOf(a.Node), setOf(a.Node))
	default:
		return ListName(a.Name, sizeOf(a.Node))
	}
}

// ListName is the name under which rows bear a list: its field and the size of its page. Lists that differ in more
// add that.
func ListName(field string, size int) string { return field + ":" + strconv.Itoa(size) }

// FirstPage is the first page of a list that a document asks for below many rows.
func FirstPage(list Asked, table, parent string, order []sql.Querier) Nested {
	return Nested{
		name: list.name(), table: table, parent: parent, order: order,
		size: sizeOf(list.Node), total: list.Tree.Has("totalCount"),
	}
}

// wholeList is all of a list that stands below many rows.
func wholeList(name, table, parent string, order ...sql.Querier) Nested {
	return Nested{name: name, table: table, parent: parent, order: order}
}

// ReadBelow reads something for rows that were read, such as a list that stands below each.
type ReadBelow[Above paging.Entity] func(ctx context.Context, above []Above) error

// WithBelow has a query read something below its rows: each read has a statement or several of its own.
func WithBelow[Above paging.Entity, Q interface{ Intercept(i ent.Interceptor) Q }](q Q, below []ReadBelow[Above]) {
	if len(below) == 0 {
		return
	}

	q.Intercept(ent.InterceptFunc(func(next ent.Querier) ent.Querier {
		return ent.QuerierFunc(func(ctx context.Context, q ent.Query) (ent.Value, error) {
			found, err := next.Query(ctx, q)
			if err != nil {
				return nil, err //nolint:wrapcheck // the list that was asked for says what was attempted
			}

			above, are := found.([]Above)
			if !are || len(above) == 0 { // they are counted, or there are none
				return found, nil
			}

			if size, page := ctx.Value(paging.Shown[Above]{}).(int); page {
				above = above[:min(len(above), size)]
			}

			for _, read := range below {
				if err := read(ctx, above); err != nil {
					return nil, err //nolint:wrapcheck // it says what it read
				}
			}

			return found, nil
		})
	}))
}

// EachList reads a list below each row. all is a query of the rows of any list, narrowed by only. Whoever resolves the
// list must not write to its rows, which others resolve at once: tell does.
func EachList[Above, Below paging.Entity](
	list Nested, all func(ctx context.Context, only func(*sql.Selector)) paging.Listing[Below], tell ...func(Above, Below),
) ReadBelow[Above] {
	return func(ctx context.Context, above []Above) error {
		lists, err := listsBelow(ctx, list, idsOf(above), all)
		if err != nil {
			return fmt.Errorf("read %s: %w", list.name, err)
		}

		share(list, above, lists, tell)

		return nil
	}
}

func idsOf[T paging.Entity](rows []T) []string {
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i], _ = r.Below()
	}

	return ids
}

// listsBelow reads the lists below rows, by the ids of those.
func listsBelow[Below paging.Entity](
	ctx context.Context, list Nested, ids []string, all func(context.Context, func(*sql.Selector)) paging.Listing[Below],
) (map[string][]Below, error) {
	if list.sorted {
		return sortedBelow(ctx, list, ids, all)
	}

	rows, err := all(ctx, list.below(ids)).All(ctx)
	if err != nil {
		return nil, err //nolint:wrapcheck // eachList says which list
	}

	return listsOf(list, rows), nil
}

// qualified is the column that names the row a list stands below, with its table.
func (n Nested) qualified() string { return sql.Table(n.table).C(n.parent) }

// below turns a query of the rows of any list into one of the lists of these rows: those of one list follow each
// other in its order.
func (n Nested) below(ids []string) func(*sql.Selector) {
	return func(s *sql.Selector) {
		table := s.TableName()
		parent := n.qualified()
		each := s.Clone().Where(sql.P(func(b *sql.Builder) { b.Ident(parent).WriteString(" = " + ent.AboveColumn) }))
		columns := []string{table + ".*"}

		switch {
		case n.table != table:
			columns = append(columns, ent.AboveColumn)
		case !slices.Contains(each.UnqualifiedColumns(), n.parent):
			each.AppendSelect(parent)
		}

		if n.total {
			each.AppendSelectExprAs(sql.Expr("COUNT(*) OVER ()"), ent.TotalColumn)
		}

		if n.size > 0 {
			each.OrderExpr(n.order...).Limit(n.size + 1)
		}

		lists := sql.ExprFunc(func(b *sql.Builder) {
			store.AnyOf(b.WriteString("unnest("), ids).WriteString(") WITH ORDINALITY AS above (" + ent.AboveColumn + ", nth), LATERAL ")
			b.Wrap(func(b *sql.Builder) { b.Join(each) }).WriteString(" AS ").Ident(table)
		})

		*s = *sql.Dialect(s.Dialect()).Select(columns...).FromExpr(lists).
			OrderExpr(append([]sql.Querier{sql.Expr("nth")}, n.order...)...)
	}
}

// listsOf parts the rows of lists, which follow each other, by the id of the row that each list stands below.
func listsOf[Below paging.Entity](list Nested, rows []Below) map[string][]Below {
	lists := map[string][]Below{}

	for first := 0; first < len(rows); {
		of, end := aboveOf(rows[first], list.parent), first+1
		for end < len(rows) && aboveOf(rows[end], list.parent) == of {
			end++
		}

		lists[of], first = rows[first:end:end], end
	}

	return lists
}

// share gives every row its own of the lists, whose rows are told of it.
func share[Above, Below paging.Entity](list Nested, above []Above, lists map[string][]Below, tell []func(Above, Below)) {
	for _, a := range above {
		id, extra := a.Below()
		extra.Lists = append(extra.Lists, ent.List{Name: list.name, Rows: lists[id]})

		for _, one := range tell {
			for _, b := range lists[id] {
				one(a, b)
			}
		}
	}
}

// aboveOf is the id of the row that a row stands below.
func aboveOf(row paging.Entity, parent string) string {
	if id, own := row.Reference(parent); own {
		return id
	}

	_, extra := row.Below()

	return extra.Above
}

// ListBelow is a list that was read with a row; known is false if it was not.
func ListBelow[Below paging.Entity](above paging.Entity, name string) (rows []Below, known bool) {
	_, extra := above.Below()

	for _, list := range extra.Lists {
		if list.Name == name {
			rows, known = list.Rows.([]Below)

			return rows, known
		}
	}

	return nil, false
}

// TotalOf reads the total that each row of a list bears.
func TotalOf[T paging.Entity](rows []T) func(context.Context) (int, error) {
	return func(context.Context) (int, error) {
		if len(rows) == 0 {
			return 0, nil
		}

		_, extra := rows[0].Below()

		return extra.Total, nil
	}
}
