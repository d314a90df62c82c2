package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/reelgraph/reelgraph/cmd/reelgraph/people"
	"github.com/reelgraph/reelgraph/cmd/reelgraph/settings"
	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/apikey"
	"github.com/reelgraph/reelgraph/ent/user"
	"github.com/reelgraph/reelgraph/ent/workspace"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

func keysListCommand(a app) *cli.Command {
	return &cli.Command{
		Name:  "list",
		Usage: "list the valid keys; the keys themselves are not stored and cannot be shown",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "user", Usage: "list only keys of the person with this `e-mail` address"},
			&cli.BoolFlag{Name: "all", Usage: "also list revoked and expired keys"},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			return a.listKeys(ctx, c.String("user"), c.Bool("all"))
		},
	}
}

func keysRevokeCommand(a app) *cli.Command {
	return &cli.Command{
		Name:      "revoke",
		Usage:     "revoke a key, given by its id from the list or as the whole key; every server refuses it at once",
		ArgsUsage: "KEY",
		Action:    func(ctx context.Context, c *cli.Command) error { return a.revokeKey(ctx, c.Args().First()) },
	}
}

// onStore runs fn as the system on the database of the settings, with or without a running server.
func (a app) onStore(ctx context.Context, fn func(ctx context.Context, s *store.Store) error) (err error) {
	c, err := settings.Load(a.getenv)
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

	return fn(auth.AsSystem(ctx), s)
}

func (a app) listKeys(ctx context.Context, of string, all bool) error {
	address := ""

	if of != "" {
		var err error
		if address, err = people.Email(of); err != nil {
			return err
		}
	}

	return a.onStore(ctx, func(ctx context.Context, s *store.Store) error {
		c := s.Client(ctx)
		query := c.APIKey.Query().WithUser().Order(ent.Asc(apikey.FieldCreatedAt, apikey.FieldID))

		if address != "" {
			known, err := c.User.Query().Where(user.Email(address)).Exist(ctx)
			if err != nil {
				return fmt.Errorf("find %s: %w", address, err)
			}

			if !known {
				return fmt.Errorf("no person has the e-mail address %s", address)
			}

			query = query.Where(apikey.HasUserWith(user.Email(address)))
		}

		keys, err := query.All(ctx)
		if err != nil {
			return fmt.Errorf("list the keys: %w", err)
		}

		places, err := workspacesOf(ctx, c, keys)
		if err != nil {
			return err
		}

		return printKeys(a.stdout, keys, places, all, time.Now())
	})
}

// workspacesOf returns the names of the keys' workspaces.
func workspacesOf(ctx context.Context, c *ent.Client, keys []*ent.APIKey) (map[string]string, error) {
	var ids []string
	for _, k := range keys {
		ids = append(ids, k.WorkspaceID)
	}

	found, err := c.Workspace.Query().Where(workspace.IDIn(ids...)).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("find the workspaces of keys: %w", err)
	}

	names := map[string]string{}
	for _, w := range found {
		names[w.ID] = w.Name
	}

	return names, nil
}

func printKeys(to io.Writer, keys []*ent.APIKey, workspaces map[string]string, all bool, now time.Time) error {
	table := tabwriter.NewWriter(to, 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tKEY\tNAME\tPERSON\tWORKSPACE\tMADE\tUSED\tSTATE")

	shown := 0

	for _, k := range keys {
		state := keyState(k, now)
		if !all && !strings.HasPrefix(state, "works") {
			continue
		}

		shown++

		used := "never"
		if k.LastUsedAt != nil {
			used = day(*k.LastUsedAt)
		}

		fmt.Fprintf(table, "%s\t…%s\t%s\t%s\t%s\t%s\t%s\t%s\n",
			k.ID, k.Last4, k.Name, k.Edges.User.Email, workspaces[k.WorkspaceID], day(k.CreatedAt), used, state)
	}

	if shown == 0 {
		_, err := fmt.Fprintln(to, "No keys found; create one with reelgraph keys create.")

		return err
	}

	return table.Flush()
}

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

func keyState(k *ent.APIKey, now time.Time) string {
	switch {
	case k.RevokedAt != nil:
		return "revoked " + day(*k.RevokedAt)
	case k.ExpiresAt == nil:
		return "works"
	case k.ExpiresAt.After(now):
		return "works until " + day(*k.ExpiresAt)
	default:
		return "expired " + day(*k.ExpiresAt)
	}
}

var errWhichKey = errors.New("key missing: give its id from reelgraph keys list, or the whole key")

func (a app) revokeKey(ctx context.Context, given string) error {
	if given == "" {
		return errWhichKey
	}

	return a.onStore(ctx, func(ctx context.Context, s *store.Store) error {
		return s.InTx(ctx, func(ctx context.Context) error {
			c := s.Client(ctx)

			which := apikey.ID(given)
			if strings.HasPrefix(given, auth.KeyPrefix) {
				which, given = apikey.Hash(auth.HashKey(given)), "like the one given"
			}

			k, err := c.APIKey.Query().Where(which).WithUser().Only(ctx)

			switch {
			case ent.IsNotFound(err):
				return fmt.Errorf("key %s not found; list all keys with reelgraph keys list --all", given)
			case err != nil:
				return fmt.Errorf("find the key: %w", err)
			case k.RevokedAt != nil:
				_, err := fmt.Fprintf(a.stdout, "The key %s (…%s) of %s was already revoked on %s.\n",
					k.ID, k.Last4, k.Edges.User.Email, day(*k.RevokedAt))

				return err
			}

			if err := c.APIKey.UpdateOneID(k.ID).SetRevokedAt(time.Now()).Exec(ctx); err != nil {
				return fmt.Errorf("revoke the key: %w", err)
			}

			_, err = fmt.Fprintf(a.stdout, "The key %s (…%s) of %s is revoked: servers now refuse it.\n", k.ID, k.Last4, k.Edges.User.Email)

			return err
		})
	})
}
