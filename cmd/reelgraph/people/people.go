// Package people creates users, workspaces, memberships and API keys for the commands of an operator. A Grant describes the
// target; Issue and Seat create what is missing.
package people

import (
	"cmp"
	"context"
	"fmt"
	"net/mail"
	"strings"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/invitation"
	"github.com/reelgraph/reelgraph/ent/membership"
	"github.com/reelgraph/reelgraph/ent/user"
	"github.com/reelgraph/reelgraph/ent/workspace"
	"github.com/reelgraph/reelgraph/internal/account"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// firstWorkspace is the name of the workspace created when none exists.
const firstWorkspace = "My workspace"

// Grant describes an API key to create for a person in a workspace. The person and the workspace are created too if they
// do not exist.
type Grant struct {
	Email     string
	Name      string    // for a new person; empty: the part before the @
	Workspace string    // id, or a name as in named; empty: the person's own, else the first
	Role      auth.Role // empty: unchanged, else as invited, else owner of a new workspace, member of another
	Tier      auth.Plan // empty: unchanged, else NewPlan
	NewPlan   auth.Plan // for a new workspace
}

// Email normalizes an address to its stored form.
func Email(given string) (string, error) {
	parsed, err := mail.ParseAddress(given)
	if err != nil || parsed.Address != given {
		return "", fmt.Errorf("%q is not an e-mail address", given)
	}

	return strings.ToLower(given), nil
}

// Issue creates the key and, if they are missing, the person and the workspace, all in one transaction. Concurrent
// calls do not create anything twice.
func (g Grant) Issue(ctx context.Context, s *store.Store) (auth.Key, error) {
	key := auth.NewKey()

	err := g.within(ctx, s, func(ctx context.Context, c *ent.Client, person *ent.User, place *ent.Workspace) error {
		return c.APIKey.Create().SetWorkspaceID(place.ID).SetUser(person).SetName("command line").
			SetHash(key.Hash).SetLast4(key.Last4).Exec(ctx)
	})
	if err != nil {
		return auth.Key{}, fmt.Errorf("create a key for %s: %w", g.Email, err)
	}

	return key, nil
}

// Seat adds the person to the workspace without creating a key.
func (g Grant) Seat(ctx context.Context, s *store.Store) error {
	err := g.within(ctx, s, func(context.Context, *ent.Client, *ent.User, *ent.Workspace) error { return nil })
	if err != nil {
		return fmt.Errorf("add %s to the workspace: %w", g.Email, err)
	}

	return nil
}

// within runs fn with the person as a member of the workspace.
func (g Grant) within(
	ctx context.Context, s *store.Store, fn func(ctx context.Context, c *ent.Client, person *ent.User, place *ent.Workspace) error,
) error {
	return s.InTx(auth.AsSystem(ctx), func(ctx context.Context) error {
		c := s.Client(ctx)

		// Lock the address before the workspaces, in the same order as accepting an invitation.
		if err := account.Lock(ctx, c, g.Email); err != nil {
			return err
		}

		if _, err := c.ExecContext(ctx, "LOCK TABLE workspaces IN EXCLUSIVE MODE"); err != nil {
			return err
		}

		person, err := g.person(ctx, c)
		if err != nil {
			return err
		}

		place, made, err := g.place(ctx, c, person)
		if err != nil {
			return err
		}

		if err := g.join(ctx, c, person, place, made); err != nil {
			return err
		}

		return fn(ctx, c, person, place)
	})
}

// person returns or creates the person with the address, which the command verifies.
func (g Grant) person(ctx context.Context, c *ent.Client) (*ent.User, error) {
	found, err := c.User.Query().Where(user.Email(g.Email)).Only(ctx)
	if ent.IsNotFound(err) {
		name, _, _ := strings.Cut(g.Email, "@")

		return c.User.Create().SetEmail(g.Email).SetName(cmp.Or(g.Name, name)).Save(ctx)
	}

	if err != nil {
		return nil, err
	}

	_, err = account.Prove(ctx, c, found.ID)

	return found, err
}

// place returns or creates the workspace, with the requested plan.
func (g Grant) place(ctx context.Context, c *ent.Client, person *ent.User) (place *ent.Workspace, made bool, err error) {
	if g.Workspace != "" {
		place, err = g.named(ctx, c)
	} else {
		place, err = g.usual(ctx, c, person)
	}

	switch {
	case err != nil:
		return nil, false, err
	case place == nil:
		place, err = c.Workspace.Create().SetName(cmp.Or(g.Workspace, firstWorkspace)).SetCommandName(cmp.Or(g.Workspace, firstWorkspace)).
			SetPlan(cmp.Or(g.Tier, g.NewPlan)).Save(ctx)

		return place, true, err
	case g.Tier == "" || g.Tier == place.Plan:
		return place, false, nil
	default:
		return place, false, c.Workspace.UpdateOneID(place.ID).SetPlan(g.Tier).Exec(ctx)
	}
}

// named returns the workspace with the given id or name. It accepts a name only if an operator chose it: the name of
// the first workspace, or a name that a command set. It returns nil for an unknown name. It returns an error for a name
// that only users chose, because a user may have copied the name of another workspace to deceive.
func (g Grant) named(ctx context.Context, c *ent.Client) (*ent.Workspace, error) {
	if ids.Is(ids.Workspace, g.Workspace) {
		found, err := c.Workspace.Get(ctx, g.Workspace)
		if ent.IsNotFound(err) {
			return nil, fmt.Errorf("workspace %s not found", g.Workspace)
		}

		return found, err
	}

	first, err := account.FirstWorkspace(ctx, c)
	if err != nil || first != nil && first.Name == g.Workspace {
		return first, err
	}

	oldest := ent.Asc(workspace.FieldCreatedAt, workspace.FieldID)

	found, err := c.Workspace.Query().Where(workspace.CommandName(g.Workspace)).Order(oldest).First(ctx)
	if !ent.IsNotFound(err) {
		return found, err
	}

	others, err := c.Workspace.Query().Where(workspace.Name(g.Workspace)).Order(oldest).All(ctx)
	if err != nil || len(others) == 0 {
		return nil, err
	}

	lines := make([]string, len(others))
	for i, w := range others {
		lines[i] = "  " + w.ID
	}

	return nil, fmt.Errorf("a user chose the workspace name %q, so it may be misleading; give the id of the workspace instead:\n%s",
		g.Workspace, strings.Join(lines, "\n"))
}

// usual returns the workspace of the person. If the person has none, it returns the first workspace of the server, or
// nil if the server has no workspace. If the person has several, it returns an error. Pending invitations do not count.
func (g Grant) usual(ctx context.Context, c *ent.Client, person *ent.User) (*ent.Workspace, error) {
	own, err := c.Membership.Query().Where(membership.UserID(person.ID)).
		Order(ent.Asc(membership.FieldCreatedAt, membership.FieldID)).WithWorkspace().All(ctx)

	switch {
	case err != nil:
		return nil, err
	case len(own) == 0:
		return account.FirstWorkspace(ctx, c)
	case len(own) == 1:
		return own[0].Edges.Workspace, nil
	}

	lines := make([]string, len(own))
	for i, m := range own {
		lines[i] = fmt.Sprintf("  %s  %s of %q", m.WorkspaceID, m.Role, m.Edges.Workspace.Name)
	}

	return nil, fmt.Errorf("%s belongs to several workspaces; choose one with --workspace:\n%s", g.Email, strings.Join(lines, "\n"))
}

// join gives the person a membership, or the requested role. It replaces an invitation.
func (g Grant) join(ctx context.Context, c *ent.Client, person *ent.User, place *ent.Workspace, made bool) error {
	found, err := c.Membership.Query().Where(membership.WorkspaceID(place.ID), membership.UserID(person.ID)).Only(ctx)

	switch {
	case ent.IsNotFound(err):
		usual := auth.RoleMember
		if made {
			usual = auth.RoleOwner
		}

		invited, err := c.Invitation.Query().Where(invitation.WorkspaceID(place.ID), invitation.Email(person.Email)).Only(ctx)
		if err != nil && !ent.IsNotFound(err) {
			return err
		}

		if invited != nil {
			usual = invited.Role

			if err := c.Invitation.DeleteOneID(invited.ID).Exec(ctx); err != nil {
				return err
			}
		}

		return c.Membership.Create().SetWorkspaceID(place.ID).SetUser(person).SetRole(cmp.Or(g.Role, usual)).Exec(ctx)
	case err != nil || g.Role == "" || g.Role == found.Role:
		return err
	default:
		if err := c.Membership.UpdateOneID(found.ID).SetRole(g.Role).Exec(ctx); err != nil {
			return err
		}

		return account.EndInvitations(ctx, c, place.ID)
	}
}
