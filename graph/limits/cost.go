package limits

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// The cost of fields. A cost of one is one field of one response.
const (
	countCost = 100 // a root list's totalCount, which scans the whole workspace
	plainList = 10  // assumed length of a list without pages
	kindList  = 4   // assumed length of a list of one kind of effects: most clips have few kinds
	maxPage   = 100 // also if first is null
	openDays  = 366 // assumed length of a range of days with an open end
	maxDays   = 3660
)

// dailyList is the list that has an item for each day of the range that the field above it selects.
const dailyList = "viewsOverTime"

// effectsByKind is the type with a list for each kind of effect.
const effectsByKind = "TimelineEffects"

// Cost returns the complexity of an operation: the number of fields that the response has if every page is full. It
// returns an error if the complexity exceeds MaxComplexity, if a page size is out of range, or if the operation
// selects too many introspection fields. Introspection fields have their own limit and do not add to the complexity.
func (s *Schema) Cost(op *ast.OperationDefinition, variables map[string]any) (int, *gqlerror.Error) {
	b := bill{Schema: s, variables: variables, fragments: map[spread]price{}, schemaOf: map[string]int{}, fields: map[*ast.Field]price{}}
	p := b.of(s.root(op), op.SelectionSet)

	switch {
	case p.schema > maxIntrospection:
		return 0, gqlerror.Errorf("The operation asks for more than %d fields of the schema. Ask for fewer.", maxIntrospection)
	case p.once > MaxComplexity:
		return 0, gqlerror.Errorf("The operation has a complexity of %s, which is more than %d. Ask for smaller pages or for fewer fields.",
			spoken(p.once), MaxComplexity)
	case b.misfit != nil:
		return 0, gqlerror.ErrorPosf(b.misfit.Position, "%s.first must be at least 1 and at most %d.", b.misfit.Alias, maxPage)
	}

	return p.once, nil
}

// price is the cost of a selection set.
type price struct {
	once   int // for each object that has the selection set
	each   int // for each item of the page that has the selection set
	daily  int // for each day of the range that the field above selects
	schema int // introspection, counted separately
}

func (p price) and(o price) price {
	return price{add(p.once, o.once), add(p.each, o.each), add(p.daily, o.daily), add(p.schema, o.schema)}
}

// or returns the larger of both prices, because an object has only one type.
func (p price) or(o price) price {
	return price{max(p.once, o.once), max(p.each, o.each), max(p.daily, o.daily), max(p.schema, o.schema)}
}

// bill adds up the cost of an operation. Each field is counted once. Each fragment is computed once for each type,
// however often it is used.
type bill struct {
	*Schema

	variables map[string]any
	fragments map[spread]price
	schemaOf  map[string]int // introspection in fragments
	fields    map[*ast.Field]price
	misfit    *ast.Field // the first field with a page size out of range
}

// spread is a fragment that is used on a type.
type spread struct{ fragment, of string }

// root returns the root type of an operation.
func (s *Schema) root(op *ast.OperationDefinition) *ast.Definition {
	switch op.Operation {
	case ast.Mutation:
		return s.schema.Mutation
	case ast.Subscription:
		return s.schema.Subscription
	default:
		return s.schema.Query
	}
}

// of returns the cost of selections on one object of a type. For an interface or a union it is the cost of its most
// expensive type.
func (b *bill) of(def *ast.Definition, selections ast.SelectionSet) price {
	if def == nil || !def.IsAbstractType() {
		return b.set(def, selections)
	}

	var most price
	for _, possible := range b.schema.GetPossibleTypes(def) {
		most = most.or(b.set(possible, selections))
	}

	return most
}

// set adds up what is selected on an object of exactly this type.
func (b *bill) set(of *ast.Definition, selections ast.SelectionSet) price {
	var sum price

	for _, selection := range selections {
		switch s := selection.(type) {
		case *ast.Field:
			sum = sum.and(b.field(s))
		case *ast.InlineFragment:
			if b.applies(s.TypeCondition, of) {
				sum = sum.and(b.set(of, s.SelectionSet))
			}
		case *ast.FragmentSpread:
			if b.applies(s.Definition.TypeCondition, of) {
				sum = sum.and(b.fragment(s, of))
			}
		}
	}

	return sum
}

