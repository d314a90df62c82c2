package exhaustive_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// A page has 1 to 100 items in every list.
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

// Pages of a video's parts continue without gaps, for any alias and any number of selections of a list.
func TestPagesOfParts(t *testing.T) {
	t.Parallel()

	const n = 7

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	video := crowd(t, s, m, n-1)

	for _, list := range []string{"clips", "exports"} {
		whole := s.Ask(t, m.Key, api.Replace(`{ video(id: "VIDEO") { LIST(first: 100) { totalCount edges { cursor node { id } } nodes { id } pageInfo { hasNextPage endCursor } } } }`,
			map[string]string{"VIDEO": video, "LIST": list}), nil)
		page := api.Dig(whole.Data, "video", list)
		order := identities(api.Dig(page, "nodes"))

		require.Len(t, order, n)
		require.EqualValues(t, n, api.Dig(page, "totalCount"))
		require.Equal(t, false, api.Dig(page, "pageInfo", "hasNextPage"))

		for i, edge := range api.Dig(page, "edges").([]any) {
			require.Equal(t, order[i], api.Dig(edge, "node", "id"))
		}

		walk := api.Replace(`query ($after: String, $first: Int! = 3) {
			video(id: "VIDEO") {
				LIST(first: $first, after: $after) { ...page }
				one: LIST(first: 1, after: $after) { nodes { id } pageInfo { hasNextPage } }
				LIST(first: $first, after: $after) { totalCount }
			}
			node(id: "VIDEO") { ... on Video { other: LIST(first: 2, after: $after) { items: nodes { id } ends: pageInfo { at: endCursor } } } }
			videos(first: 1) { nodes { LIST(first: 2) { nodes { id } totalCount } one: LIST(first: 1) { pageInfo { hasNextPage } edges { node { id } } } } }
		}
		fragment page on CONNECTIONConnection { nodes { id } edges { cursor } pageInfo { hasNextPage endCursor } }`,
			map[string]string{"VIDEO": video, "LIST": list, "CONNECTION": map[string]string{"clips": "Clip", "exports": "Export"}[list]})

		var after any

		for at := 0; at < n; at += 3 {
			g := s.Ask(t, m.Key, walk, map[string]any{"after": after})
			require.Empty(t, g.Errors, g.Body)

			page := api.Dig(g.Data, "video", list)
			end := min(at+3, n)
			require.Equal(t, order[at:end], identities(api.Dig(page, "nodes")), list)
			require.Equal(t, order[at:at+1], identities(api.Dig(g.Data, "video", "one", "nodes")))
			require.Equal(t, at+1 < n, api.Dig(g.Data, "video", "one", "pageInfo", "hasNextPage"))
			require.Equal(t, order[at:min(at+2, n)], identities(api.Dig(g.Data, "node", "other", "items")))
			require.EqualValues(t, n, api.Dig(page, "totalCount"))
			require.Equal(t, end < n, api.Dig(page, "pageInfo", "hasNextPage"))

			first := api.Dig(g.Data, "videos", "nodes").([]any)[0]
			require.Equal(t, order[:2], identities(api.Dig(first, list, "nodes")))
			require.EqualValues(t, n, api.Dig(first, list, "totalCount"))
			require.Equal(t, order[0], api.Dig(api.Dig(first, "one", "edges").([]any)[0], "node", "id"))

			edges := api.Dig(page, "edges").([]any)
			after = api.Dig(page, "pageInfo", "endCursor")

			// Cursors differ each time but point to the same place.
			again := s.Ask(t, m.Key, walk, map[string]any{"after": api.Dig(edges[0], "cursor"), "first": 1})
			require.Equal(t, order[min(at+1, n):min(at+2, n)], identities(api.Dig(again.Data, "video", list, "nodes")))
		}

		g := s.Ask(t, m.Key, walk, map[string]any{"after": after})
		require.Empty(t, api.Dig(g.Data, "video", list, "nodes"))
		require.Nil(t, api.Dig(g.Data, "video", list, "pageInfo", "endCursor"))
		require.EqualValues(t, n, api.Dig(g.Data, "video", list, "totalCount"))

		// A cursor belongs to its list.
		other := testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{})
		g = s.Ask(t, m.Key, api.Replace(`query ($after: String) { video(id: "VIDEO") { LIST(after: $after) { nodes { id } } } }`,
			map[string]string{"VIDEO": other.ID, "LIST": list}), map[string]any{"after": after})
		require.Equal(t, "bad_request", g.Code())

		g = s.Ask(t, m.Key, api.Replace(`{ video(id: "VIDEO") { LIST { totalCount nodes { id } pageInfo { hasNextPage endCursor } } } }`,
			map[string]string{"VIDEO": other.ID, "LIST": "exports"}), nil)
		require.Equal(t, map[string]any{
			"totalCount": 0.0, "nodes": []any{}, "pageInfo": map[string]any{"hasNextPage": false, "endCursor": nil},
		}, api.Dig(g.Data, "video", "exports"))

		_, err := s.Store.DB.Exec(`DELETE FROM videos WHERE id = $1`, other.ID)
		require.NoError(t, err)
	}
}

