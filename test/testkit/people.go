package testkit

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// MemberOpts describe a member. The zero value is a member of a new premium workspace.
type MemberOpts struct {
	WorkspaceID string    // empty creates a workspace
	Role        auth.Role // default member, or owner of a created workspace
	Plan        auth.Plan // of a created workspace, default premium
	Email       string    // default a new one
}

// Member is a user in a workspace, with an API key.
type Member struct {
	auth.Viewer

	Email string
	Key   string // the API key, in plain
}

// Context returns a context with the member as viewer.
func (m Member) Context() context.Context { return auth.With(context.Background(), m.Viewer) }

// NewMember creates a user, a membership and an API key. It also creates a workspace unless the options name one.
func NewMember(tb testing.TB, s *store.Store, o MemberOpts) Member {
	tb.Helper()

	key := auth.NewKey()
	m := Member{Key: key.Plain, Email: o.Email, Viewer: auth.Viewer{WorkspaceID: o.WorkspaceID, Role: o.Role, Plan: o.Plan}}

	if m.Email == "" {
		m.Email = strings.ToLower(ids.New(ids.User)) + "@example.test"
	}

	if m.Plan == "" {
		m.Plan = auth.PlanPremium
	}

	if m.Role == "" {
		m.Role = auth.RoleMember
		if o.WorkspaceID == "" {
			m.Role = auth.RoleOwner
		}
	}

	err := s.InTx(auth.AsSystem(context.Background()), func(ctx context.Context) error {
		c := s.Client(ctx)

		if m.WorkspaceID == "" {
			m.WorkspaceID = c.Workspace.Create().SetName("Test").SetPlan(m.Plan).SaveX(ctx).ID
		}

		m.UserID = c.User.Create().SetEmail(m.Email).SetName("Someone").SaveX(ctx).ID
		c.Membership.Create().SetWorkspaceID(m.WorkspaceID).SetUserID(m.UserID).SetRole(m.Role).ExecX(ctx)
		m.KeyID = c.APIKey.Create().SetWorkspaceID(m.WorkspaceID).SetUserID(m.UserID).SetName("test").
			SetHash(key.Hash).SetLast4(key.Last4).SaveX(ctx).ID

		return nil
	})
	require.NoError(tb, err)

	return m
}

// Do runs fn in a transaction as the member.
func (m Member) Do(tb testing.TB, s *store.Store, fn func(ctx context.Context, c *ent.Client)) {
	tb.Helper()

	require.NoError(tb, s.InTx(m.Context(), func(ctx context.Context) error {
		fn(ctx, s.Client(ctx))

		return nil
	}))
}
