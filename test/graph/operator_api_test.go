package graph_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/migrate"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// A person owns at most five workspaces, whether created or received. A signed-in operator may own any number.
func TestWorkspacesOfOnePerson(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	operator := person(t, s, testkit.MemberOpts{})
	m, second := person(t, s, testkit.MemberOpts{}), testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	more := `mutation { createWorkspace(input: {name: "More"}) { workspace { id } } }`

	codes := map[string]int{}
	answers := make(chan string, 8)

	for range cap(answers) {
		go func() { answers <- s.Ask(t, m.Key, more, nil).Code() }()
	}

	for range cap(answers) {
		codes[<-answers]++
	}

	require.Equal(t, map[string]int{"": 4, "forbidden": 4}, codes, "five in total, even with concurrent requests")
	require.Contains(t, s.Ask(t, m.Key, more, nil).Body, "REELGRAPH_WORKSPACES")

	_, token := invited(t, s, second.Key, m.Email, "OWNER")
	require.Equal(t, "forbidden", as(t, s, cookieOf(t, enter(t, s, m.Email, password)), accept, map[string]any{"in": map[string]any{"token": token}}).Code())

	second.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		db.Membership.Create().SetUserID(m.UserID).SetWorkspaceID(second.WorkspaceID).SetRole(auth.RoleMember).ExecX(auth.AsSystem(ctx))
	})

	g := s.Ask(t, second.Key, fmt.Sprintf(`mutation { updateMember(userId: %q, input: {role: OWNER}) { member { role } } }`, m.UserID), nil)
	require.Equal(t, "forbidden", g.Code(), "a sixth by promotion")

	for range 4 {
		require.Empty(t, s.Ask(t, operator.Key, more, nil).Errors)
	}

	require.Equal(t, "forbidden", s.Ask(t, operator.Key, more, nil).Code(), "an API key has no operator rights")

	cookie := cookieOf(t, s.Ask(t, "", signIn, map[string]any{"in": map[string]any{"email": operator.Email, "password": password, "workspaceId": operator.WorkspaceID}}))
	require.Empty(t, as(t, s, cookie, more, nil).Errors)

	few := api.New(t, api.Options{DSN: testkit.Database(t)})
	few.Resolver.Workspaces = 1
	few.Resolver.Remake()
	require.Equal(t, "forbidden", few.Ask(t, testkit.NewMember(t, few.Store, testkit.MemberOpts{}).Key, more, nil).Code())
}

// Operators are owners of the first workspace with a session in it.
func TestOperators(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	operator := person(t, s, testkit.MemberOpts{})
	admin := person(t, s, testkit.MemberOpts{WorkspaceID: operator.WorkspaceID, Role: auth.RoleAdmin})
	elsewhere := person(t, s, testkit.MemberOpts{})
	create := `mutation ($in: CreatePasswordResetInput!) { createPasswordReset(input: $in) { url expiresAt } }`
	in := map[string]any{"in": map[string]any{"email": elsewhere.Email}}
	session := func(m testkit.Member) string { return cookieOf(t, enter(t, s, m.Email, password)) }

	require.Equal(t, "forbidden", s.Ask(t, operator.Key, create, in).Code(), "a key")
	require.Equal(t, "forbidden", as(t, s, session(admin), create, in).Code(), "an admin")
	require.Equal(t, "forbidden", as(t, s, session(elsewhere), create, in).Code(), "an owner of another workspace")

	own := as(t, s, session(operator), `mutation { createWorkspace(input: {name: "Another"}) { workspace { id } } }`, nil)
	moved := as(t, s, session(operator), `mutation ($id: ID!) { switchWorkspace(id: $id) { session { id } } }`,
		map[string]any{"id": api.Dig(own.Data, "createWorkspace", "workspace", "id")})
	require.Equal(t, "forbidden", as(t, s, cookieOf(t, moved), create, in).Code(), "an operator's session in another workspace")

	first := s.Ask(t, "", signIn, map[string]any{"in": map[string]any{"email": operator.Email, "password": password, "workspaceId": operator.WorkspaceID}})
	cookie := cookieOf(t, first)
	require.Equal(t, "not_found", as(t, s, cookie, create, map[string]any{"in": map[string]any{"email": "nobody@example.test"}}).Code())

	made := as(t, s, cookie, create, in)
	require.Empty(t, made.Errors, made.Body)

	expires, err := time.Parse(time.RFC3339, api.Dig(made.Data, "createPasswordReset", "expiresAt").(string))
	require.NoError(t, err)
	require.WithinDuration(t, time.Now().Add(time.Hour), expires, time.Minute)

	// A password reset ends all sessions and begins none.
	theirs := session(elsewhere)
	done := as(t, s, theirs, reset, map[string]any{"in": map[string]any{"token": tokenIn(t, api.Dig(made.Data, "createPasswordReset", "url")), "password": "battery staple"}})
	require.Empty(t, done.Errors, done.Body)
	require.Equal(t, http.StatusUnauthorized, as(t, s, theirs, whoIsThere, nil).Status)
	require.Equal(t, "unauthorized", enter(t, s, elsewhere.Email, password).Code())
	cookieOf(t, enter(t, s, elsewhere.Email, "battery staple"))

	// Changing the password also ends reset links.
	made = as(t, s, cookie, create, in)
	mine := cookieOf(t, enter(t, s, elsewhere.Email, "battery staple"))
	require.Empty(t, as(t, s, mine, `mutation { setPassword(input: {currentPassword: "battery staple", newPassword: "correct horse"}) { user { id } } }`, nil).Errors)
	require.Empty(t, as(t, s, mine, whoIsThere, nil).Errors, "the session that changed it stays")
	require.Equal(t, "not_found", s.Ask(t, "", reset, map[string]any{"in": map[string]any{"token": tokenIn(t, api.Dig(made.Data, "createPasswordReset", "url")), "password": "hold the door open"}}).Code())

	name := as(t, s, mine, `mutation { updateUser(input: {name: "  Ann"}) { user { name } } }`, nil)
	require.Contains(t, name.Body, `Ann`)
	require.Equal(t, "bad_request", as(t, s, mine, `mutation { updateUser(input: {}) { user { name } } }`, nil).Code())
	require.Equal(t, "bad_request", as(t, s, mine, `mutation { updateUser(input: {name: " "}) { user { name } } }`, nil).Code())

	list := as(t, s, mine, `{ sessions { totalCount nodes { id current } } viewer { user { name } } }`, nil)
	require.EqualValues(t, 1, api.Dig(list.Data, "sessions", "totalCount"))
	require.Equal(t, true, api.Dig(list.Data, "sessions", "nodes").([]any)[0].(map[string]any)["current"])
}

