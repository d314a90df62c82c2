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

// Config is what the executor is made of. Classify of the options may be left out: it is ours.
type Config struct {
	Resolvers exec.ResolverRoot
	// Interpret leaves every query to gqlgen's execution instead of compiling the plain ones.
	Interpret bool
	server.Options
}

// NewServer returns the handler of /graphql, where nobody may sign in. What comes before it (request id, panic guard, the gate)
// is the caller's to put there.
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

// Schema is the graph as clients see it: what has a default takes null as well. It leaves out @defer, which gqlgen would
// offer: an answer in parts would be an answer outside the transaction it reports.
func Schema() *ast.Schema {
	schema := nulls.Relaxed(exec.NewExecutableSchema(exec.Config{}).Schema())
	schema.Directives = maps.Clone(schema.Directives)
	delete(schema.Directives, "defer")

	return schema
}
