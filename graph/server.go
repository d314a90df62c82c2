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

// Config configures the server. If the option Classify is nil, the server uses the function Classify of this package.
type Config struct {
	Resolvers exec.ResolverRoot
	// Interpret makes gqlgen execute all queries; none is compiled.
	Interpret bool
	server.Options
}

// NewServer returns the handler of /graphql. It does not authenticate requests. The caller must put request ids,
// panic handling and the authentication gate in front of it.
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

// Schema returns the schema that clients see. In it, everything that has a default also accepts null. It does not
// contain the directive @defer, which gqlgen would add, because a deferred part of a response would be computed
// outside the transaction of the response.
func Schema() *ast.Schema {
	schema := nulls.Relaxed(exec.NewExecutableSchema(exec.Config{}).Schema())
	schema.Directives = maps.Clone(schema.Directives)
	delete(schema.Directives, "defer")

	return schema
}
