package selection_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/reelgraph/reelgraph/graph/selection"
)

const schema = `
interface Node { id: ID! }
type Query { video: Video node: Node }
type Video implements Node { id: ID! name: String! exports(first: Int! = 20, after: String): Exports! }
type Clip implements Node { id: ID! name: String! order: Int! }
type Exports { nodes: [Export!]! edges: [Edge!]! totalCount: Int! }
type Edge { cursor: String! node: Export! }
type Export { id: ID! status: String! progress: Int! }`

// asked returns the context in which the first root field of a document is resolved.
func asked(t *testing.T, document string, variables map[string]any) context.Context {
	t.Helper()

	doc, errs := gqlparser.LoadQueryWithRules(gqlparser.MustLoadSchema(&ast.Source{Input: schema}), document, nil)
	require.Empty(t, errs)

	operation := &graphql.OperationContext{Doc: doc, Operation: doc.Operations[0], Variables: variables}
	ctx := graphql.WithOperationContext(context.Background(), operation)
	root := graphql.CollectFields(operation, doc.Operations[0].SelectionSet, []string{"Query"})

	return graphql.WithFieldContext(ctx, &graphql.FieldContext{Field: root[0]})
}

func names(t selection.Tree) []string {
	out := []string{}
	for _, n := range t.Nodes() {
		out = append(out, n.Name)
	}

	return out
}

func TestOfFlattensFragmentsAndObeysDirectives(t *testing.T) {
	t.Parallel()

	tree := selection.Of(asked(t, `
query ($no: Boolean!) { video { id ...F ... on Video { e: exports { totalCount } } n: name @include(if: $no) } }
fragment F on Video { id exports { nodes { id } } }`, map[string]any{"no": false}))

	require.Equal(t, []string{"id", "exports", "exports"}, names(tree))
	require.False(t, tree.Has("name"))
	require.True(t, tree.Has("exports"))
	require.True(t, tree.All("exports")[0].Tree.Has("nodes"))
	require.True(t, tree.All("exports")[1].Tree.Has("totalCount"))
	require.True(t, tree.Below("exports").Has("totalCount"))
	require.True(t, tree.Below("exports").Has("nodes"))
	require.False(t, tree.Below("name").Has("anything"))
}

func TestArgumentsAreThoseTheSchemaCoerces(t *testing.T) {
	t.Parallel()

	nodes := selection.Of(asked(t, `query ($n: Int!, $c: String) {
  video { a: exports { totalCount } b: exports(first: 5, after: "x") { totalCount } c: exports(first: $n, after: $c) { totalCount } } }`,
		map[string]any{"n": json.Number("7"), "c": nil})).All("exports")

	for i, want := range []struct {
		first int
		after string
	}{{20, ""}, {5, "x"}, {7, ""}} {
		first, ok := nodes[i].Int("first")
		require.True(t, ok)
		require.Equal(t, want.first, first)

		after, ok := nodes[i].Text("after")
		require.Equal(t, want.after != "", ok)
		require.Equal(t, want.after, after)
	}

	_, ok := nodes[0].Int("last")
	require.False(t, ok)
}

func TestItemsUniteNodesAndEdges(t *testing.T) {
	t.Parallel()

	exports := selection.Of(asked(t, `{ video { exports { nodes { id } items: edges { n: node { status ...P } } } } }
fragment P on Export { progress }`, nil)).Below("exports")

	require.Equal(t, []string{"id", "status", "progress"}, names(exports.Items()))
}

func TestOnKeepsTheTypesOwnFragments(t *testing.T) {
	t.Parallel()

	tree := selection.Of(asked(t, `{ node { id ... on Video { exports { totalCount } } ... on Clip { order } } }`, nil))

	require.Equal(t, []string{"id", "exports", "order"}, names(tree))
	require.Equal(t, []string{"id", "exports"}, names(tree.On("Video", "Node")))
	require.True(t, tree.On("Video", "Node").Below("exports").Has("totalCount"))
}

func TestSaidInSoManyWords(t *testing.T) {
	t.Parallel()

	wanted := selection.Fields("id", "name").
		UnderWith("exports", map[string]any{"first": 100}, selection.Page(selection.Fields("id", "status")))
	ctx := selection.With(asked(t, `{ video { id } }`, nil), wanted)
	tree := selection.Of(ctx)

	require.Equal(t, []string{"id", "name", "exports"}, names(tree))
	require.Equal(t, []string{"id", "status"}, names(tree.Below("exports").Items()))

	first, ok := tree.All("exports")[0].Int("first")
	require.True(t, ok)
	require.Equal(t, 100, first)

	_ = wanted.Under("chapters", selection.Fields("title"))
	_ = wanted.Under("clips", selection.Fields("id"))
	require.False(t, wanted.Has("chapters"), "a Tree does not change")
}

func TestSelectionOutsideOperationIsEmpty(t *testing.T) {
	t.Parallel()

	tree := selection.Of(context.Background())
	require.Empty(t, tree.Nodes())
	require.False(t, tree.Has("id"))
	require.False(t, tree.Items().Has("id"))
}
