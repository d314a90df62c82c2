package graph_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent/user"
	"github.com/reelgraph/reelgraph/internal/account"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

const (
	invite = `mutation ($in: InviteMemberInput!) { inviteMember(input: $in) { invitation { id email role url mailed expiresAt inviter { id } } } }`
	accept = `mutation ($in: AcceptInvitationInput!) { acceptInvitation(input: $in) {
		membership { role workspace { id name } } session { workspaceId current } } }`
	renew = `mutation ($id: ID!) { renewInvitation(id: $id) { invitation { id url mailed inviter { id } } } }`
	reset = `mutation ($in: ResetPasswordInput!) { resetPassword(input: $in) { user { id email } } }`
	offer = `query ($token: String!) { invitation(token: $token) { email role workspaceName inviterName hasAccount } }`
)

// withPassword gives a person a password, as an operator's command would.
func withPassword(t *testing.T, s *api.Server, email string) {
	t.Helper()

	require.NoError(t, s.Store.InTx(auth.AsSystem(t.Context()), func(ctx context.Context) error {
		return s.Store.Client(ctx).User.Update().Where(user.Email(email)).SetPasswordHash(auth.HashPassword(password)).Exec(ctx)
	}))
}

// tokenIn returns the token in a link's fragment.
func tokenIn(t *testing.T, link any) string {
	t.Helper()

	url, _ := link.(string)
	_, token, found := strings.Cut(url, "#")
	require.True(t, found, "no link: %v", link)
	require.True(t, strings.HasPrefix(url, api.BaseURL+"/invite#reel_iv_") || strings.HasPrefix(url, api.BaseURL+"/reset#reel_rs_"), url)

	return token
}

// invited creates an invitation and returns its id and the token of its link.
func invited(t *testing.T, s *api.Server, key, email, role string) (id, token string) {
	t.Helper()

	g := s.Ask(t, key, invite, map[string]any{"in": map[string]any{"email": email, "role": role}})
	require.Empty(t, g.Errors, g.Body)

	made := api.Dig(g.Data, "inviteMember", "invitation")

	return api.Dig(made, "id").(string), tokenIn(t, api.Dig(made, "url"))
}

// joins accepts an invitation with a new account and returns its session cookie.
func joins(t *testing.T, s *api.Server, token string) string {
	t.Helper()

	g := s.Ask(t, "", accept, map[string]any{"in": map[string]any{"token": token, "name": "New", "password": password}})
	require.Empty(t, g.Errors, g.Body)

	return cookieOf(t, g)
}

func isMember(t *testing.T, s *api.Server, workspaceID, email string) bool {
	t.Helper()

	var is bool
	require.NoError(t, s.Store.DB.QueryRow(`SELECT EXISTS (SELECT FROM memberships m JOIN users u ON u.id = m.user_id
		WHERE m.workspace_id = $1 AND u.email = $2)`, workspaceID, email).Scan(&is))

	return is
}

