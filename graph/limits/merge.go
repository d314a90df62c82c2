package limits

import (
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// merge checks that fields with the same response name can be merged, in time linear in the number of fields of the
// document. The check of the validator compares every field with every other one. It relies on the other rules having
// passed.
//
// The rule has two parts: fields with the same response name have the same shape, whatever their type; and those that
// can be selected on one object are the same field with the same arguments.
type merge struct {
	schema *ast.Schema
	visits int
	fault  *gqlerror.Error
}

// maxVisits limits the merging of fields on interfaces and unions, which is repeated for each type.
const maxVisits = 10 * MaxComplexity

// occurrence is a field and the type on which it is selected.
type occurrence struct {
	*ast.Field

	parent *ast.Definition
}

// unmergeable returns the first conflict, if there is one, and how many selections it has checked.
func (s *Schema) unmergeable(doc *ast.QueryDocument) (int, *gqlerror.Error) {
	m := &merge{schema: s.schema}

	for _, o := range doc.Operations {
		root := s.schema.Query

		switch o.Operation {
		case ast.Mutation:
			root = s.schema.Mutation
		case ast.Subscription:
			root = s.schema.Subscription
		case ast.Query:
		}

		fields := m.collect(nil, root, o.SelectionSet, map[string]bool{})
		m.shapes(fields)
		m.same(fields)
	}

	return m.visits, m.fault
}

// collect flattens a selection set.
func (m *merge) collect(into []occurrence, parent *ast.Definition, set ast.SelectionSet, seen map[string]bool) []occurrence {
	for _, selection := range set {
		if m.visits++; m.visits > maxVisits || m.fault != nil {
			m.refuse(gqlerror.Errorf("The document has too many fields to merge."))

			return nil
		}

		switch s := selection.(type) {
		case *ast.Field:
			into = append(into, occurrence{s, parent})
		case *ast.InlineFragment:
			into = m.collect(into, m.on(parent, s.TypeCondition), s.SelectionSet, seen)
		case *ast.FragmentSpread:
			if !seen[s.Name] {
				seen[s.Name] = true
				into = m.collect(into, m.on(parent, s.Definition.TypeCondition), s.Definition.SelectionSet, seen)
			}
		}
	}

	return into
}

func (m *merge) on(parent *ast.Definition, condition string) *ast.Definition {
	if condition == "" {
		return parent
	}

	return m.schema.Types[condition]
}

// below flattens the selections below all the fields.
func (m *merge) below(fields []occurrence) []occurrence {
	var (
		out  []occurrence
		seen map[string]bool
	)

	for _, f := range fields {
		if len(f.SelectionSet) == 0 {
			continue
		}

		if seen == nil {
			seen = map[string]bool{}
		}

		out = m.collect(out, m.schema.Types[f.Definition.Type.Name()], f.SelectionSet, seen)
	}

	return out
}

// byName groups fields by their response name.
func byName(fields []occurrence) map[string][]occurrence {
	groups := make(map[string][]occurrence, len(fields))
	for _, f := range fields {
		groups[f.Alias] = append(groups[f.Alias], f)
	}

	return groups
}

// shapes compares the fields of one name with the first of them, which is enough because the comparison is
// transitive.
func (m *merge) shapes(fields []occurrence) {
	for _, group := range byName(fields) {
		for _, f := range group[1:] {
			if !m.alike(group[0].Definition.Type, f.Definition.Type) {
				m.conflict(group[0], f, fmt.Sprintf("they return conflicting types %q and %q", group[0].Definition.Type, f.Definition.Type))
			}
		}

		if m.fault != nil {
			return
		}

		m.shapes(m.below(group))
	}
}

func (m *merge) alike(a, b *ast.Type) bool {
	if a.NonNull != b.NonNull || (a.Elem == nil) != (b.Elem == nil) {
		return false
	}

	if a.Elem != nil {
		return m.alike(a.Elem, b.Elem)
	}

	return a.NamedType == b.NamedType || m.schema.Types[a.NamedType].IsCompositeType() && m.schema.Types[b.NamedType].IsCompositeType()
}

// same compares the fields of one name that can be selected on one object with the first of them.
func (m *merge) same(fields []occurrence) {
	for _, group := range byName(fields) {
		for _, possible := range perObject(group) {
			first := possible[0]

			for _, f := range possible[1:] {
				switch {
				case f.Name != first.Name:
					m.conflict(first, f, fmt.Sprintf("%q and %q are different fields", first.Name, f.Name))
				case !sameArguments(first.Arguments, f.Arguments):
					m.conflict(first, f, "they have differing arguments")
				}
			}

			if m.fault != nil {
				return
			}

			m.same(m.below(possible))
		}
	}
}

// perObject groups fields by the object type they are selected on. Fields on interfaces and unions belong to every
// group.
func perObject(group []occurrence) [][]occurrence {
	if len(group) == 1 {
		return [][]occurrence{group}
	}

	var (
		anywhere []occurrence
		types    []string
		of       = map[string][]occurrence{}
	)

	for _, f := range group {
		if f.parent.Kind != ast.Object {
			anywhere = append(anywhere, f)

			continue
		}

		if of[f.parent.Name] == nil {
			types = append(types, f.parent.Name)
		}

		of[f.parent.Name] = append(of[f.parent.Name], f)
	}

	if len(types) == 0 {
		return [][]occurrence{anywhere}
	}

	out := make([][]occurrence, len(types))
	for i, t := range types {
		out[i] = slices.Concat(of[t], anywhere)
	}

	return out
}

func sameArguments(a, b ast.ArgumentList) bool {
	if len(a) != len(b) {
		return false
	}

	for _, arg := range a {
		other := b.ForName(arg.Name)
		if other == nil || other.Value.String() != arg.Value.String() {
			return false
		}
	}

	return true
}

func (m *merge) conflict(a, b occurrence, why string) {
	fault := gqlerror.Errorf("Fields %q conflict because %s. "+
		"Use different aliases on the fields to fetch both if this was intentional.", a.Alias, why)
	fault.Rule = "OverlappingFieldsCanBeMerged"

	for _, at := range []*ast.Position{a.Position, b.Position} {
		if at != nil {
			fault.Locations = append(fault.Locations, gqlerror.Location{Line: at.Line, Column: at.Column})
		}
	}

	m.refuse(fault)
}

func (m *merge) refuse(fault *gqlerror.Error) {
	if m.fault == nil {
		m.fault = fault
	}
}
