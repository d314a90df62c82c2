package graph_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/testkit"
	"github.com/reelgraph/reelgraph/internal/testkit/api"
)

// A page has 1 to 100 items, wherever the list stands.
func TestPageSizes(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	v := testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{})

	for _, list := range []string{
		`{ videos(first: %d) { nodes { id } } }`,
		`{ video(id: "` + v.ID + `") { clips(first: %d) { nodes { id } } } }`,
		`{ video(id: "` + v.ID + `") { exports(first: %d) { nodes { id } } } }`,
		`{ videos(first: 1) { nodes { clips(first: %d) { nodes { id } } } } }`,
		`{ videos(first: 1) { nodes { exports(first: %d) { nodes { id } } } } }`,
		`{ exports(videoId: "` + v.ID + `", first: %d) { nodes { id } } }`,
		`{ node(id: "` + v.ID + `") { ... on Video { clips(first: %d) { nodes { id } } } } }`,
	} {
		for first, code := range map[int]string{
			-2147483648: "bad_request", -1: "bad_request", 0: "bad_request", 101: "bad_request", 1000: "bad_request", 1: "", 100: "",
		} {
			document := fmt.Sprintf(list, first)
			g := s.Ask(t, m.Key, document, nil)
			require.Equal(t, http.StatusOK, g.Status, document)
			require.Equal(t, code, g.Code(), "%s %s", document, g.Body)
		}
	}
}