// Membership begins when the person accepts. The answer of inviteMember does not reveal whether an account exists.
func TestInvitations(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	known := testkit.NewMember(t, s.Store, testkit.MemberOpts{Email: "known@example.test"})

	// The answer is the same for an address with an account, with and without a password, and in capitals.
	withPassword(t, s, testkit.NewMember(t, s.Store, testkit.MemberOpts{Email: "secret@example.test"}).Email)

	shapes := map[string]bool{}

	for _, email := range []string{"Known@Example.test", "secret@example.test", "new@example.test", "New.Er@example.test"} {
		g := s.Ask(t, owner.Key, invite, map[string]any{"in": map[string]any{"email": email, "role": nil}})
		require.Empty(t, g.Errors, g.Body)

		made := api.Dig(g.Data, "inviteMember", "invitation").(map[string]any)
		require.Equal(t, []any{email, "MEMBER", false}, []any{made["email"], made["role"], made["mailed"]})
		require.NotContains(t, g.Body, "Someone@", "reveals the account")

		expires, err := time.Parse(time.RFC3339, made["expiresAt"].(string))
		require.NoError(t, err)
		require.WithinDuration(t, time.Now().Add(7*24*time.Hour), expires, time.Minute)

		shapes[fmt.Sprint(slices.Sorted(maps.Keys(made)), len(tokenIn(t, made["url"])))] = true
		require.False(t, isMember(t, s, owner.WorkspaceID, strings.ToLower(email)), "a member before accepting")
	}

	require.Len(t, shapes, 1)
	require.Equal(t, "conflict", s.Ask(t, owner.Key, invite, map[string]any{"in": map[string]any{"email": strings.ToUpper(owner.Email)}}).Code())
	require.Equal(t, "bad_request", s.Ask(t, owner.Key, invite, map[string]any{"in": map[string]any{"email": "them"}}).Code())

	list := s.Ask(t, owner.Key, `{ invitations(first: 3) { totalCount nodes { id email url } pageInfo { hasNextPage endCursor } } }`, nil)
	require.EqualValues(t, 4, api.Dig(list.Data, "invitations", "totalCount"))
	require.Contains(t, list.Body, `"email":"New.Er@example.test","url":null`, "newest first, without links")

	rest := s.Ask(t, owner.Key, `query ($a: String) { invitations(after: $a) { nodes { email } pageInfo { hasNextPage } } }`,
		map[string]any{"a": api.Dig(list.Data, "invitations", "pageInfo", "endCursor")})
	require.Contains(t, rest.Body, `{"nodes":[{"email":"Known@Example.test"}],"pageInfo":{"hasNextPage":false}}`)
	require.Contains(t, s.Ask(t, known.Key, `{ invitations { totalCount } }`, nil).Body, `{"totalCount":0}`, "lists only the caller's workspace")

	for _, role := range []auth.Role{auth.RoleMember, auth.RoleViewer} {
		m := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: owner.WorkspaceID, Role: role})
		require.Equal(t, "forbidden", s.Ask(t, m.Key, `{ invitations { totalCount } }`, nil).Code())
	}

	var stored int
	require.NoError(t, s.Store.DB.QueryRow(`SELECT count(*) FROM invitations WHERE octet_length(token_hash) = 32`).Scan(&stored))
	require.Equal(t, 4, stored, "hashed")
}

