package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/urfave/cli/v3"

	"github.com/reelgraph/reelgraph/cmd/reelgraph/settings"
)

func migrateCommand(a app) *cli.Command {
	return &cli.Command{
		Name:   "migrate",
		Usage:  "migrate the database to the newest schema; serve and worker also do this when they start",
		Action: func(ctx context.Context, _ *cli.Command) error { return a.migrate(ctx) },
	}
}

func (a app) migrate(ctx context.Context) (err error) {
	c, err := settings.Load(a.getenv)
	if err != nil {
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

	fmt.Fprintln(a.stdout, "the database is up to date")

	return s.Close()
}
