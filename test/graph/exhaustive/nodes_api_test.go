package exhaustive_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// nodeTables are the tables whose rows are nodes.
var nodeTables = []string{
	"videos", "clips", "effects", "sources", "exports", "playlists", "playlist_groups", "tags", "webhook_endpoints", "webhook_messages",
	"webhook_attempts", "memberships", "invitations", "api_keys", "sessions", "comments", "library_items", "users", "workspaces",
}

// nodeFields are requested of every node. Signed addresses are not among them, because they differ each time.
const nodeFields = `__typename id
	... on Video { name creator { name } tags(first: 2) { nodes { name } } clips(first: 2) { nodes { name video { description } } } playlists(first: 1) { nodes { name } } }
	... on Clip { name corners video { name tags(first: 1) { nodes { name } } } words(first: 1) { nodes { text } } }
	... on Layout { startTimeMs layout { kind } } ... on Mask { type startTimeMs } ... on MediaOverlay { startTimeMs durationMs }
	... on Source { kind status } ... on Export { exportStatus: status revision video { name exports(first: 1) { nodes { id } } } }
	... on Playlist { name videoCount videos(first: 2) { nodes { id } } } ... on PlaylistGroup { name playlists(first: 2) { nodes { name } } }
	... on Tag { name } ... on WebhookEndpoint { url attempts(first: 1) { nodes { id } } health { consecutiveFailures } }
	... on WebhookMessage { eventType attempts(first: 1) { nodes { id } } } ... on WebhookAttempt { attempt message { eventType } endpoint { url } }
	... on Member { role user { email } } ... on Invitation { email role } ... on ApiKey { name } ... on Session { createdAt }
	... on Comment { body author } ... on LibraryItem { name scope } ... on User { name email } ... on Workspace { name plan }`

// idsOfNodes returns the ids of all rows that are nodes, by table, and of base layouts.
func idsOfNodes(t *testing.T, s *api.Server) map[string][]string {
	t.Helper()

	all := map[string][]string{}

	for _, table := range nodeTables {
		rows, err := s.Store.DB.Query(`SELECT id FROM ` + table)
		require.NoError(t, err)

		for rows.Next() {
			var id string
			require.NoError(t, rows.Scan(&id))
			all[table] = append(all[table], id)
		}

		require.NoError(t, rows.Err())
		require.NoError(t, rows.Close())
	}

	for _, clip := range all["clips"] {
		all["base layouts"] = append(all["base layouts"], "fx"+strings.TrimPrefix(clip, "cl"))
	}

	return all
}

// nodes returns for every id what node returns for it, in the order of the ids, for every kind and every role, and null
// where node has an error.
func TestNodesAreWhatNodeReturns(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	fillUp(t, s, owner, crowd(t, s, owner, 2), 2)

	other := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	crowd(t, s, other, 1)

	_, err := s.Store.DB.Exec(`UPDATE videos SET visibility = 'personal' WHERE id = (SELECT min(id) FROM videos WHERE workspace_id = $1)`, owner.WorkspaceID)
	require.NoError(t, err)

	all := []string{"", "x", "vid_01hzzzzzzzzzzzzzzzzzzzzzzz", "chk_01hzzzzzzzzzzzzzzzzzzzzzzz", "lib_nothing"}
	for _, some := range idsOfNodes(t, s) {
		all = append(all, some[:min(len(some), 12)]...)
	}

	for _, kind := range []string{"zoom", "text_overlay", "sound_effect"} {
		var id string
		require.NoError(t, s.Store.DB.QueryRow(`SELECT id FROM effects WHERE workspace_id = $1 AND kind = $2 LIMIT 1`, owner.WorkspaceID, kind).Scan(&id))
		all = append(all, id)
	}

	random := rand.New(rand.NewPCG(1, 9))

	for role, who := range map[string]testkit.Member{
		"owner":    owner,
		"member":   testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: owner.WorkspaceID}),
		"viewer":   testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: owner.WorkspaceID, Role: auth.RoleViewer}),
		"stranger": testkit.NewMember(t, s.Store, testkit.MemberOpts{}),
	} {
		want, kinds := map[string]any{}, map[string]bool{}

		for _, id := range all {
			g := s.Ask(t, who.Key, `query ($id: ID!) { node(id: $id) { `+nodeFields+` } }`, map[string]any{"id": id})
			want[id] = api.Dig(g.Data, "node")

			if want[id] == nil {
				require.Contains(t, []string{"not_found", "forbidden"}, g.Code(), "%s %s", id, g.Body)
			} else {
				kinds[api.Dig(want[id], "__typename").(string)] = true
			}
		}

		if role == "owner" {
			require.Len(t, kinds, 24, "%v: a kind of node is missing", kinds)
		}

		shuffled := slices.Clone(all)
		random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })

		for some := range slices.Chunk(append(shuffled, shuffled[0], shuffled[0]), 20) {
			g := s.Ask(t, who.Key, `query ($ids: [ID!]!) { nodes(ids: $ids) { `+nodeFields+` } }`, map[string]any{"ids": some})
			require.Empty(t, g.Errors, "%s: %s", role, g.Body)

			got := api.Dig(g.Data, "nodes").([]any)
			require.Len(t, got, len(some))

			for i, id := range some {
				require.Equal(t, want[id], got[i], "%s as %s", id, role)
			}
		}
	}
}

