package graph_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// Every request in docs/graph.md works as printed.
func TestDocumentedRequests(t *testing.T) {
	t.Parallel()

	page, err := os.ReadFile("../../docs/graph.md")
	require.NoError(t, err)

	shown := regexp.MustCompile("(?s)```graphql\n(.*?)```").FindAllSubmatch(page, -1)
	require.Len(t, shown, 2)

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	v := testkit.NewVideo(t, s.Store, owner, testkit.VideoOpts{})

	for _, block := range shown {
		now := s.Ask(t, owner.Key, `{ video(id: "`+v.ID+`") { revision } }`, nil)
		require.Empty(t, now.Errors, now.Body)

		g := s.Ask(t, owner.Key, string(block[1]), map[string]any{
			"video": v.ID, "clip": v.Edges.Clips[0].ID, "revision": api.Dig(now.Data, "video", "revision"),
		})
		require.Empty(t, g.Errors, g.Body)
	}

	effects := s.Ask(t, owner.Key, `{ video(id: "`+v.ID+`") { clips { nodes { effects { nodes { __typename } } } } } }`, nil)
	for _, kind := range []string{"TextOverlay", "Zoom", "Mask"} {
		require.Contains(t, effects.Body, `"__typename":"`+kind+`"`)
	}
}