func (b *bill) fragment(s *ast.FragmentSpread, of *ast.Definition) price {
	key := spread{fragment: s.Name}
	if of != nil {
		key.of = of.Name
	}

	p, known := b.fragments[key]
	if !known {
		p = b.set(of, s.Definition.SelectionSet)
		b.fragments[key] = p
	}

	return p
}

// applies reports whether a type condition includes objects of a type.
func (b *bill) applies(condition string, of *ast.Definition) bool {
	if condition == "" || of == nil || condition == of.Name {
		return true
	}

	on := b.schema.Types[condition]

	return on != nil && on.IsAbstractType() && slices.ContainsFunc(b.schema.GetPossibleTypes(on), func(possible *ast.Definition) bool {
		return possible.Name == of.Name
	})
}

func (b *bill) field(f *ast.Field) price {
	p, known := b.fields[f]
	if !known {
		p = b.priced(f)
		b.fields[f] = p
	}

	return p
}

func (b *bill) priced(f *ast.Field) price {
	switch f.Name {
	case "__typename":
		return price{}
	case "__schema", "__type":
		return price{schema: b.introspection(f)}
	}

	below := b.of(b.schema.Types[f.Definition.Type.Name()], f.SelectionSet)
	below.once = add(below.once, times(b.days(f), below.daily))
	all := price{schema: below.schema}

	switch {
	case f.Name == dailyList:
		all.once, all.daily = 1, below.once
	case isConnection(f.ObjectDefinition) && (f.Name == "nodes" || f.Name == "edges"):
		all.each = add(1, below.once)
	case isPayload(f.ObjectDefinition) && f.Definition.Type.Elem != nil:
		all.once, all.each = 1, below.once
	case f.ObjectDefinition == b.schema.Mutation:
		all.once = add(1, add(below.once, times(b.named(f), below.each)))
	case f.Definition.Arguments.ForName("first") != nil:
		all.once = add(1, add(below.once, times(b.page(f), below.each)))

		if f.ObjectDefinition == b.schema.Query && counts(f.SelectionSet) {
			all.once = add(all.once, countCost-1)
		}
	case f.Definition.Type.Elem != nil && f.Definition.Arguments.ForName("ids") != nil:
		all.once = add(1, times(b.named(f), below.once))
	case f.Definition.Type.Elem != nil && f.ObjectDefinition.Name == effectsByKind:
		all.once = add(1, times(kindList, below.once))
	case f.Definition.Type.Elem != nil && len(f.SelectionSet) > 0:
		all.once = add(1, times(plainList, below.once))
	default:
		all.once = add(1, below.once)
	}

	return all
}

// counts reports whether totalCount is selected on a connection.
func counts(selections ast.SelectionSet) bool {
	return slices.ContainsFunc(selections, func(selection ast.Selection) bool {
		switch s := selection.(type) {
		case *ast.Field:
			return s.Name == "totalCount"
		case *ast.InlineFragment:
			return counts(s.SelectionSet)
		case *ast.FragmentSpread:
			return counts(s.Definition.SelectionSet)
		default:
			return false
		}
	})
}

func isConnection(d *ast.Definition) bool {
	return d != nil && strings.HasSuffix(d.Name, "Connection")
}

func isPayload(d *ast.Definition) bool {
	return d != nil && strings.HasSuffix(d.Name, "Payload")
}

// named returns how many objects a field returns that takes lists of ids: as many as the longest of them has. Without such a
// list the length is not known before.
func (b *bill) named(f *ast.Field) int {
	items, args := 0, f.ArgumentMap(b.variables)

	for _, arg := range f.Definition.Arguments {
		if arg.Type.Elem != nil && arg.Type.Name() == "ID" && args[arg.Name] != nil {
			items = max(items, len(graphql.CoerceList(args[arg.Name])), 1)
		}
	}

	if items == 0 {
		return plainList
	}

	return items
}