// A link works once. It creates an account if there is none, and does not sign in to an existing one.
func TestAcceptingAnInvitation(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	known := person(t, s, testkit.MemberOpts{Email: "known@example.test"})
	other := person(t, s, testkit.MemberOpts{})
	try := func(cookie string, in map[string]any) api.Graph {
		return as(t, s, cookie, accept, map[string]any{"in": in})
	}

	// A new account.
	_, token := invited(t, s, owner.Key, "New@example.test", "VIEWER")
	seen := s.Ask(t, "", offer, map[string]any{"token": token})
	require.Equal(t, map[string]any{
		"email": "New@example.test", "role": "VIEWER", "workspaceName": "Test", "inviterName": "Someone", "hasAccount": false,
	}, api.Dig(seen.Data, "invitation"))

	for _, in := range []map[string]any{
		{"token": token},
		{"token": token, "name": "New"},
		{"token": token, "password": password},
		{"token": token, "name": " ", "password": password},
		{"token": token, "name": "New", "password": "1234567"},
		{"token": token, "name": nil, "password": nil},
	} {
		require.Equal(t, "bad_request", try("", in).Code(), in)
	}

	g := try("", map[string]any{"token": token, "name": "New", "password": password})
	require.Equal(t, map[string]any{"role": "VIEWER", "workspace": map[string]any{"id": owner.WorkspaceID, "name": "Test"}}, api.Dig(g.Data, "acceptInvitation", "membership"), g.Body)
	require.Equal(t, map[string]any{"workspaceId": owner.WorkspaceID, "current": true}, api.Dig(g.Data, "acceptInvitation", "session"))
	require.Equal(t, "new@example.test", api.Dig(as(t, s, cookieOf(t, g), whoIsThere, nil).Data, "viewer", "user", "email"))
	require.Equal(t, "not_found", try("", map[string]any{"token": token, "name": "New", "password": password}).Code(), "once")
	require.Equal(t, "not_found", s.Ask(t, "", offer, map[string]any{"token": token}).Code())
	cookieOf(t, enter(t, s, "new@example.test", password))

	// An existing account.
	_, token = invited(t, s, owner.Key, known.Email, "ADMIN")
	require.Equal(t, true, api.Dig(s.Ask(t, "", offer, map[string]any{"token": token}).Data, "invitation", "hasAccount"))

	fresh := map[string]any{"token": token, "name": "Mallory", "password": "battery staple"}
	require.Equal(t, "bad_request", try("", fresh).Code(), "a link cannot set the name or password of an existing account")
	require.Equal(t, "bad_request", try(cookieOf(t, enter(t, s, known.Email, password)), fresh).Code())
	require.Equal(t, "unauthorized", try("", map[string]any{"token": token}).Code())
	require.Equal(t, "forbidden", try(cookieOf(t, enter(t, s, other.Email, password)), map[string]any{"token": token}).Code())
	require.Equal(t, "forbidden", s.Ask(t, known.Key, accept, map[string]any{"in": map[string]any{"token": token}}).Code(), "an API key does not count as signed in")
	require.False(t, isMember(t, s, owner.WorkspaceID, known.Email))

	g = try(cookieOf(t, enter(t, s, known.Email, password)), map[string]any{"token": token})
	require.Equal(t, "ADMIN", api.Dig(g.Data, "acceptInvitation", "membership", "role"), g.Body)
	require.Equal(t, owner.WorkspaceID, api.Dig(as(t, s, cookieOf(t, g), whoIsThere, nil).Data, "viewer", "workspace", "id"), "switches to the new workspace")

	// Declined, expired, withdrawn, renewed, invited twice.
	decline := `mutation ($in: DeclineInvitationInput!) { declineInvitation(input: $in) { deletedId } }`
	id, token := invited(t, s, owner.Key, "three@example.test", "MEMBER")
	require.Equal(t, id, api.Dig(s.Ask(t, "", decline, map[string]any{"in": map[string]any{"token": token}}).Data, "declineInvitation", "deletedId"))
	require.Equal(t, "not_found", s.Ask(t, "", decline, map[string]any{"in": map[string]any{"token": token}}).Code())

	_, token = invited(t, s, owner.Key, "four@example.test", "MEMBER")
	_, later := invited(t, s, owner.Key, "Four@example.test", "VIEWER")
	require.Equal(t, "not_found", s.Ask(t, "", offer, map[string]any{"token": token}).Code(), "the second invitation replaces the first")

	id, _ = invited(t, s, owner.Key, "four@example.test", "VIEWER")
	renewed := s.Ask(t, owner.Key, renew, map[string]any{"id": id})
	token = tokenIn(t, api.Dig(renewed.Data, "renewInvitation", "invitation", "url"))
	require.Equal(t, "not_found", s.Ask(t, "", offer, map[string]any{"token": later}).Code())
	require.Empty(t, s.Ask(t, "", offer, map[string]any{"token": token}).Errors)

	_, err := s.Store.DB.Exec(`UPDATE invitations SET expires_at = now()`)
	require.NoError(t, err)
	require.Equal(t, "not_found", s.Ask(t, "", offer, map[string]any{"token": token}).Code())
	require.Equal(t, "not_found", try("", map[string]any{"token": token, "name": "Four", "password": password}).Code())

	revoke := `mutation ($id: ID!) { revokeInvitation(id: $id) { deletedId } }`
	require.Equal(t, "not_found", s.Ask(t, other.Key, revoke, map[string]any{"id": id}).Code(), "an invitation of another workspace")
	require.Equal(t, "not_found", s.Ask(t, other.Key, `query ($id: ID!) { node(id: $id) { id } }`, map[string]any{"id": id}).Code())
	require.Contains(t, s.Ask(t, owner.Key, `query ($id: ID!) { node(id: $id) { ... on Invitation { email } } }`, map[string]any{"id": id}).Body, "four@example.test")
	require.Equal(t, id, api.Dig(s.Ask(t, owner.Key, revoke, map[string]any{"id": id}).Data, "revokeInvitation", "deletedId"))
	require.Equal(t, "not_found", s.Ask(t, owner.Key, renew, map[string]any{"id": id}).Code())
}

// Of several concurrent uses of a link, only one succeeds.
func TestALinkIsUsedOnce(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	_, token := invited(t, s, owner.Key, "new@example.test", "MEMBER")
	answers := make(chan string, 4)

	for range cap(answers) {
		go func() {
			answers <- s.Ask(t, "", accept, map[string]any{"in": map[string]any{"token": token, "name": "New", "password": password}}).Code()
		}()
	}

	var got []string
	for range cap(answers) {
		got = append(got, <-answers)
	}

	require.ElementsMatch(t, []string{"", "not_found", "not_found", "not_found"}, got)
}

