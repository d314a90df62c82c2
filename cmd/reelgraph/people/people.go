// Package people makes users, workspaces, seats and API keys for the commands of an operator. A Grant says what is wanted;
// Issue and Seat make what is missing.
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

// firstWorkspace is the name of the workspace that is made when there is none.
const firstWorkspace = "My workspace"

// firstOwner owns it.
const firstOwner = "owner@localhost"

// Grant describes a key for a person in a workspace. Both are made if they are missing.
type Grant struct {
	Email     string
	Name      string    // of a person who is made; empty: what stands before the @
	Workspace string    // its id, or a name as named has it; empty: the person's own, else the first
	Role      auth.Role // empty: as it is, else as invited, else owner of a workspace that is new and member of another
	Tier      auth.Plan // empty: as it is, else newPlan
	NewPlan   auth.Plan // of a workspace that is made
}

// Email is an address as it is stored.
func Email(given string) (string, error) {
	parsed, err := mail.ParseAddress(given)
	if err != nil || parsed.Address != given {
		return "", fmt.Errorf("%q is not an e-mail address", given)
	}

	return strings.ToLower(given), nil
}

// Issue makes the key, and all that it needs, in one transaction. Two at once do not make anything
// twice.
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

// Seat gives the person the place in the workspace, and no key.
func (g Grant) Seat(ctx context.Context, s *store.Store) error {
	err := g.within(ctx, s, func(context.Context, *ent.Client, *ent.User, *ent.Workspace) error { return nil })
	if err != nil {
		return fmt.Errorf("add %s to the workspace: %w", g.Email, err)
	}

	return nil
}

// within runs fn with the person, who has a place in the workspace by then.
func (g Grant) within(
	ctx context.Context, s *store.Store, fn func(ctx context.Context, c *ent.Client, person *ent.User, place *ent.Workspace) error,
) error {
	return s.InTx(auth.AsSystem(ctx), func(ctx context.Context) error {
		c := s.Client(ctx)

		// The address before the workspaces, as who accepts an invitation takes them.
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

// person is whoever has the address, which the command proves.
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

// place is the workspace, with the plan that was asked for.
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

// named is the workspace with the id, or with a name that an operator can vouch for: that of the first workspace, or one that a
// command gave. It is nil when nobody has the name. A name that only others chose is refused, for they may have chosen it to be
// taken for another.
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

	return nil, fmt.Errorf("a user named this workspace %q, so the name may mislead; give the id of the workspace instead:\n%s",
		g.Workspace, strings.Join(lines, "\n"))
}

// usual is the workspace to which the person belongs, or the first when they belong to none; nil when there is none either. An
// invitation that was not accepted counts for nothing.
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

// join gives the person a place in the workspace, or the role that was asked for. It takes the place of an invitation.
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

// Welcome makes a workspace, its owner and a key when there is nobody yet. It answers an empty key
// when there is.
func Welcome(ctx context.Context, s *store.Store, plan auth.Plan) (auth.Key, error) {
	return store.Write(auth.AsSystem(ctx), s, nil, func(ctx context.Context) (auth.Key, error) {
		c := s.Client(ctx)

		if _, err := c.ExecContext(ctx, "LOCK TABLE workspaces IN EXCLUSIVE MODE"); err != nil {
			return auth.Key{}, err
		}

		some, err := c.Workspace.Query().Exist(ctx)
		if err != nil || some {
			return auth.Key{}, err
		}

		return Grant{Email: firstOwner, NewPlan: plan}.Issue(ctx, s)
	})
}
