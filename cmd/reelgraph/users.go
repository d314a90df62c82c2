package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/urfave/cli/v3"

	"github.com/reelgraph/reelgraph/cmd/reelgraph/people"
	"github.com/reelgraph/reelgraph/cmd/reelgraph/settings"
	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/session"
	"github.com/reelgraph/reelgraph/ent/user"
	"github.com/reelgraph/reelgraph/internal/account"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// The lengths of a password, as in the graph.
const (
	minPassword = 8
	maxPassword = 255
)

func usersCommand(a app) *cli.Command {
	return &cli.Command{
		Name:  "users",
		Usage: "manage users",
		Commands: []*cli.Command{resetCommand(a), {
			Name:  "password",
			Usage: "set a person's password, read from the terminal or from standard input, and end their sessions",
			Flags: []cli.Flag{&cli.StringFlag{Name: "user", Required: true, Usage: "the `e-mail` address of the person"}},
			Action: func(ctx context.Context, c *cli.Command) error {
				return a.givePassword(ctx, c.String("user"))
			},
		}},
	}
}

// givePassword works with and without a running server.
func (a app) givePassword(ctx context.Context, given string) (err error) {
	c, err := settings.Load(a.getenv)
	if err != nil {
		return err
	}

	address, err := people.Email(given)
	if err != nil {
		return err
	}

	password, err := a.newPassword(ctx, address)
	if err != nil {
		return err
	}

	pg, err := joinPostgres(ctx, c, nil)
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, pg.Stop()) }()

	s, err := openStore(ctx, pg.DSN)
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, s.Close()) }()

	ended, err := setPassword(ctx, s, address, password)
	if err != nil {
		return err
	}

	_, err = fmt.Fprintf(a.stdout, "The password of %s is set. Ended sessions: %d.\n", address, ended)

	return err
}

// setPassword sets the password of an account and returns how many sessions that ended. The command verifies the address.
func setPassword(ctx context.Context, s *store.Store, address, password string) (ended int, err error) {
	err = s.InTx(auth.AsSystem(ctx), func(ctx context.Context) error {
		person, err := knownPerson(ctx, s, address)
		if err != nil {
			return err
		}

		if ended, err = s.Client(ctx).Session.Query().Where(session.UserID(person.ID)).Count(ctx); err != nil {
			return fmt.Errorf("count the sessions of %s: %w", address, err)
		}

		if _, err := account.Prove(ctx, s.Client(ctx), person.ID); err != nil {
			return fmt.Errorf("mark the address %s as verified: %w", address, err)
		}

		_, err = account.SetPassword(ctx, s.Client(ctx), person, password, "")

		return err
	})

	return ended, err
}

// knownPerson returns the person with the address, or an error that says how to create one.
func knownPerson(ctx context.Context, s *store.Store, address string) (*ent.User, error) {
	person, err := s.Client(ctx).User.Query().Where(user.Email(address)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fmt.Errorf("no person has the e-mail address %s; create one with reelgraph keys create --user %s", address, address)
	}

	return person, err
}
