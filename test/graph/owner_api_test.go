package graph_test

import (
	"context"
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

// On an empty server the link makes an account, a workspace with its name, and a session. It works once, and so do the
// links of other starts.
func TestCreateOwnerOnAnEmptyServer(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	token, other := welcome(t, s), welcome(t, s)

	for _, wrong := range []string{"reel_wl_", token + "x", "reel_iv_" + token[len("reel_wl_"):]} {
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

	for _, used := range []string{token, other} {
		require.Equal(t, "not_found", s.Ask(t, "", createOwner, owner(used, "eve@example.test")).Code())
	}

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

// A link is worthless as soon as an account has a password, however it got it.
func TestWelcomeEndsWithTheFirstPassword(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	token := welcome(t, s)
	person(t, s, testkit.MemberOpts{})
	require.Equal(t, "not_found", s.Ask(t, "", createOwner, owner(token, "eve@example.test")).Code())
}

// Of many who use the links of several servers at the same time, one becomes the owner.
func TestCreateOwnerHappensOnce(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})

	var (
		all  sync.WaitGroup
		mu   sync.Mutex
		done int
	)

	for range 6 {
		token := welcome(t, s)

		all.Go(func() {
			made := s.Ask(t, "", createOwner, owner(token, "ada@example.test"))

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
