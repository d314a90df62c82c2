package graph

import (
	"maps"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/reelgraph/reelgraph/graph/compiled"
	"github.com/reelgraph/reelgraph/graph/exec"
	"github.com/reelgraph/reelgraph/graph/nulls"
	"github.com/reelgraph/reelgraph/graph/server"
	"github.com/reelgraph/reelgraph/internal/account"
)

// Config configures the server. Classify may be left out of the options; the graph sets its own.
type Config struct {
	Resolvers exec.ResolverRoot
	// Interpret makes gqlgen execute all queries; none is compiled.
	Interpret bool
	server.Options
}

// NewServer returns the handler of /graphql, without sign-in. The caller must add what comes before it: request ids,
// panic handling and the gate.
func NewServer(c Config) *server.Server {
	if c.Classify == nil {
		c.Classify = Classify
	}

	c.Gate.Open = account.NeedsNobody
	schema := Schema()

	if !c.Interpret {
		compiler := compiled.New(schema, c.Resolvers)
		c.Compile = func(doc *ast.QueryDocument, op *ast.OperationDefinition) (server.Plan, error) {
			return compiler.Compile(doc, op)
		}
	}

	return server.New(exec.NewExecutableSchema(exec.Config{Schema: schema, Resolvers: c.Resolvers}), c.Options)
}

// Schema returns the graph as clients see it: everything with a default also accepts null. It leaves out @defer,
// which gqlgen would add: a deferred part would be sent outside the transaction that it reports on.
func Schema() *ast.Schema {
	schema := nulls.Relaxed(exec.NewExecutableSchema(exec.Config{}).Schema())
	schema.Directives = maps.Clone(schema.Directives)
	delete(schema.Directives, "defer")

	return schema
}