// Several goroutines marshal a page. Each edge has its own node's cursor, and they share data without races.
func TestEdgesOfALongPage(t *testing.T) {
	t.Parallel()

	const n = 40

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	video := crowd(t, s, m, n)

	_, err := s.Store.DB.Exec(`UPDATE clips SET position = 100 - position`) // insertion order no longer matches
	require.NoError(t, err)

	g := s.Ask(t, m.Key, `{ videos(first: 100) { edges { cursor node { id chapters { title } transcript { status } again: chapters { title } } } } }`, nil)
	require.Empty(t, g.Errors, g.Body)

	edges := api.Dig(g.Data, "videos", "edges").([]any)
	require.Len(t, edges, n)
	require.Len(t, api.Dig(s.Ask(t, m.Key, `{ video(id: "`+video+`") { chapters { title } again: chapters { title } transcript { status } } }`, nil).Data,
		"video", "again"), n+1)

	for i, edge := range edges {
		after := s.Ask(t, m.Key, `query ($after: String) { videos(first: 1, after: $after) { nodes { id } } }`, map[string]any{"after": api.Dig(edge, "cursor")})

		next := []any{}
		if i+1 < n {
			next = append(next, api.Dig(edges[i+1], "node", "id"))
		}

		require.Equal(t, next, identities(api.Dig(after.Data, "videos", "nodes")), i)
	}
}

// Errors of fields carry a code and a path.
func TestCodesOfFields(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	v := testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{})
	reader := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: m.WorkspaceID})
	pending := testkit.NewSource(t, s.Store, m, testkit.SourceOpts{Status: "pending"})

	for _, c := range []struct {
		who      testkit.Member
		code     string
		path     []any
		document string
		message  string
	}{
		{m, "not_found", []any{"mine"}, `{ mine: video(id: "x") { id } viewer { role } }`, "No such video."},
		{m, "not_found", []any{"node"}, `{ node(id: "` + v.ID + `x") { id } }`, "No such node."},
		{reader, "forbidden", []any{"exports"}, `{ exports(videoId: "` + v.ID + `") { nodes { id } } }`, ""},
		{reader, "forbidden", []any{"b"}, `mutation { a: createSource(input: {}) { uploadUrl } b: deleteVideo(id: "` + v.ID + `") { deletedId } }`, ""},
		{m, "conflict", []any{"createVideo"}, `mutation { createVideo(input: {sourceId: "` + pending.ID + `"}) { video { id } } }`, ""},
		{m, "bad_request", []any{"updateVideo"}, `mutation { updateVideo(id: "x", input: {}) { video { id } } }`, ""},
		{
			m, "bad_request",
			[]any{"updateVideo"},
			`mutation { updateVideo(id: "x", input: {name: "", microphoneVolume: 3}) { video { id } } }`,
			"name must have 1 to 255 characters; microphoneVolume must be at least 0 and at most 2.",
		},
		{m, "bad_request", []any{"updateVideo"}, `mutation { updateVideo(id: "x", input: {captionStyle: {name: BACKDROP, backgroundColor: "red", textColor: "#fff", wordLevelHighlights: true}}) { video { id } } }`, ""},
		{m, "bad_request", nil, `{ videos(first: "one") { nodes { id } } }`, ""},
		{m, "bad_request", nil, `mutation { updateVideo(id: "x", input: {linkScope: public}) { video { id } } }`, ""},
		{
			m, "bad_request",
			[]any{"videos"},
			`{ videos(after: "x") { nodes { id } } }`,
			"after must be a cursor of this list with the same filters, at most 24 hours old.",
		},
	} {
		g := s.Ask(t, c.who.Key, c.document, nil)
		require.Equal(t, http.StatusOK, g.Status, c.document)
		require.Equal(t, c.code, g.Code(), "%s %s", c.document, g.Body)
		require.Equal(t, c.path, g.Errors[0].Path, "%s %s", c.document, g.Body)

		if c.message != "" {
			require.Equal(t, c.message, g.Errors[0].Message)
		}

		for _, e := range g.Errors {
			require.Equal(t, g.Header.Get("X-Request-Id"), e.Extensions["requestId"])
			require.Equal(t, api.BaseURL+"/docs/errors#"+c.code, e.Extensions["docsUrl"])
		}
	}

	var sources int
	require.NoError(t, s.Store.DB.QueryRow(`SELECT count(*) FROM sources WHERE user_id = $1`, reader.UserID).Scan(&sources))
	require.Zero(t, sources, "one field failed, so none of the mutation remains")
}

func identities(nodes any) []any {
	all := []any{}
	for _, node := range nodes.([]any) {
		all = append(all, api.Dig(node, "id"))
	}

	return all
}

// The same list can be selected under one name with two sizes, below nodes and below edges.
func TestOneNameInTwoSizes(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	crowd(t, s, m, 4)

	for _, list := range []string{"clips", "exports"} {
		g := s.Ask(t, m.Key, api.Replace(`{ videos(first: 1) { nodes { LIST(first: 2) { nodes { id } pageInfo { hasNextPage } } }
			edges { node { LIST(first: 4) { nodes { id } totalCount } } } } }`, map[string]string{"LIST": list}), nil)
		require.Empty(t, g.Errors, g.Body)

		two := identities(api.Dig(api.Dig(g.Data, "videos", "nodes").([]any)[0], list, "nodes"))
		four := identities(api.Dig(api.Dig(g.Data, "videos", "edges").([]any)[0], "node", list, "nodes"))

		require.Len(t, two, 2, list)
		require.Len(t, four, 4, list)
		require.Equal(t, two, four[:2])
		require.EqualValues(t, 5, api.Dig(api.Dig(g.Data, "videos", "edges").([]any)[0], "node", list, "totalCount"))
	}
}