// The upgrade turns a membership into an invitation if the person has neither a key nor a session there, because it is
// unknown whether they wanted it. A workspace keeps an owner.
func TestUpgradeOfMemberships(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := person(t, s, testkit.MemberOpts{Email: "owner@example.test"})
	exec := func(query string, args ...any) {
		_, err := s.Store.DB.Exec(query, args...)
		require.NoError(t, err)
	}
	join := func(email string, role auth.Role) testkit.Member {
		return testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: owner.WorkspaceID, Email: email, Role: role})
	}

	join("key@example.test", auth.RoleMember)
	revoked, idle := join("revoked@example.test", auth.RoleAdmin), join("idle@example.test", auth.RoleViewer)
	session, expired := join("session@example.test", auth.RoleMember), join("expired@example.test", auth.RoleMember)
	elsewhere, idleOwner := join("elsewhere@example.test", auth.RoleMember), join("idle-owner@example.test", auth.RoleOwner)
	lonely := testkit.NewMember(t, s.Store, testkit.MemberOpts{Email: "lonely@example.test"})

	exec(`UPDATE api_keys SET revoked_at = now() WHERE user_id = $1`, revoked.UserID)
	exec(`DELETE FROM api_keys WHERE user_id = ANY ($1)`, "{"+strings.Join([]string{
		idle.UserID, session.UserID, expired.UserID, idleOwner.UserID, lonely.UserID,
	}, ",")+"}")
	exec(`UPDATE api_keys SET workspace_id = $1 WHERE user_id = $2`, lonely.WorkspaceID, elsewhere.UserID)

	for m, until := range map[string]string{session.UserID: "1 hour", expired.UserID: "-1 hour"} {
		exec(`INSERT INTO sessions (id, workspace_id, user_id, token_hash, expires_at, last_seen_at, created_at, updated_at)
			VALUES ('ses_' || $1::text, $2, $1, $1::text::bytea, now() + $3::interval, now(), current_timestamp, statement_timestamp())`, m, owner.WorkspaceID, until)
	}

	content, err := migrate.Files.ReadFile("migrations/20261129123721_invitations.sql")
	require.NoError(t, err)

	_, change, found := strings.Cut(string(content), "-- A membership of a person who")
	require.True(t, found)

	_, change, _ = strings.Cut(change, "\n")
	exec(change)

	for email, is := range map[string]bool{
		"owner@example.test": true, "key@example.test": true, "session@example.test": true, "revoked@example.test": false,
		"idle@example.test": false, "expired@example.test": false, "elsewhere@example.test": false, "idle-owner@example.test": false,
	} {
		require.Equal(t, is, isMember(t, s, owner.WorkspaceID, email), email)
	}

	require.True(t, isMember(t, s, lonely.WorkspaceID, "lonely@example.test"), "the last owner stays a member")

	list := s.Ask(t, owner.Key, `{ invitations { nodes { id email role inviter { email } } } }`, nil)
	require.Contains(t, list.Body, `"email":"idle@example.test","role":"VIEWER","inviter":{"email":"owner@example.test"}`)
	require.Len(t, api.Dig(list.Data, "invitations", "nodes"), 5)

	// The owner sends a link, and a person with a password signs in to accept.
	withPassword(t, s, idle.Email)

	cookie, id := cookieOf(t, enter(t, s, idle.Email, password)), ""

	for _, node := range api.Dig(list.Data, "invitations", "nodes").([]any) {
		if node := node.(map[string]any); node["email"] == idle.Email {
			id = node["id"].(string)
		}
	}

	renewed := s.Ask(t, owner.Key, renew, map[string]any{"id": id})
	back := as(t, s, cookie, accept, map[string]any{"in": map[string]any{"token": tokenIn(t, api.Dig(renewed.Data, "renewInvitation", "invitation", "url"))}})
	require.Equal(t, "VIEWER", api.Dig(back.Data, "acceptInvitation", "membership", "role"), back.Body)
}
