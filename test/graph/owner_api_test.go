package graph_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/account"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

const createOwner = `mutation ($in: CreateOwnerInput!) { createOwner(input: $in) {
	user { email name } workspace { id name } session { workspaceId current } } }`

// welcome returns the token of a new link, as a start of the server makes it.
func welcome(t *testing.T, s *api.Server) string {
	t.Helper()

	token, needed, err := account.MakeWelcome(t.Context(), s.Store)
	require.NoError(t, err)
	require.True(t, needed)

	return token.Plain
}

func owner(token, email string) map[string]any {
	return map[string]any{"in": map[string]any{"token": token, "name": "Ada", "email": email, "password": password}}
}

// On an empty server the link makes an account, a workspace with its name, and a session. It works once. Each start of a
// server ends the links of earlier starts.
func TestCreateOwnerOnAnEmptyServer(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	earlier, token := welcome(t, s), welcome(t, s)

	for _, wrong := range []string{"reel_wl_", token + "x", "reel_iv_" + token[len("reel_wl_"):], earlier} {
		require.Equal(t, "not_found", s.Ask(t, "", createOwner, owner(wrong, "ada@example.test")).Code())
	}

	for _, in := range []map[string]any{
		{"token": token, "name": " ", "email": "ada@example.test", "password": password},
		{"token": token, "name": "Ada", "email": "nowhere", "password": password},
		{"token": token, "name": "Ada", "email": "ada@example.test", "password": "short"},
	} {
		require.Equal(t, "bad_request", s.Ask(t, "", createOwner, map[string]any{"in": in}).Code(), "%v", in)
	}

	made := s.Ask(t, "", createOwner, owner(token, "Ada@Example.test"))
	cookie := cookieOf(t, made)
	require.Equal(t, "Ada", api.Dig(made.Data, "createOwner", "workspace", "name"))
	require.Equal(t, map[string]any{"email": "ada@example.test", "name": "Ada"}, api.Dig(made.Data, "createOwner", "user"))

	there := as(t, s, cookie, `{ viewer { role workspace { id } } }`, nil)
	require.Equal(t, "OWNER", api.Dig(there.Data, "viewer", "role"))
	require.NotEmpty(t, cookieOf(t, enter(t, s, "ada@example.test", password)))

	require.Equal(t, "not_found", s.Ask(t, "", createOwner, owner(token, "eve@example.test")).Code())

	_, needed, err := account.MakeWelcome(t.Context(), s.Store)
	require.NoError(t, err)
	require.False(t, needed, "an account has a password now")
}

// Commands and earlier versions leave people without a password. The link takes over their account and the oldest
// workspace, with its videos.
func TestCreateOwnerTakesOverTheFirstWorkspace(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	first := testkit.NewMember(t, s.Store, testkit.MemberOpts{Role: auth.RoleMember, Email: "first@example.test"})
	testkit.NewMember(t, s.Store, testkit.MemberOpts{})

	made := s.Ask(t, "", createOwner, owner(welcome(t, s), "First@example.test"))
	require.Empty(t, made.Errors, made.Body)
	require.Equal(t, first.WorkspaceID, api.Dig(made.Data, "createOwner", "workspace", "id"))
	require.Equal(t, "OWNER", api.Dig(s.Ask(t, first.Key, whoIsThere, nil).Data, "viewer", "role"), "the account and its key stay")
}

// Links that somebody else holds for the owner's address end: they could change the password, or join once more.
func TestCreateOwnerEndsOtherLinks(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	first := testkit.NewMember(t, s.Store, testkit.MemberOpts{Email: "first@example.test"})

	reset, _, err := account.MakeReset(auth.AsSystem(t.Context()), s.Store.Client(t.Context()), "ada@example.test")
	require.NoError(t, err)

	_, invited := invited(t, s, first.Key, "ada@example.test", "MEMBER")
	made := s.Ask(t, "", createOwner, owner(welcome(t, s), "ada@example.test"))
	require.Empty(t, made.Errors, made.Body)
	require.Equal(t, first.WorkspaceID, api.Dig(made.Data, "createOwner", "workspace", "id"))

	taken := s.Ask(t, "", `mutation ($in: ResetPasswordInput!) { resetPassword(input: $in) { user { id } } }`,
		map[string]any{"in": map[string]any{"token": reset.Plain, "password": "another horse"}})
	require.Equal(t, "not_found", taken.Code())
	require.Equal(t, "not_found", s.Ask(t, "", `query ($t: String!) { invitation(token: $t) { id } }`, map[string]any{"t": invited}).Code())
}

// A link is worthless as soon as an account has a password, however it got it.
func TestWelcomeEndsWithTheFirstPassword(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	token := welcome(t, s)
	person(t, s, testkit.MemberOpts{})
	require.Equal(t, "not_found", s.Ask(t, "", createOwner, owner(token, "eve@example.test")).Code())
}

// Of many who use the link at the same time, one becomes the owner.
func TestCreateOwnerHappensOnce(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})

	var (
		all  sync.WaitGroup
		mu   sync.Mutex
		done int
	)

	token := welcome(t, s)

	for i := range 6 {
		all.Go(func() {
			made := s.Ask(t, "", createOwner, owner(token, fmt.Sprintf("ada%d@example.test", i)))

			mu.Lock()
			defer mu.Unlock()

			if len(made.Errors) == 0 {
				done++
			}
		})
	}

	all.Wait()
	require.Equal(t, 1, done)

	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	m.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		require.Equal(t, 2, db.Workspace.Query().CountX(auth.AsSystem(ctx)), "one, and that of this test")
	})
}
