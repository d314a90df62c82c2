package server

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// FuzzRequest uses any bytes as the body and as the query string of a request.
func FuzzRequest(f *testing.F) {
	for _, seed := range []string{
		`{"query":"{ a }"}`, `{"query":"{ a(b: \"\\\\\") }","variables":{"x":1e99},"operationName":null,"extensions":{"persistedQuery":{"version":1}}}`,
		`[{"query":"{ a }"}]`, `{"query":1}`, `{"query":"a"}{"query":"b"}`, ` { "query" : "\ud800`, "query=%7B+a+%7D&variables=%7B%7D&operationName=A", "query=a&query=b", "%zz", "",
	} {
		f.Add([]byte(seed))
	}

	f.Fuzz(func(t *testing.T, in []byte) {
		var posted, asked request

		for _, err := range []error{posted.fromJSON(in), asked.fromQuery(string(in))} {
			require.True(t, err == nil || fault.Is(err, fault.BadRequestCode), "%v", err)
		}
	})
}
