package graph_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

func TestKeysAreShownOnce(t *testing.T) {
	t.Parallel()

	dsn := testkit.Database(t)
	s, other := api.New(t, api.Options{DSN: dsn}), api.New(t, api.Options{DSN: dsn})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{Role: auth.RoleViewer})
	colleague := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: m.WorkspaceID})
	create := `mutation ($in: CreateApiKeyInput!) { createApiKey(input: $in) { key apiKey { id name last4 createdAt lastUsedAt expiresAt } } }`
	ask := func(in map[string]any) api.Graph { return s.Ask(t, m.Key, create, map[string]any{"in": in}) }

	for message, in := range map[string]map[string]any{
		"name must have 1 to 255 characters.":           {"name": ""},
		"name must not consist of white space only.":    {"name": " \t"},
		"expiresAt must be in the future.":              {"name": "x", "expiresAt": "2020-01-01T00:00:00.000Z"},
		`expiresAt must be a time such as 2026-01-31T1`: {"name": "x", "expiresAt": "tomorrow"},
	} {
		g := ask(in)
		require.Equal(t, "bad_request", g.Code())
		require.Contains(t, g.Errors[0].Message, strings.TrimSuffix(message, "."), g.Body)
	}

	require.Empty(t, ask(map[string]any{"name": strings.Repeat("x", 255)}).Errors)

	made := ask(map[string]any{"name": "CI", "expiresAt": "2999-01-01T00:00:00Z"})
	require.Empty(t, made.Errors, made.Body)

	key := api.Dig(made.Data, "createApiKey", "key").(string)
	shown := api.Dig(made.Data, "createApiKey", "apiKey").(map[string]any)

	require.Regexp(t, `^`+auth.KeyPrefix+`[0-9A-Za-z]{32}$`, key)
	require.Equal(t, key[len(key)-4:], shown["last4"])
	require.Equal(t, "2999-01-01T00:00:00.000Z", shown["expiresAt"])
	require.Nil(t, shown["lastUsedAt"])

	for _, node := range []*api.Server{s, other} {
		require.Equal(t, http.StatusOK, node.Call(t, key, http.MethodGet, "/v1/videos", "").Status)
	}

	list := s.Ask(t, key, `{ viewer { apiKeys(first: 1) { totalCount pageInfo { hasNextPage endCursor } nodes { id name last4 lastUsedAt } } } }`, nil)
	require.NotContains(t, list.Body, key)
	require.EqualValues(t, 3, api.Dig(list.Data, "viewer", "apiKeys", "totalCount"))
	require.Contains(t, list.Body, `"name":"CI"`, "newest first")
	require.NotContains(t, list.Body, `"lastUsedAt":null`)

	rest := s.Ask(t, key, `query ($after: String) { viewer { apiKeys(after: $after) { nodes { name } } } }`,
		map[string]any{"after": api.Dig(list.Data, "viewer", "apiKeys", "pageInfo", "endCursor")})
	require.Contains(t, rest.Body, `[{"name":"xxx`)

	id := shown["id"].(string)
	revoke := `mutation ($id: ID!) { revokeApiKey(id: $id) { deletedId } }`
	require.Equal(t, "not_found", s.Ask(t, colleague.Key, revoke, map[string]any{"id": id}).Code(), "another's")
	require.Equal(t, "not_found", s.Ask(t, colleague.Key, `query ($id: ID!) { node(id: $id) { id } }`, map[string]any{"id": id}).Code())
	require.Empty(t, s.Ask(t, m.Key, revoke, map[string]any{"id": id}).Errors)

	for _, node := range []*api.Server{s, other} {
		require.Equal(t, http.StatusUnauthorized, node.Call(t, key, http.MethodGet, "/v1/videos", "").Status)
	}

	require.Equal(t, "not_found", s.Ask(t, m.Key, revoke, map[string]any{"id": id}).Code())
	require.Equal(t, "not_found", s.Ask(t, m.Key, revoke, map[string]any{"id": "nonsense"}).Code())
	require.NotContains(t, s.Ask(t, m.Key, `{ viewer { apiKeys { nodes { id } } } }`, nil).Body, id)
}