// An invitation ends when its inviter may no longer invite, and does not come back.
func TestAnInvitationEndsWithItsInviter(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	change := func(key, userID, role string) {
		require.Empty(t, s.Ask(t, key, fmt.Sprintf(`mutation { updateMember(userId: %q, input: {role: %s}) { member { role } } }`, userID, role), nil).Errors)
	}
	holds := func(token string) bool { return s.Ask(t, "", offer, map[string]any{"token": token}).Code() == "" }
	another := func(role auth.Role) testkit.Member {
		return testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: owner.WorkspaceID, Role: role})
	}

	admin := another(auth.RoleAdmin)
	_, token := invited(t, s, admin.Key, "one@example.test", "MEMBER")
	change(owner.Key, admin.UserID, "OWNER")
	require.True(t, holds(token))
	change(owner.Key, admin.UserID, "VIEWER")
	require.False(t, holds(token), "the inviter is no longer an admin")
	change(owner.Key, admin.UserID, "ADMIN")
	require.False(t, holds(token), "for good")

	second := another(auth.RoleOwner)
	_, token = invited(t, s, second.Key, "two@example.test", "OWNER")
	_, weaker := invited(t, s, second.Key, "three@example.test", "ADMIN")
	change(owner.Key, second.UserID, "ADMIN")
	require.False(t, holds(token), "an admin cannot invite owners")
	require.True(t, holds(weaker))

	gone := another(auth.RoleAdmin)
	_, token = invited(t, s, gone.Key, "four@example.test", "MEMBER")
	id, kept := invited(t, s, gone.Key, "five@example.test", "MEMBER")
	renewed := s.Ask(t, owner.Key, renew, map[string]any{"id": id})
	require.Equal(t, owner.UserID, api.Dig(renewed.Data, "renewInvitation", "invitation", "inviter", "id"), "renewing makes the caller the inviter")
	require.False(t, holds(kept))
	kept = tokenIn(t, api.Dig(renewed.Data, "renewInvitation", "invitation", "url"))
	require.Empty(t, s.Ask(t, owner.Key, fmt.Sprintf(`mutation { removeMember(userId: %q) { __typename } }`, gone.UserID), nil).Errors)
	require.False(t, holds(token), "removed")
	require.True(t, holds(kept))

	// The rule also holds when the role changes another way, such as an operator's command.
	_, token = invited(t, s, admin.Key, "six@example.test", "MEMBER")
	_, err := s.Store.DB.Exec(`UPDATE memberships SET role = 'member' WHERE user_id = $1`, admin.UserID)
	require.NoError(t, err)
	require.False(t, holds(token))
}

