package server

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/graph/limits"
)

// TestTooLongDocuments: a document of a megabyte is refused for its length, escaped or not.
func TestTooLongDocuments(t *testing.T) {
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

// TestTooLongDocumentsAreNotKept: only the start of such a body is read if its length is declared.
func TestTooLongDocumentsAreNotKept(t *testing.T) {
	t.Parallel()

	for long, text := range map[bool]string{true: strings.Repeat("x", 1_000_000), false: ""} {
		body := &widest{from: strings.NewReader(`{"query":"{ x(y: \"` + text + `\") }","variables":{"z":"` + strings.Repeat("x", 1_000_000-len(text)) + `"}}`)}
		r := httptest.NewRequest(http.MethodPost, "/graphql", body)
		r.ContentLength = int64(body.from.Len())
		r.Header.Set("Content-Type", "application/json")

		in := (*Server)(nil).receive(r)
		require.NoError(t, in.err)
		require.Equal(t, long, len(in.Query) > limits.MaxText)
		require.Zero(t, body.from.Len(), "it is read all the same")
		require.Equal(t, long, body.most < 128<<10, "room for %d bytes", body.most)
	}
}

// widest is a body that records the largest buffer it was read into.
type widest struct {
	from *strings.Reader
	most int
}

func (w *widest) Read(b []byte) (int, error) {
	w.most = max(w.most, len(b))

	return w.from.Read(b)
}

// TestDocumentsOfMaximumLength: the length found for a query at the start of a body does not depend on its
// escapes.
func TestDocumentsOfMaximumLength(t *testing.T) {
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
