package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/urfave/cli/v3"

	"github.com/reelgraph/reelgraph/cmd/reelgraph/people"
	"github.com/reelgraph/reelgraph/cmd/reelgraph/settings"
	"github.com/reelgraph/reelgraph/internal/account"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	addresses "github.com/reelgraph/reelgraph/internal/platform/signedurl"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

func resetCommand(a app) *cli.Command {
	return &cli.Command{
		Name: "reset",
		Usage: "print a link to set a new password; it works once, within an hour, and verifies the person's e-mail address: " +
			"give it only to that person",
		Flags: []cli.Flag{&cli.StringFlag{Name: "user", Required: true, Usage: "the `e-mail` address of the person"}},
		Action: func(ctx context.Context, c *cli.Command) error {
			return a.resetLink(ctx, c.String("user"))
		},
	}
}

// resetLink works with and without a running server.
func (a app) resetLink(ctx context.Context, given string) (err error) {
	c, err := settings.Load(a.getenv)
	if err != nil {
		return err
	}

	email, err := people.Email(given)
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

	token, err := store.Write(auth.AsSystem(ctx), s, nil, func(ctx context.Context) (account.Token, error) {
		if _, err := knownPerson(ctx, s, email); err != nil {
			return account.Token{}, err
		}

		token, _, err := account.MakeReset(ctx, s.Client(ctx), email)

		return token, err
	})
	if err != nil {
		return err
	}

	_, err = fmt.Fprintln(a.stdout, addresses.Book{BaseURL: c.BaseURL.String()}.PasswordReset(token.Plain))

	return err
}
