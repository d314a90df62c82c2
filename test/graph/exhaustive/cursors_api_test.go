package exhaustive_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// An item has the same cursor throughout a walk, and a page ends at the cursor of its last edge, in every list of the
// graph, for all page sizes and repeated reads.
func TestItemsHaveOneCursorInAWalk(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	video := crowd(t, s, m, 4)
	fillUp(t, s, m, video, 4)

	walked := map[string]bool{}

	for name, list := range everyList(t, s, m, video) {
		before, after, paged := cutLast(list.document, "first: 100")
		if !paged || !strings.Contains(name, "below many: false") || walked[before] {
			continue
		}

		arguments, _, _ := strings.Cut(after, ")")
		page := func(first int, behind any) (edges []any, info map[string]any) {
			document := before + fmt.Sprintf("first: %d, after: $after", first) + arguments +
				") { edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }" +
				strings.Repeat(" }", strings.Count(before, "{")-strings.Count(before, "}"))
			g := s.Ask(t, m.Key, "query ($after: String) "+document, map[string]any{"after": behind})
			require.Empty(t, g.Errors, "%s: %s %s", name, document, g.Body)

			found := find(g.Data, "pageInfo").(map[string]any)
			edges = found["edges"].([]any)
			info = found["pageInfo"].(map[string]any)

			require.Equal(t, behind != nil, info["hasPreviousPage"], name)

			if len(edges) == 0 {
				require.Equal(t, []any{nil, nil, false}, []any{info["startCursor"], info["endCursor"], info["hasNextPage"]}, name)

				return edges, info
			}

			require.Equal(t, edges[0].(map[string]any)["cursor"], info["startCursor"], name)
			require.Equal(t, edges[len(edges)-1].(map[string]any)["cursor"], info["endCursor"], name)

			return edges, info
		}

		_, first := page(1, nil)
		begin := first["endCursor"]

		if begin == nil || first["hasNextPage"] == false {
			continue
		}

		walked[before] = true
		whole, _ := page(100, begin)

		for i, behind := 0, begin; i < len(whole); i++ {
			one, info := page(1, behind)
			require.Equal(t, whole[i:i+1], one, "%s: item %d", name, i)
			require.Equal(t, i+1 < len(whole), info["hasNextPage"], name)

			behind = info["endCursor"]
		}

		again, _ := page(100, begin)
		require.Equal(t, whole, again, name)
	}

	require.GreaterOrEqual(t, len(walked), 18, "lists with more than one item")
	t.Logf("%d lists walked", len(walked))
}

// cutLast splits s at the last instance of sep.
func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}

	return s[:i], s[i+len(sep):], true
}

// find returns the first object in an answer that has the field.
func find(value any, field string) any {
	switch v := value.(type) {
	case map[string]any:
		if _, has := v[field]; has {
			return v
		}

		for _, below := range v {
			if found := find(below, field); found != nil {
				return found
			}
		}
	case []any:
		for _, below := range v {
			if found := find(below, field); found != nil {
				return found
			}
		}
	}

	return nil
}
