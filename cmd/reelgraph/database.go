package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/reelgraph/reelgraph/cmd/reelgraph/datafolder"
	"github.com/reelgraph/reelgraph/cmd/reelgraph/settings"
	"github.com/reelgraph/reelgraph/internal/platform/localpg"
)

// A postgres is the database that a command uses.
type postgres struct {
	DSN  string
	Lost <-chan struct{} // closed when our private Postgres ends by itself; nil for a Postgres that is not ours
	stop func() error
	// again restarts a lost Postgres at the same address.
	again func(ctx context.Context) (postgres, error)
}

// Stop stops Postgres if this process started it.
func (p postgres) Stop() error { return p.stop() }

// startPostgres is for the server: it uses DATABASE_URL, or starts the private Postgres, which must not be running.
func startPostgres(ctx context.Context, c settings.Config, log *slog.Logger) (postgres, error) {
	return joinedPostgres(ctx, c, log, localpg.Start)
}

// joinPostgres is for commands that need existing data. It uses DATABASE_URL, or the private Postgres of a running server,
// or starts the private Postgres for the duration of the command. It returns errNoData when no server has run there, for
// example in a wrong folder.
func joinPostgres(ctx context.Context, c settings.Config, log *slog.Logger) (postgres, error) {
	if makesDatabase(c) {
		return postgres{}, fmt.Errorf("data folder %s: %w; run reelgraph serve to create it, or set REELGRAPH_DATA", c.Data, errNoData)
	}

	return joinedPostgres(ctx, c, log, localpg.Open)
}

var errNoData = errors.New("it holds no Reelgraph data yet")

// foundPostgres is joinPostgres for commands that may run before the first server. It prints a notice when it creates a database.
func (a app) foundPostgres(ctx context.Context, c settings.Config, log *slog.Logger) (postgres, error) {
	if makesDatabase(c) {
		fmt.Fprintf(a.stderr, "reelgraph: %s is empty: creating a new database there\n", c.Data)
	}

	return joinedPostgres(ctx, c, log, localpg.Open)
}

// makesDatabase reports whether opening the database would create one. It is false for a folder that is rejected.
func makesDatabase(c settings.Config) bool {
	marked, err := datafolder.Inspect(c.Data)

	return c.DatabaseURL == "" && err == nil && !marked
}

type openPostgres func(context.Context, localpg.Options) (*localpg.Server, error)

func joinedPostgres(ctx context.Context, c settings.Config, log *slog.Logger, open openPostgres) (postgres, error) {
	if c.DatabaseURL != "" {
		return postgres{DSN: c.DatabaseURL, stop: func() error { return nil }}, nil
	}

	if err := datafolder.Claim(c.Data); err != nil {
		return postgres{}, err
	}

	s, err := open(ctx, localpg.Options{DataDir: c.Data, BinDir: c.PostgresBin, Logger: log})
	if err != nil {
		return postgres{}, err
	}

	again := func(ctx context.Context) (postgres, error) {
		if err := s.Stop(); err != nil { // it has ended; Stop frees what it held
			return postgres{}, err
		}

		return joinedPostgres(ctx, c, log, open)
	}

	return postgres{DSN: s.DSN(), Lost: s.Done(), stop: s.Stop, again: again}, nil
}
