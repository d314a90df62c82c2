// Package selection gives resolvers the set of requested fields, so that they load nothing else. For GraphQL the set
// is read from the document. REST responses have a fixed shape, so REST builds the set with Fields, Nodes and Under.
package selection

import (
	"context"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Tree is the set of fields that are selected within one field. The zero value selects nothing. A Tree is immutable
// and safe for concurrent use.
type Tree struct {
	said    []Node // built by Fields, Nodes or Under
	written []written
}

// written is a selection set of the operation's document.
type written struct {
	operation *graphql.OperationContext
	set       ast.SelectionSet
	on        []string // the types whose fragments count; nil means all
}

// Node is one selected field. Two nodes may have the same name: the same field may be selected with two aliases, or
// by fragments on two types.
type Node struct {
	Name string
	// Args holds the arguments as the schema coerces them: with defaults and variables filled in, and scalars and
	// enums as written. Nil for fields built without arguments.
	Args map[string]any
	// Tree holds the fields selected below this one.
	Tree Tree
}

type treeKey struct{}

// With returns a context that stores t. If a resolver calls Of with this context, it gets t instead of the selection
// in the document.
func With(ctx context.Context, t Tree) context.Context {
	return context.WithValue(ctx, treeKey{}, t)
}

// Of returns the requested subfields of the field that a resolver is resolving. If With has stored a Tree in the
// context, Of returns this Tree. Otherwise it returns the selection in the document, or the zero Tree if there is no
// document.
func Of(ctx context.Context) Tree {
	if t, ok := ctx.Value(treeKey{}).(Tree); ok {
		return t
	}

	field := graphql.GetFieldContext(ctx)
	if field == nil || !graphql.HasOperationContext(ctx) {
		return Tree{}
	}

	return below(graphql.GetOperationContext(ctx), field.Field.Selections, nil)
}

func below(operation *graphql.OperationContext, set ast.SelectionSet, on []string) Tree {
	if len(set) == 0 {
		return Tree{}
	}

	return Tree{written: []written{{operation, set, on}}}
}

// On returns the selection without the fields that only fragments on other types select. types holds the name of the
// object's type and the names of its interfaces. Without a call of On, the fields of all fragments count.
func (t Tree) On(types ...string) Tree {
	out := Tree{said: t.said, written: make([]written, len(t.written))}
	for i, w := range t.written {
		out.written[i] = written{w.operation, w.set, types}
	}

	return out
}

// Nodes returns the selected fields, with fragments flattened and @skip and @include applied.
func (t Tree) Nodes() []Node {
	nodes := slices.Clip(t.said)

	for _, w := range t.written {
		for _, f := range graphql.CollectFields(w.operation, w.set, w.on) {
			nodes = append(nodes, w.node(f))
		}
	}

	return nodes
}

// All returns every selection of the field with that name. There may be several, with different aliases or in
// different fragments.
func (t Tree) All(name string) []Node {
	var found []Node

	for _, n := range t.said {
		if n.Name == name {
			found = append(found, n)
		}
	}

	for _, w := range t.written {
		for _, f := range graphql.CollectFields(w.operation, w.set, w.on) {
			if f.Name == name {
				found = append(found, w.node(f))
			}
		}
	}

	return found
}

// Has reports whether a field of that name is selected.
func (t Tree) Has(name string) bool {
	for _, n := range t.said {
		if n.Name == name {
			return true
		}
	}

	for _, w := range t.written {
		for _, f := range graphql.CollectFields(w.operation, w.set, w.on) {
			if f.Name == name {
				return true
			}
		}
	}

	return false
}

// Below returns the union of the subfields of all selected fields with that name.
func (t Tree) Below(name string) Tree {
	var out Tree
	for _, n := range t.All(name) {
		out = out.And(n.Tree)
	}

	return out
}

// Items returns all fields that are selected on the items of a connection, both in nodes and in edges.node.
func (t Tree) Items() Tree { return t.Below("nodes").And(t.Below("edges").Below("node")) }

// And returns the union of two Trees.
func (t Tree) And(other Tree) Tree {
	return Tree{
		said:    slices.Concat(t.said, other.said),
		written: slices.Concat(t.written, other.written),
	}
}

func (w written) node(f graphql.CollectedField) Node {
	n := Node{Name: f.Name, Tree: below(w.operation, f.Selections, nil)}
	if f.Definition != nil && len(f.Definition.Arguments) > 0 {
		n.Args = f.ArgumentMap(w.operation.Variables)
	}

	return n
}

// Int returns the integer argument with that name. It returns false if the argument is absent or null.
func (n Node) Int(name string) (int, bool) {
	v, given := n.Args[name]
	if !given || v == nil {
		return 0, false
	}

	i, err := graphql.UnmarshalInt(v)

	return i, err == nil
}

// Text returns the string argument with that name. It returns false if the argument is absent or null.
func (n Node) Text(name string) (string, bool) {
	s, ok := n.Args[name].(string)

	return s, ok
}