func TestPreferences(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{Role: auth.RoleViewer})
	other := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: m.WorkspaceID})
	read := `{ viewer { preferences { layoutIntroTransition layoutOutroTransition } } }`
	change := func(in string) api.Graph {
		return s.Ask(t, m.Key, `mutation { updatePreferences(input: {`+in+`}) { preferences { layoutIntroTransition layoutOutroTransition } } }`, nil)
	}

	require.Contains(t, s.Ask(t, m.Key, read, nil).Body, `{"layoutIntroTransition":"SPRING","layoutOutroTransition":"SPRING"}`)
	require.Contains(t, change(`layoutOutroTransition: HARD_CUT`).Body, `{"layoutIntroTransition":"SPRING","layoutOutroTransition":"HARD_CUT"}`)
	require.Contains(t, s.Ask(t, m.Key, read, nil).Body, `"HARD_CUT"`)
	require.NotContains(t, s.Ask(t, other.Key, read, nil).Body, `"HARD_CUT"`)
	require.Equal(t, "bad_request", change(``).Code())
	require.Equal(t, "bad_request", change(`layoutIntroTransition: null`).Code())
	require.Equal(t, "bad_request", change(`layoutIntroTransition: FADE`).Code())
}

// Which role may do what to which members of a workspace.
func TestRolesOverMembers(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	roles := []auth.Role{auth.RoleOwner, auth.RoleAdmin, auth.RoleMember, auth.RoleViewer}

	for _, asking := range roles {
		owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
		who := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: owner.WorkspaceID, Role: asking})
		code := func(about ...auth.Role) string {
			owners := strings.Contains(fmt.Sprint(about), string(auth.RoleOwner))

			if asking == auth.RoleOwner || asking == auth.RoleAdmin && !owners {
				return ""
			}

			return "forbidden"
		}

		for _, was := range roles {
			for _, becomes := range roles {
				m := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: owner.WorkspaceID, Role: was})
				g := s.Ask(t, who.Key, fmt.Sprintf(`mutation { updateMember(userId: %q, input: {role: %s}) { member { role user { id } } } }`,
					m.UserID, strings.ToUpper(string(becomes))), nil)

				want := code(was, becomes)
				if was == becomes && (asking == auth.RoleAdmin) {
					want = "" // the role stays the same
				}

				require.Equal(t, want, g.Code(), "%s makes %s %s\n%s", asking, was, becomes, g.Body)

				g = s.Ask(t, who.Key, fmt.Sprintf(`mutation { removeMember(userId: %q) { deletedId } }`, m.UserID), nil)
				now := was

				if want == "" {
					now = becomes
				}

				require.Equal(t, code(now), g.Code(), "%s removes %s\n%s", asking, now, g.Body)
			}

			g := s.Ask(t, who.Key, fmt.Sprintf(`mutation { inviteMember(input: {email: "%s.%s@Example.test", role: %s}) { invitation { id role email } } }`,
				asking, was, strings.ToUpper(string(was))), nil)
			require.Equal(t, code(was), g.Code(), "%s invites %s\n%s", asking, was, g.Body)
		}

		g := s.Ask(t, who.Key, `mutation { updateWorkspace(input: {name: "New"}) { workspace { name } } }`, nil)
		require.Equal(t, code(), g.Code(), g.Body)

		stranger := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
		g = s.Ask(t, owner.Key, fmt.Sprintf(`mutation { removeMember(userId: %q) { deletedId } }`, stranger.UserID), nil)
		require.Equal(t, "not_found", g.Code(), "a member of another workspace")
		g = s.Ask(t, who.Key, fmt.Sprintf(`mutation { removeMember(userId: %q) { deletedId } }`, who.UserID), nil)
		require.Empty(t, g.Code(), "every member may leave")
	}
}

func TestTheLastOwnerStays(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	remove := func(key, userID string) string {
		return s.Ask(t, key, fmt.Sprintf(`mutation { removeMember(userId: %q) { deletedId } }`, userID), nil).Code()
	}
	demote := fmt.Sprintf(`mutation { updateMember(userId: %q, input: {role: ADMIN}) { member { role } } }`, owner.UserID)

	require.Equal(t, "conflict", remove(owner.Key, owner.UserID))
	require.Equal(t, "conflict", s.Ask(t, owner.Key, demote, nil).Code())

	second := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: owner.WorkspaceID, Role: auth.RoleOwner})
	answers := make(chan string, 2)

	go func() { answers <- remove(owner.Key, owner.UserID) }()
	go func() { answers <- remove(second.Key, second.UserID) }()

	require.ElementsMatch(t, []string{"", "conflict"}, []string{<-answers, <-answers}, "two owners leave at the same time")
}

