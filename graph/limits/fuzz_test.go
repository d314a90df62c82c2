package limits_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/graph/limits"
)

// tooLong is the time limit for one document, even on a slow machine.
const tooLong = 5 * time.Second

// FuzzDocument reads and prices arbitrary documents: each is either refused with a message or costs at most the
// limit, and both are quick.
func FuzzDocument(f *testing.F) {
	for _, c := range hostile() {
		if len(c.text) < 4<<10 { // the fuzzer lengthens inputs by itself
			f.Add(c.text, int64(3))
		}
	}

	for _, seed := range []string{
		"{ videos(first: 5) { nodes { id ...F } } } fragment F on Video { name clips { nodes { id } } }",
		"query ($n: Int = 4) @skip(if: true) { videos(first: $n) { totalCount } }", `mutation { deleteTag(id: "\u00e9") { tag { id } } }`,
		"subscription { videoUpdated(id: 1) { id } }", "{ __type(name: \"Video\") { fields { name } } }",
	} {
		f.Add(seed, int64(-1))
	}

	s := product()

	f.Fuzz(func(t *testing.T, text string, n int64) {
		began := time.Now()
		doc, errs := s.Read(text)

		for i := 0; len(errs) == 0 && i < len(doc.Operations); i++ {
			cost, err := s.Cost(doc.Operations[i], map[string]any{"n": json.Number("3"), "m": n})
			require.True(t, err != nil || cost >= 0 && cost <= limits.MaxComplexity, "%d", cost)
		}

		require.Less(t, time.Since(began), tooLong)

		for _, e := range errs {
			require.NotEmpty(t, e.Message)
			require.Less(t, len(e.Message), len(text)+2<<10, "no longer than the input")
		}
	})
}
