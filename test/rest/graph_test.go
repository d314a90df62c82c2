package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"
	standard "github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/reelgraph/reelgraph/graph/exec"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// Every REST operation has a GraphQL document: valid, of the right kind, named after the operation, with variables that
// the schema accepts.
func TestEveryOperationHasAValidDocument(t *testing.T) {
	t.Parallel()

	schema := exec.NewExecutableSchema(exec.Config{}).Schema()

	for operation, route := range rowsByOperation() {
		text, variables := graphOf(operation)
		require.NotEmpty(t, text, "%s: put a graphql block into operations/", operation)

		document, faults := gqlparser.LoadQueryWithRules(schema, text, standard.NewDefaultRules())
		require.Empty(t, faults, operation)
		require.Len(t, document.Operations, 1, operation)

		kind := ast.Mutation
		if strings.HasPrefix(route, http.MethodGet) {
			kind = ast.Query
		}

		require.Equal(t, kind, document.Operations[0].Operation, operation)
		require.Equal(t, strings.ToUpper(operation[:1])+operation[1:], document.Operations[0].Name, operation)

		_, err := validator.VariableValues(schema, document.Operations[0], variables)
		require.NoError(t, err, operation)

		for name := range variables {
			require.NotNil(t, document.Operations[0].VariableDefinitions.ForName(name), "%s has no variable %s", operation, name)
		}
	}
}

// The variables also pass the server's checks: only the ids in them may be wrong.
func TestExamplesOfDocumentsAreAccepted(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})

	for operation := range rowsByOperation() {
		document, variables := graphOf(operation)

		if code := s.Ask(t, owner.Key, document, variables).Code(); code != "" {
			require.Equal(t, "not_found", code, operation)
		}
	}
}
