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

// A document that stands first in its body is read for its length alone; it is the same length that is found, however it
// is spelled.
func TestDocumentsOfTheGreatestLength(t *testing.T) {
	t.Parallel()

	for spelled, bytes := range map[string]int{
		"x": 1, `\"`: 1, `\\`: 1, `\n`: 1, `\u0020`: 1, `\u00e4`: 2, "ä": 2, `\ud83d\ude00`: 4, "😀": 4,
	} {
		for over, body := range map[bool]string{
			false: strings.Repeat(spelled, limits.MaxText/bytes), true: strings.Repeat(spelled, limits.MaxText/bytes) + "x",
		} {
			for _, form := range []string{`{"query":"%s"}`, `{"operationName":null,"query":"%s"}`} {
				var req request

				require.NoError(t, req.fromJSON([]byte(strings.Replace(form, "%s", body, 1))))
				require.Equal(t, over, len(req.Query) > limits.MaxText, "%s %s", spelled, form)

				if !over {
					require.Len(t, req.Query, limits.MaxText, spelled)
				}
			}
		}
	}
}