// page returns the largest number of items in a connection's page. The page size is limited here and not in the
// resolvers, because REST calls the resolvers for whole lists.
func (b *bill) page(f *ast.Field) int {
	first, given := f.ArgumentMap(b.variables)["first"]
	if !given || first == nil {
		return maxPage
	}

	n, err := graphql.UnmarshalInt(first)
	if err != nil {
		return maxPage
	}

	if (n < 1 || n > maxPage) && b.misfit == nil {
		b.misfit = f
	}

	return max(n, 1)
}

// days returns the number of days that a field selects. Figures of many videos at once are priced by it. Those of one
// video or workspace are priced like other lists, as they always were.
func (b *bill) days(f *ast.Field) int {
	if f.ObjectDefinition == b.schema.Query {
		return plainList
	}

	given := f.ArgumentMap(b.variables)
	from, begins := given["startDate"].(string)
	until, ends := given["endDate"].(string)

	if !begins || !ends {
		return openDays
	}

	first, err := time.Parse(time.DateOnly, from)
	last, also := time.Parse(time.DateOnly, until)

	if err != nil || also != nil {
		return openDays // refused later
	}

	return min(max(int(last.Sub(first).Hours()/24)+1, 1), maxDays)
}

// introspection counts the fields of an introspection response by the lengths of the schema's lists.
func (b *bill) introspection(f *ast.Field) int {
	count := 1

	for _, selection := range f.SelectionSet {
		count = add(count, b.introspected(selection))
	}

	return times(max(b.sizes[f.Name], 1), count)
}

func (b *bill) introspected(selection ast.Selection) int {
	switch s := selection.(type) {
	case *ast.Field:
		return b.introspection(s)
	case *ast.InlineFragment:
		return b.introspectedSet(s.SelectionSet)
	case *ast.FragmentSpread:
		count, known := b.schemaOf[s.Name]
		if !known {
			count = b.introspectedSet(s.Definition.SelectionSet)
			b.schemaOf[s.Name] = count
		}

		return count
	}

	return 0
}

func (b *bill) introspectedSet(selections ast.SelectionSet) int {
	sum := 0
	for _, selection := range selections {
		sum = add(sum, b.introspected(selection))
	}

	return sum
}

// introspectionSizes returns the average lengths of the lists in introspection responses.
func introspectionSizes(schema *ast.Schema) map[string]int {
	var fields, args, inputs, values, objects, enums, inputTypes int

	for _, t := range schema.Types {
		switch t.Kind {
		case ast.Enum:
			enums++
			values += len(t.EnumValues)
		case ast.InputObject:
			inputTypes++
			inputs += len(t.Fields)
		case ast.Scalar, ast.Union:
		case ast.Object, ast.Interface:
			objects++
			fields += len(t.Fields)

			for _, f := range t.Fields {
				args += len(f.Arguments)
			}
		}
	}

	mean := func(sum, n int) int { return (sum + max(n, 1) - 1) / max(n, 1) }

	return map[string]int{
		"types":         len(schema.Types),
		"directives":    len(schema.Directives),
		"fields":        mean(fields, objects),
		"args":          mean(args, fields),
		"inputFields":   mean(inputs, inputTypes),
		"enumValues":    mean(values, enums),
		"possibleTypes": mean(objects, 1) / max(len(schema.PossibleTypes), 1),
		"interfaces":    1,
	}
}

// unpayable is the cost of an operation that exceeds the limits in any case.
const unpayable = math.MaxInt32

func add(a, b int) int { return min(a+b, unpayable) }

func times(a, b int) int {
	if a > 0 && b > unpayable/a {
		return unpayable
	}

	return a * b
}

func spoken(n int) string {
	if n == unpayable {
		return "over 2000000000"
	}

	return fmt.Sprint(n)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
