// Package selection says which fields of an answer somebody wants, so that a resolver loads what is
// asked for and nothing else. In a graph operation it is read off the document; REST, whose answers
// have a fixed shape, says it in so many words.
package selection

import (
	"context"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Tree is the set of fields selected below one field. The zero value selects nothing. A Tree is
// immutable and safe for concurrent use.
type Tree struct {
	said    []Node // in so many words
	written []written
}

// written is a selection set of the operation's document.
type written struct {
	operation *graphql.OperationContext
	set       ast.SelectionSet
	on        []string // the types whose fragments count; nil is every type
}

// Node is one selected field. Two of them may bear one name: the same field under two aliases, or in
// fragments on two types.
type Node struct {
	Name string
	// Args are the arguments as the schema coerces them: defaults and variables filled in, scalars
	// and enums as they were written. Nil for a field somebody selected in so many words.
	Args map[string]any
	// Tree is what is selected below the field.
	Tree Tree
}

type treeKey struct{}

// With returns a context in which t is what the next resolver is asked for, whatever the document
// says.
func With(ctx context.Context, t Tree) context.Context {
	return context.WithValue(ctx, treeKey{}, t)
}

// Of returns what is selected below the field that is being resolved: the Tree of With, else what the
// document says. Outside both it is the zero Tree.
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

// On leaves out what only fragments on other types select. Name the type and its interfaces; without
// On every fragment counts.
func (t Tree) On(types ...string) Tree {
	out := Tree{said: t.said, written: make([]written, len(t.written))}
	for i, w := range t.written {
		out.written[i] = written{w.operation, w.set, types}
	}

	return out
}

// Nodes are the selected fields. Fragments are flattened, and what @skip and @include leave out is
// left out.
func (t Tree) Nodes() []Node {
	nodes := slices.Clip(t.said)

	for _, w := range t.written {
		for _, f := range graphql.CollectFields(w.operation, w.set, w.on) {
			nodes = append(nodes, w.node(f))
		}
	}

	return nodes
}

// All are the selected fields of that name, one for each alias and place.
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

// Below unites what is selected below all fields of that name.
func (t Tree) Below(name string) Tree {
	var out Tree
	for _, n := range t.All(name) {
		out = out.And(n.Tree)
	}

	return out
}

// Items unites what is selected of the items of a connection: below nodes and below edges.node.
func (t Tree) Items() Tree { return t.Below("nodes").And(t.Below("edges").Below("node")) }

// And unites two Trees: what either selects is selected.
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

// Int returns an integer argument; false when it is absent or null.
func (n Node) Int(name string) (int, bool) {
	v, given := n.Args[name]
	if !given || v == nil {
		return 0, false
	}

	i, err := graphql.UnmarshalInt(v)

	return i, err == nil
}

// Text returns a string argument; false when it is absent or null.
func (n Node) Text(name string) (string, bool) {
	s, ok := n.Args[name].(string)

	return s, ok
}