// nodes takes as many statements for 100 objects of a kind as for one, and refuses more.
func TestNodesTakeOneStatementForEachKind(t *testing.T) {
	t.Parallel()

	wire := api.NewWire(t, testkit.Database(t))
	s := api.New(t, api.Options{DSN: wire.DSN})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	sizes := someAndMany()
	most := sizes[len(sizes)-1]

	fillUp(t, s, owner, crowd(t, s, owner, most), most)
	ready(t, s)

	ask := func(fields string, some []string) int64 {
		document := `query ($ids: [ID!]!) { nodes(ids: $ids) { ` + fields + ` } }`
		require.Empty(t, s.Ask(t, owner.Key, document, map[string]any{"ids": some[:1]}).Errors) // the first run counts its cost separately

		before := wire.Count()
		g := s.Ask(t, owner.Key, document, map[string]any{"ids": some})
		require.Empty(t, g.Errors, g.Body)
		require.Equal(t, len(some), strings.Count(g.Body, `"__typename"`), "%s", g.Body)

		return wire.Count() - before
	}
	light := map[string]int64{ // besides the gate
		"videos": 1, "clips": 1, "sources": 1, "exports": 2, "playlists": 1, "playlist_groups": 1, "tags": 1, "webhook_endpoints": 1,
		"webhook_messages": 1, "webhook_attempts": 1, "memberships": 1, "api_keys": 1, "sessions": 1, "comments": 1, "users": 1, "effects": 3,
		"base layouts": 2, "invitations": 2, "library_items": 2,
	}

	for table, all := range idsOfNodes(t, s) {
		if table == "workspaces" { // only one is visible
			continue
		}

		all = visible(t, s, owner, all)

		for _, n := range sizes {
			some := all[:min(n, len(all))]
			// Fewer if none of them has a source.
			require.LessOrEqual(t, ask(`__typename id`, some), 1+light[table], "%s: %d", table, len(some))
		}

		whole := ask(nodeFields, all[:min(20, len(all))])
		require.LessOrEqual(t, ask(nodeFields, all[:1]), whole, table)
		require.Equal(t, whole, ask(nodeFields, all[:min(40, len(all))]), table)
	}

	many := slices.Repeat([]string{"vid_01hzzzzzzzzzzzzzzzzzzzzzzz"}, 101)
	g := s.Ask(t, owner.Key, `query ($ids: [ID!]!) { nodes(ids: $ids) { id } }`, map[string]any{"ids": many})
	require.Equal(t, "bad_request", g.Code(), g.Body)
	require.Equal(t, "ids must have at most 100 items.", g.Errors[0].Message)

	g = s.Ask(t, owner.Key, `query ($ids: [ID!]!) { nodes(ids: $ids) { id } }`, map[string]any{"ids": many[1:]})
	require.Empty(t, g.Errors, g.Body)

	g = s.Ask(t, owner.Key, `{ nodes(ids: []) { id } }`, nil)
	require.Equal(t, []any{}, api.Dig(g.Data, "nodes"))

	// Each id counts toward the cost.
	g = s.Ask(t, owner.Key, `query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Video { clips(first: 100) { nodes { id } } } } }`, map[string]any{"ids": many[1:]})
	require.Equal(t, "bad_request", g.Code(), g.Body)
	require.Contains(t, g.Errors[0].Message, "complexity of "+fmt.Sprint(1+100*(1+1+100*2)))
}

// visible returns those of the ids that are the viewer's to see.
func visible(t *testing.T, s *api.Server, who testkit.Member, all []string) []string {
	t.Helper()

	var seen []string

	for some := range slices.Chunk(all, 100) {
		g := s.Ask(t, who.Key, `query ($ids: [ID!]!) { nodes(ids: $ids) { id } }`, map[string]any{"ids": some})
		require.Empty(t, g.Errors, g.Body)

		for _, node := range api.Dig(g.Data, "nodes").([]any) {
			if node != nil {
				seen = append(seen, api.Dig(node, "id").(string))
			}
		}
	}

	require.NotEmpty(t, seen)

	return seen
}