// Videos of a former member still name their creator and can be read. The former member cannot be added as a
// collaborator.
func TestVideosOfFormerMembers(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	gone := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: owner.WorkspaceID, Email: "gone@example.test"})
	stranger := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	mine := testkit.NewVideo(t, s.Store, owner, testkit.VideoOpts{Visibility: values.VisibilityOrg})
	theirs := testkit.NewVideo(t, s.Store, gone, testkit.VideoOpts{Visibility: values.VisibilityOrg})

	require.Empty(t, s.Ask(t, owner.Key, fmt.Sprintf(`mutation { removeMember(userId: %q) { deletedId } }`, gone.UserID), nil).Errors)

	for document, at := range map[string][]string{
		`{ videos { nodes { creator { id email } } } }`:                                                         {"videos", "nodes"},
		`{ video(id: "` + theirs.ID + `") { creator { id } } }`:                                                 {"video"},
		`{ node(id: "` + theirs.ID + `") { ... on Video { creator { id } } } }`:                                 {"node"},
		`mutation { updateVideo(id: "` + theirs.ID + `", input: {name: "Kept"}) { video { creator { id } } } }`: {"updateVideo", "video"},
		`{ searchVideos(query: "Kept") { nodes { video { creator { id } } } } }`:                                {"searchVideos"},
	} {
		g := s.Ask(t, owner.Key, document, nil)
		require.Empty(t, g.Errors, g.Body)
		require.NotNil(t, api.Dig(g.Data, at...), g.Body)
	}

	g := s.Ask(t, owner.Key, `{ video(id: "`+theirs.ID+`") { creator { id } } }`, nil)
	require.Equal(t, gone.UserID, api.Dig(g.Data, "video", "creator", "id"))
	require.Equal(t, "not_found", s.Ask(t, stranger.Key, `{ node(id: "`+gone.UserID+`") { id } }`, nil).Code())

	g = s.Ask(t, owner.Key, `mutation { addCollaborator(videoId: "`+mine.ID+`", input: {email: "gone@example.test", role: EDITOR}) { collaborator { role } } }`, nil)
	require.Contains(t, g.Body, "email must be the email address of a member of the workspace")
}

// A removed member loses every working credential and does not get it back.
func TestWhoIsRemovedIsOut(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: owner.WorkspaceID, Email: "them@example.test"})
	v := testkit.NewVideo(t, s.Store, owner, testkit.VideoOpts{Visibility: values.VisibilityPersonal})

	owner.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		db.Collaborator.Create().SetVideoID(v.ID).SetUserID(m.UserID).SetRole(values.CollaboratorRoleEditor).ExecX(ctx)
	})

	require.Equal(t, http.StatusOK, s.Call(t, m.Key, http.MethodGet, "/v1/videos/"+v.ID, "").Status)
	require.Empty(t, s.Ask(t, owner.Key, fmt.Sprintf(`mutation { removeMember(userId: %q) { deletedId } }`, m.UserID), nil).Errors)
	require.Equal(t, http.StatusUnauthorized, s.Call(t, m.Key, http.MethodGet, "/v1/videos", "").Status)

	invited := s.Ask(t, owner.Key, `mutation { inviteMember(input: {email: "Them@example.test"}) { invitation { role url } } }`, nil)
	require.Equal(t, "MEMBER", api.Dig(invited.Data, "inviteMember", "invitation", "role"))

	withPassword(t, s, m.Email)
	back := as(t, s, cookieOf(t, enter(t, s, m.Email, password)), accept, map[string]any{"in": map[string]any{"token": tokenIn(t, api.Dig(invited.Data, "inviteMember", "invitation", "url"))}})
	require.Empty(t, back.Errors, back.Body)
	require.Equal(t, "them@example.test", api.Dig(as(t, s, cookieOf(t, back), whoIsThere, nil).Data, "viewer", "user", "email"), "the same person")
	require.Equal(t, http.StatusUnauthorized, s.Call(t, m.Key, http.MethodGet, "/v1/videos", "").Status)

	var invitations int
	require.NoError(t, s.Store.DB.QueryRow(`SELECT count(*) FROM collaborators`).Scan(&invitations))
	require.Zero(t, invitations)
}

