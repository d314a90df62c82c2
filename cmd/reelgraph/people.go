package main

import (
	"cmp"
	"context"
	"fmt"
	"net/mail"
	"strings"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/membership"
	"github.com/reelgraph/reelgraph/ent/user"
	"github.com/reelgraph/reelgraph/ent/workspace"
	"github.com/reelgraph/reelgraph/internal/auth"
	"github.com/reelgraph/reelgraph/internal/store"
)

// firstWorkspace is the name of the workspace that is made when there is none.
const firstWorkspace = "My workspace"

// firstOwner owns it.
const firstOwner = "owner@localhost"

// A grant is a key for a person in a workspace. What is missing of the two is made.
type grant struct {
	email     string
	workspace string    // its name; empty: the person's own, else the oldest, else a new one
	role      auth.Role // empty: as it is, else owner of a workspace that is new and member of another
	plan      auth.Plan // empty: as it is, else newPlan
	newPlan   auth.Plan // of a workspace that is made
}

// email is an address as it is stored.
func email(given string) (string, error) {
	parsed, err := mail.ParseAddress(given)
	if err != nil || parsed.Address != given {
		return "", fmt.Errorf("%q is not an e-mail address", given)
	}

	return strings.ToLower(given), nil
}

// issue makes the key, and all that it needs, in one transaction. Two at once do not make anything
// twice.
func (g grant) issue(ctx context.Context, s *store.Store) (auth.Key, error) {
	key := auth.NewKey()

	err := s.InTx(auth.AsSystem(ctx), func(ctx context.Context) error {
		c := s.Client(ctx)

		if _, err := c.ExecContext(ctx, "LOCK TABLE workspaces IN EXCLUSIVE MODE"); err != nil {
			return err
		}

		return g.give(ctx, c, key)
	})
	if err != nil {
		return auth.Key{}, fmt.Errorf("make a key for %s: %w", g.email, err)
	}

	return key, nil
}

func (g grant) give(ctx context.Context, c *ent.Client, key auth.Key) error {
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

	return c.APIKey.Create().SetWorkspaceID(place.ID).SetUser(person).SetName("command line").
		SetHash(key.Hash).SetLast4(key.Last4).Exec(ctx)
}

func (g grant) person(ctx context.Context, c *ent.Client) (*ent.User, error) {
	found, err := c.User.Query().Where(user.Email(g.email)).Only(ctx)
	if !ent.IsNotFound(err) {
		return found, err
	}

	name, _, _ := strings.Cut(g.email, "@")

	return c.User.Create().SetEmail(g.email).SetName(name).Save(ctx)
}

// place is the workspace, with the plan that was asked for.
func (g grant) place(ctx context.Context, c *ent.Client, person *ent.User) (place *ent.Workspace, made bool, err error) {
	oldest := c.Workspace.Query().Order(ent.Asc(workspace.FieldCreatedAt, workspace.FieldID))

	if g.workspace != "" {
		place, err = oldest.Where(workspace.Name(g.workspace)).First(ctx)
	} else {
		place, err = oldest.Clone().Where(workspace.HasMembershipsWith(membership.UserID(person.ID))).First(ctx)
		if ent.IsNotFound(err) {
			place, err = oldest.First(ctx)
		}
	}

	switch {
	case ent.IsNotFound(err):
		place, err = c.Workspace.Create().SetName(cmp.Or(g.workspace, firstWorkspace)).SetPlan(cmp.Or(g.plan, g.newPlan)).Save(ctx)

		return place, true, err
	case err != nil || g.plan == "" || g.plan == place.Plan:
		return place, false, err
	default:
		return place, false, c.Workspace.UpdateOneID(place.ID).SetPlan(g.plan).Exec(ctx)
	}
}

// join gives the person a place in the workspace, or the role that was asked for.
func (g grant) join(ctx context.Context, c *ent.Client, person *ent.User, place *ent.Workspace, made bool) error {
	found, err := c.Membership.Query().Where(membership.WorkspaceID(place.ID), membership.UserID(person.ID)).Only(ctx)

	switch {
	case ent.IsNotFound(err):
		usual := auth.RoleMember
		if made {
			usual = auth.RoleOwner
		}

		return c.Membership.Create().SetWorkspaceID(place.ID).SetUser(person).SetRole(cmp.Or(g.role, usual)).Exec(ctx)
	case err != nil || g.role == "" || g.role == found.Role:
		return err
	default:
		return c.Membership.UpdateOneID(found.ID).SetRole(g.role).Exec(ctx)
	}
}

// welcome makes a workspace, its owner and a key when there is nobody yet. It answers an empty key
// when there is.
func welcome(ctx context.Context, s *store.Store, plan auth.Plan) (auth.Key, error) {
	return store.Write(auth.AsSystem(ctx), s, func(ctx context.Context) (auth.Key, error) {
		c := s.Client(ctx)

		if _, err := c.ExecContext(ctx, "LOCK TABLE workspaces IN EXCLUSIVE MODE"); err != nil {
			return auth.Key{}, err
		}

		some, err := c.Workspace.Query().Exist(ctx)
		if err != nil || some {
			return auth.Key{}, err
		}

		return grant{email: firstOwner, newPlan: plan}.issue(ctx, s)
	})
}
