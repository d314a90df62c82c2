package listing

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Nested describes a list that belongs to each of many parent rows, such as the clips of each video on a page. One
// statement reads the lists of all parent rows. It either uses a lateral subquery for each parent row, which stops at
// the page size, or sorts the rows of all lists together.
type Nested struct {
	name   string        // the name under which the rows hold the list
	table  string        // the table of the column that names the parent row: the list's own table or a joined one
	parent string        // the column that names the parent row
	order  []sql.Querier // the order of the list; its columns must be among those that are read
	size   int           // the page size, beyond which one more row is read; 0 reads the whole list
	total  bool          // whether every row holds the length of the list
	sorted bool          // whether no index has this order, so that a page sorts all rows of a list anyway
}

// Asked is a field that a GraphQL query selects on the parent rows, together with its subfields. Only FirstPages
// creates it.
type Asked struct{ selection.Node }

// FirstPages returns the selected fields of parent rows, each once. It leaves out lists that start after a cursor. If
// the same list is selected several times, under different aliases or through both nodes and edges, the selections
// are merged and the list is read once.
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

// name returns the name of the selected list.
func (a Asked) name() string {
	switch a.Name {
	case "effects":
		return effectsName(a.Name, sizeOf(a.Node), kindsOf(a.Node))
	case "words":
		return wordsName(sizeOf(a.Node), setOf(a.Node))
	case "attempts":
		return AttemptsName(sizeOf(a.Node), AttemptStatusOf(a.Node))
	default:
		return ListName(a.Name, sizeOf(a.Node))
	}
}

// AttemptStatusOf returns the outcome to which a list of delivery attempts is limited, or nil.
func AttemptStatusOf(node selection.Node) *values.AttemptStatus {
	name, limited := node.Text("status")
	if !limited {
		return nil
	}

	return new(values.AttemptStatus(strings.ToLower(name)))
}

// AttemptsName returns the name under which a parent row stores a list of delivery attempts with one outcome, or of all
// if status is nil.
func AttemptsName(size int, status *values.AttemptStatus) string {
	return ListName("attempts", size) + string(optional.Deref(status))
}

// ListName returns the name under which a parent row stores a nested list. The name consists of the list's field and
// its page size. For lists with more arguments, callers append the arguments.
func ListName(field string, size int) string { return field + ":" + strconv.Itoa(size) }

// FirstPage returns a Nested that reads the first page of a list for each of many parent rows. The argument "list" is
// the field as the GraphQL query selects it.
func FirstPage(list Asked, table, parent string, order []sql.Querier) Nested {
	return Nested{
		name: list.name(), table: table, parent: parent, order: order,
		size: sizeOf(list.Node), total: list.Tree.Has("totalCount"),
	}
}

// wholeList returns a whole list below many rows.
func wholeList(name, table, parent string, order ...sql.Querier) Nested {
	return Nested{name: name, table: table, parent: parent, order: order}
}

// ReadBelow reads data that belongs to the given parent rows, such as a nested list, and stores it in them.
type ReadBelow[Above paging.Entity] func(ctx context.Context, above []Above) error

// WithBelow makes a query read nested data for the rows that it returns. Each element of below runs its own
// statements.
func WithBelow[Above paging.Entity, Q interface{ Intercept(i ent.Interceptor) Q }](q Q, below []ReadBelow[Above]) {
	if len(below) == 0 {
		return
	}

	q.Intercept(ent.InterceptFunc(func(next ent.Querier) ent.Querier {
		return ent.QuerierFunc(func(ctx context.Context, q ent.Query) (ent.Value, error) {
			found, err := next.Query(ctx, q)
			if err != nil {
				return nil, err //nolint:wrapcheck // the list's reader says what was attempted
			}

			above, are := found.([]Above)
			if !are || len(above) == 0 { // they are counted, or the list is empty
				return found, nil
			}

			if size, page := ctx.Value(paging.Shown[Above]{}).(int); page {
				above = above[:min(len(above), size)]
			}

			for _, read := range below {
				if err := read(ctx, above); err != nil {
					return nil, err //nolint:wrapcheck // the reader says what it read
				}
			}

			return found, nil
		})
	}))
}

// EachList returns a ReadBelow that reads a list for each parent row. The function "all" must return a query for the
// rows of all these lists. The query must apply the condition that is passed as "only". A resolver of the list must
// not write to the rows, because other resolvers use them at the same time. To write to the rows, pass a function as
// "tell". EachList calls the function with each parent row and each row of its list.
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

// idsOf returns the ids of rows, each once: a playlist is there once for each of its videos.
func idsOf[T paging.Entity](rows []T) []string {
	ids, known := make([]string, 0, len(rows)), make(map[string]bool, len(rows))

	for _, r := range rows {
		if id, _ := r.Below(); !known[id] {
			ids, known[id] = append(ids, id), true
		}
	}

	return ids
}

// listsBelow reads the lists below rows and returns them by row id.
func listsBelow[Below paging.Entity](
	ctx context.Context, list Nested, ids []string, all func(context.Context, func(*sql.Selector)) paging.Listing[Below],
) (map[string][]Below, error) {
	if list.sorted {
		return sortedBelow(ctx, list, ids, all)
	}

	rows, err := all(ctx, list.below(ids)).All(ctx)
	if err != nil {
		return nil, err //nolint:wrapcheck // EachList says which list
	}

	return listsOf(list, rows), nil
}

// qualified returns the column that names the parent row, with its table.
func (n Nested) qualified() string { return sql.Table(n.table).C(n.parent) }

// below turns a query for rows of any list into one for the lists of the given rows. Rows of one list follow each other
// in order.
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

// listsOf splits rows, which are grouped by list, by the id of their parent row.
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

// share gives every parent row its list and calls tell for the rows of the list.
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

// aboveOf returns the id of a row's parent row.
func aboveOf(row paging.Entity, parent string) string {
	if id, own := row.Reference(parent); own {
		return id
	}

	_, extra := row.Below()

	return extra.Above
}

// ListBelow returns a list that was read together with its parent row. known is false if the list was not read.
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

// TotalOf returns a function that returns the total length of a list. The total must have been read together with the
// rows.
func TotalOf[T paging.Entity](rows []T) func(context.Context) (int, error) {
	return func(context.Context) (int, error) {
		if len(rows) == 0 {
			return 0, nil
		}

		_, extra := rows[0].Below()

		return extra.Total, nil
	}
}