// An account created by a shown link can act only in the workspace that invited it until its address is proved. The
// first proof deletes what somebody else may have added to the account.
func TestAnUnprovedAddress(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	first := person(t, s, testkit.MemberOpts{}) // owner of the first workspace, so an operator
	mallory := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	own := `mutation { createWorkspace(input: {name: "Own"}) { workspace { id } } }`

	_, token := invited(t, s, mallory.Key, "new@corp.test", "MEMBER")
	cookie := joins(t, s, token)
	key := api.Dig(as(t, s, cookie, `mutation { createApiKey(input: {name: "x"}) { key } }`, nil).Data, "createApiKey", "key").(string)

	require.Empty(t, as(t, s, cookie, whoIsThere, nil).Errors)
	require.Equal(t, "forbidden", as(t, s, cookie, own, nil).Code())
	require.Equal(t, "forbidden", s.Ask(t, key, own, nil).Code())

	_, other := invited(t, s, first.Key, "new@corp.test", "MEMBER")
	require.Equal(t, "forbidden", as(t, s, cookie, accept, map[string]any{"in": map[string]any{"token": other}}).Code())
	require.False(t, isMember(t, s, first.WorkspaceID, "new@corp.test"))

	// The operator's link reaches the person.
	made := as(t, s, cookieOf(t, enter(t, s, first.Email, password)),
		`mutation ($in: CreatePasswordResetInput!) { createPasswordReset(input: $in) { url expiresAt } }`, map[string]any{"in": map[string]any{"email": "New@corp.test"}})
	require.Empty(t, made.Errors, made.Body)
	require.Empty(t, as(t, s, cookie, whoIsThere, nil).Errors, "the address is proved only when the link is used")

	link := tokenIn(t, api.Dig(made.Data, "createPasswordReset", "url"))
	proved := s.Ask(t, "", reset, map[string]any{"in": map[string]any{"token": link, "password": "battery staple"}})
	require.Equal(t, "new@corp.test", api.Dig(proved.Data, "resetPassword", "user", "email"), proved.Body)
	require.Equal(t, "not_found", s.Ask(t, "", reset, map[string]any{"in": map[string]any{"token": link, "password": "battery staple"}}).Code(), "once")

	require.Equal(t, http.StatusUnauthorized, as(t, s, cookie, whoIsThere, nil).Status, "its sessions have ended")
	require.Equal(t, http.StatusUnauthorized, s.Ask(t, key, whoIsThere, nil).Status, "keys too")
	require.Equal(t, "unauthorized", enter(t, s, "new@corp.test", password).Code(), "the password no longer works")
	require.False(t, isMember(t, s, mallory.WorkspaceID, "new@corp.test"))
	require.Contains(t, s.Ask(t, mallory.Key, `{ invitations { nodes { email role } } }`, nil).Body, `{"email":"new@corp.test","role":"MEMBER"}`, "the membership is an invitation again")

	// The person belongs to no workspace now and signs in to accept.
	in := enter(t, s, "new@corp.test", "battery staple")
	cookie = cookieOf(t, in)
	require.Equal(t, http.StatusUnauthorized, as(t, s, cookie, whoIsThere, nil).Status, "the session has no workspace")
	require.Equal(t, http.StatusUnauthorized, as(t, s, cookie, own, nil).Status)

	joined := as(t, s, cookie, accept, map[string]any{"in": map[string]any{"token": other}})
	require.Equal(t, first.WorkspaceID, api.Dig(joined.Data, "acceptInvitation", "membership", "workspace", "id"), joined.Body)
	require.Empty(t, as(t, s, cookieOf(t, joined), own, nil).Errors)

	// A second proof deletes nothing.
	cookie = cookieOf(t, enter(t, s, "new@corp.test", "battery staple"))
	require.NoError(t, s.Store.InTx(auth.AsSystem(t.Context()), func(ctx context.Context) error {
		c := s.Store.Client(ctx)
		again, err := account.Prove(ctx, c, c.User.Query().Where(user.Email("new@corp.test")).OnlyX(ctx).ID)
		require.False(t, again)

		return err
	}))
	require.Empty(t, as(t, s, cookie, whoIsThere, nil).Errors)
}

// Only links and passwords work without a credential, and only alone in their document.
func TestWhatNeedsNobody(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	_, token := invited(t, s, owner.Key, "new@example.test", "MEMBER")

	for _, document := range []string{
		`{ invitation(token: "` + token + `") { id } viewer { role } }`, `{ invitations { totalCount } }`, `{ sessions { totalCount } }`,
		`mutation { declineInvitation(input: {token: "` + token + `"}) { deletedId } signOut { deletedId } }`,
		`mutation { createPasswordReset(input: {email: "` + owner.Email + `"}) { url } }`, `mutation { updateUser(input: {name: "x"}) { user { id } } }`,
		`mutation { inviteMember(input: {email: "a@example.test"}) { invitation { url } } }`,
	} {
		require.Equal(t, http.StatusUnauthorized, s.Ask(t, "", document, nil).Status, document)
	}

	require.Equal(t, http.StatusUnauthorized, s.Call(t, "", http.MethodGet, "/graphql?query=%7Binvitation(token:%22"+token+"%22)%7Bid%7D%7D", "").Status,
		"a token must not be in the URL")

	for _, made := range []string{"", "reel_iv_", token + "x", strings.ToUpper(token), "reel_rs_" + token[len("reel_iv_"):]} {
		g := s.Ask(t, "", offer, map[string]any{"token": made})
		require.Equal(t, "not_found", g.Code(), g.Body)
		require.NotContains(t, g.Body, "new@example.test")
	}
}
