package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/reelgraph/reelgraph/cmd/reelgraph/settings"
)

func readyCommand(a app) *cli.Command {
	return &cli.Command{
		Name:   "ready",
		Usage:  "exit with 0 if the server or worker with these settings is ready, for container health checks",
		Action: func(ctx context.Context, _ *cli.Command) error { return a.ready(ctx) },
	}
}

var errNotReady = errors.New("not ready")

// ready asks the process with the same settings, at its operators' address if it has one: a worker has no other.
func (a app) ready(ctx context.Context) error {
	c, err := settings.Load(a.getenv)
	if err != nil {
		return err
	}

	ctx, cancel := context.WithTimeout(ctx, 2*healthTimeout)
	defer cancel()

	at := settings.Reachable(cmp.Or(c.MetricsAddr, c.Addr))
	if w, running := announced(ctx, c); running && c.MetricsAddr == "" && a.getenv("REELGRAPH_ADDR") == "" {
		at = w.Listens
	}

	answer, err := askHere(ctx, at, "/readyz", c.TLS() && c.MetricsAddr == "")
	if err != nil {
		return fmt.Errorf("%w: %w", errNotReady, err)
	}
	defer answer.Body.Close() //nolint:errcheck // only read

	said, err := io.ReadAll(io.LimitReader(answer.Body, 1<<10))

	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", errNotReady, err)
	case answer.StatusCode != http.StatusOK:
		return fmt.Errorf("%w: %s", errNotReady, strings.TrimSpace(string(said)))
	default:
		return nil
	}
}
