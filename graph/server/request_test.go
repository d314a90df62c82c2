package server

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/graph/limits"
)

// A document of a megabyte is refused for its length, by its spelling or by what it says.
func TestDocumentsThatAreTooLong(t *testing.T) {
	t.Parallel()

	for _, body := range []string{
		`{"query":"{ x(y: \"` + strings.Repeat("x", 1_000_000) + `\") }"}`,
		` { "query" : "` + strings.Repeat(`\"`, 400_000) + `"}`,
		`{"query":"` + strings.Repeat("x", 1_000_000), // the rest was never sent
		`{"variables":{},"query":"` + strings.Repeat("x", 70_000) + `"}`,
	} {
		var req request

		require.NoError(t, req.fromJSON([]byte(body)))
		require.Greater(t, len(req.Query), limits.MaxText, "%.40s", body)
	}

	var req request

	require.NoError(t, req.fromJSON([]byte(`{"query":"{ a(b: \"\\\\\") }","variables":{"long":"`+strings.Repeat("x", 500_000)+`"}}`)))
	require.Equal(t, `{ a(b: "\\") }`, req.Query)
	require.Len(t, req.Variables["long"], 500_000)
}