func TestWorkspaces(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	colleague := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: m.WorkspaceID, Role: auth.RoleViewer})

	made := s.Ask(t, colleague.Key, `mutation { createWorkspace(input: {name: "Their own"}) { workspace { id name plan members { totalCount nodes { role user { id } } } } } }`, nil)
	require.Empty(t, made.Errors, made.Body)
	require.Equal(t, []any{map[string]any{"role": "OWNER", "user": map[string]any{"id": colleague.UserID}}}, api.Dig(made.Data, "createWorkspace", "workspace", "members", "nodes"))

	list := `{ viewer { memberships { totalCount nodes { role workspace { name members { totalCount nodes { role user { email } } } } } } } }`
	g := s.Ask(t, colleague.Key, list, nil)
	require.Empty(t, g.Errors, g.Body)
	require.EqualValues(t, 2, api.Dig(g.Data, "viewer", "memberships", "totalCount"))
	require.Contains(t, g.Body, `"role":"OWNER","workspace":{"name":"Their own","members":{"totalCount":1,`)
	require.Contains(t, g.Body, `"role":"VIEWER","workspace":{"name":"Test","members":{"totalCount":2,`)
	require.NotContains(t, s.Ask(t, m.Key, list, nil).Body, "Their own")

	own := s.Ask(t, m.Key, `{ workspace { id plan members(first: 1) { pageInfo { endCursor hasNextPage } nodes { user { email } } } } }`, nil)
	require.Equal(t, m.WorkspaceID, api.Dig(own.Data, "workspace", "id"))

	rest := s.Ask(t, m.Key, `query ($after: String) { workspace { members(after: $after) { nodes { id user { email } } } } }`,
		map[string]any{"after": api.Dig(own.Data, "workspace", "members", "pageInfo", "endCursor")})
	require.Contains(t, rest.Body, colleague.Email)
	require.NotContains(t, rest.Body, m.Email)

	for _, name := range []string{"", " ", strings.Repeat("x", 256)} {
		require.Equal(t, "bad_request", s.Ask(t, m.Key, `mutation ($n: String!) { createWorkspace(input: {name: $n}) { workspace { id } } }`, map[string]any{"n": name}).Code())
	}

	require.Equal(t, "bad_request", s.Ask(t, m.Key, `mutation { updateWorkspace(input: {}) { workspace { id } } }`, nil).Code())
	require.Contains(t, s.Ask(t, m.Key, `mutation { updateWorkspace(input: {name: "Ours"}) { workspace { name } } }`, nil).Body, `"Ours"`)

	speak := func(language any) api.Graph {
		return s.Ask(t, m.Key, `mutation ($l: String) { updateWorkspace(input: {speechLanguage: $l}) { workspace { name speechLanguage } } }`,
			map[string]any{"l": language})
	}

	require.Contains(t, speak("pt-BR").Body, `{"name":"Ours","speechLanguage":"pt-BR"}`)
	require.Equal(t, "bad_request", speak("Portuguese").Code())
	require.Contains(t, s.Ask(t, m.Key, `{ workspace { speechLanguage } }`, nil).Body, `"pt-BR"`)
	require.Contains(t, speak(nil).Body, `"speechLanguage":""`)
}

