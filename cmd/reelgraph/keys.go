package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/reelgraph/reelgraph/cmd/reelgraph/people"
	"github.com/reelgraph/reelgraph/cmd/reelgraph/settings"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
)

func keysCommand(a app) *cli.Command {
	return &cli.Command{
		Name:  "keys",
		Usage: "create, list and revoke API keys",
		Commands: []*cli.Command{{
			Name:  "create",
			Usage: "create a key and print only the key; creates the person and the workspace if they do not exist",
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "user", Required: true, Usage: "the `e-mail` address of the person"},
				&cli.StringFlag{
					Name: "workspace",
					Usage: "`id` of the workspace; for the first workspace and those that a command created also its name; " +
						"a new name creates one (default: the person's, else the first)",
				},
				&cli.StringFlag{
					Name: "role", Usage: "owner, admin, member or viewer (default: unchanged; owner of a new workspace, the invited role, else member)",
					Validator: oneOf(auth.Role("").Values()),
				},
				&cli.StringFlag{
					Name: "plan", Usage: "plan of the workspace, free or premium (default: unchanged; REELGRAPH_PLAN for a new one)",
					Validator: oneOf(auth.Plan("").Values()),
				},
			},
			Action: func(ctx context.Context, c *cli.Command) error {
				return a.createKey(ctx, people.Grant{
					Email: c.String("user"), Workspace: c.String("workspace"),
					Role: auth.Role(c.String("role")), Tier: auth.Plan(c.String("plan")),
				})
			},
		}, keysListCommand(a), keysRevokeCommand(a)},
	}
}

func oneOf(values []string) func(string) error {
	return func(v string) error {
		if !slices.Contains(values, v) {
			return fmt.Errorf("%q is not allowed: use one of %s", v, strings.Join(values, ", "))
		}

		return nil
	}
}

// createKey works with and without a running server.
func (a app) createKey(ctx context.Context, g people.Grant) (err error) {
	c, err := settings.Load(a.getenv)
	if err != nil {
		return err
	}

	g.NewPlan = c.Plan
	if g.Email, err = people.Email(g.Email); err != nil {
		return err
	}

	pg, err := a.foundPostgres(ctx, c, nil)
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, pg.Stop()) }()

	s, err := openStore(ctx, pg.DSN)
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, s.Close()) }()

	key, err := g.Issue(ctx, s)
	if err != nil {
		return err
	}

	_, err = fmt.Fprintln(a.stdout, key.Plain)

	return err
}
