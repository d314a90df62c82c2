package graph_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/reelgraph/reelgraph/graph"
	"github.com/reelgraph/reelgraph/internal/video/effect"
)

func TestPublishedSchemaIsTheGraph(t *testing.T) {
	t.Parallel()

	published, err := os.ReadFile("../docs/schema.graphqls")
	require.NoError(t, err)
	require.Equal(t, string(graph.SDL()), string(published), "docs/schema.graphqls is out of date: make generate")

	schema, broken := gqlparser.LoadSchema(&ast.Source{Input: string(published)})
	require.NoError(t, broken)

	for name, definition := range graph.Schema().Types {
		require.Contains(t, schema.Types, name)
		require.Len(t, schema.Types[name].Fields, len(definition.Fields), name)
	}
}

func TestSchemaIsServedWithAnETag(t *testing.T) {
	t.Parallel()

	get := func(etag string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, "/graphql/schema.graphqls", nil)
		r.Header.Set("If-None-Match", etag)

		w := httptest.NewRecorder()
		graph.SDLHandler().ServeHTTP(w, r)

		return w
	}

	first := get("")
	require.Equal(t, http.StatusOK, first.Code)
	require.Equal(t, string(graph.SDL()), first.Body.String())

	again := get(first.Header().Get("ETag"))
	require.Equal(t, http.StatusNotModified, again.Code)
	require.Zero(t, again.Body.Len())
}

func TestAnswersComeInOnePiece(t *testing.T) {
	t.Parallel()

	require.NotContains(t, graph.Schema().Directives, "defer")
	require.Contains(t, graph.Schema().Directives, "include")
}

// The graph has input and output types for every kind of effect.
func TestGraphHasEveryKindOfEffect(t *testing.T) {
	t.Parallel()

	types := graph.Schema().Types

	for _, k := range effect.All() {
		require.NotNil(t, types["EffectKind"].EnumValues.ForName(strings.ToUpper(string(k.Name))), k.Name)
		require.NotNil(t, types["AddEffectInput"].Fields.ForName(k.Input), k.Name)
		require.NotNil(t, types["UpdateEffectInput"].Fields.ForName(k.Input), k.Name)
	}

	require.Len(t, types["EffectKind"].EnumValues, len(effect.All()))

	for _, name := range []string{"TimelineCounts", "TimelineEffects"} {
		require.GreaterOrEqual(t, len(types[name].Fields), len(effect.All()), name)
	}
}