func TestComments(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	creator := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	in := creator.WorkspaceID
	author := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: in, Role: auth.RoleViewer})
	admin := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: in, Role: auth.RoleAdmin})
	member := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: in})
	stranger := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	v := testkit.NewVideo(t, s.Store, creator, testkit.VideoOpts{})
	hidden := testkit.NewVideo(t, s.Store, creator, testkit.VideoOpts{Visibility: values.VisibilityPersonal})
	end := float64(v.DurationMs) / 1000

	add := func(key, video string, in map[string]any) api.Graph {
		return s.Ask(t, key, `mutation ($v: ID!, $in: AddCommentInput!) { addComment(videoId: $v, input: $in) { comment { id videoId userId author body atSeconds createdAt } } }`,
			map[string]any{"v": video, "in": in})
	}
	remove := func(key string, id any) string {
		return s.Ask(t, key, `mutation ($id: ID!) { deleteComment(id: $id) { deletedId } }`, map[string]any{"id": id}).Code()
	}

	var ids []any

	for _, in := range []map[string]any{
		{"body": "x"}, {"body": strings.Repeat("ö", 5000), "atSeconds": 0}, {"body": "<b>", "atSeconds": end}, {"body": "null", "atSeconds": nil},
	} {
		g := add(author.Key, v.ID, in)
		require.Empty(t, g.Errors, g.Body)

		made := api.Dig(g.Data, "addComment", "comment").(map[string]any)
		require.Equal(t, []any{v.ID, author.UserID, "Someone", in["body"]}, []any{made["videoId"], made["userId"], made["author"], made["body"]})
		require.EqualValues(t, in["atSeconds"], made["atSeconds"])

		ids = append(ids, made["id"])
	}

	for rule, in := range map[string]map[string]any{
		"body must have 1 to 5000 characters": {"body": strings.Repeat("x", 5001)}, "body must not consist of white space only": {"body": " \n"},
		"atSeconds must be at least 0": {"body": "x", "atSeconds": -0.001}, "atSeconds must not be after the end of the video": {"body": "x", "atSeconds": end + 0.001},
	} {
		g := add(author.Key, v.ID, in)
		require.Equal(t, "bad_request", g.Code())
		require.Contains(t, g.Errors[0].Message, rule)
	}

	require.Equal(t, "not_found", add(author.Key, hidden.ID, map[string]any{"body": "x"}).Code())
	require.Equal(t, "not_found", add(stranger.Key, v.ID, map[string]any{"body": "x"}).Code())

	list := s.Ask(t, member.Key, `query ($v: ID!) { comments(videoId: $v, first: 2) { totalCount pageInfo { hasNextPage endCursor } nodes { id } } }`, map[string]any{"v": v.ID})
	require.EqualValues(t, 4, api.Dig(list.Data, "comments", "totalCount"))
	rest := s.Ask(t, member.Key, `query ($v: ID!, $a: String) { comments(videoId: $v, after: $a) { nodes { id } } }`,
		map[string]any{"v": v.ID, "a": api.Dig(list.Data, "comments", "pageInfo", "endCursor")})

	var seen []any
	for _, node := range append(api.Dig(list.Data, "comments", "nodes").([]any), api.Dig(rest.Data, "comments", "nodes").([]any)...) {
		seen = append(seen, node.(map[string]any)["id"])
	}

	require.Equal(t, ids, seen, "oldest first")
	require.Equal(t, "not_found", s.Ask(t, stranger.Key, `query ($v: ID!) { comments(videoId: $v) { nodes { id } } }`, map[string]any{"v": v.ID}).Code())
	require.Equal(t, "not_found", s.Ask(t, stranger.Key, `query ($id: ID!) { node(id: $id) { id } }`, map[string]any{"id": ids[0]}).Code())
	require.Empty(t, s.Ask(t, member.Key, `query ($id: ID!) { node(id: $id) { ... on Comment { body } } }`, map[string]any{"id": ids[0]}).Errors)

	require.Equal(t, "not_found", remove(stranger.Key, ids[0]))
	require.Equal(t, "forbidden", remove(member.Key, ids[0]))
	require.Empty(t, remove(author.Key, ids[0]))
	require.Empty(t, remove(creator.Key, ids[1]))
	require.Empty(t, remove(admin.Key, ids[2]))
	require.Equal(t, "not_found", remove(author.Key, ids[0]))
	require.Equal(t, "not_found", remove(author.Key, "nonsense"))

	// Comments on the page of a video that only its creator can read.
	var said []any

	author.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		for range 3 {
			said = append(said, db.Comment.Create().SetVideoID(hidden.ID).SetUserID(author.UserID).SetAuthor("Someone").SetBody("x").SaveX(ctx).ID)
		}
	})

	require.Equal(t, "not_found", remove(admin.Key, said[0]))
	require.Equal(t, "not_found", remove(member.Key, said[0]))
	require.Empty(t, remove(author.Key, said[0]))
	require.Empty(t, remove(creator.Key, said[1]))

	for m, offered := range map[testkit.Member]bool{author: true, creator: true, admin: false, member: false} {
		shown, err := s.Resolver.Services.Sharing.ShownComments(t.Context(), &model.Showing{Video: hidden, Admission: model.Admission{Who: m.Viewer}})
		require.NoError(t, err)
		require.Len(t, shown, 1)
		require.Equal(t, offered, shown[0].Removable, m.Role)
	}

	var revision int64
	require.NoError(t, s.Store.DB.QueryRow(`SELECT revision FROM videos WHERE id = $1`, v.ID).Scan(&revision))
	require.Equal(t, v.Revision, revision)

	closed := s.Call(t, creator.Key, http.MethodPatch, "/v1/videos/"+v.ID, `{"commentsEnabled":false}`)
	require.Equal(t, http.StatusOK, closed.Status)
	require.Equal(t, "forbidden", add(author.Key, v.ID, map[string]any{"body": "x"}).Code())
}
