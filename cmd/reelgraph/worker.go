package main

import (
	"context"
	"errors"

	"github.com/urfave/cli/v3"

	"github.com/reelgraph/reelgraph/cmd/reelgraph/settings"
	"github.com/reelgraph/reelgraph/internal/platform/logging"
)

func workerCommand(a app) *cli.Command {
	return &cli.Command{
		Name:   "worker",
		Usage:  "run jobs without serving the API",
		Action: func(ctx context.Context, _ *cli.Command) error { return a.worker(ctx) },
	}
}

// worker runs jobs until the context ends: next to a server of the same data folder, or over the
// database of DATABASE_URL.
func (a app) worker(ctx context.Context) (err error) {
	c, err := settings.Load(a.getenv)
	if err != nil {
		return err
	}

	if c.Workers != nil && len(c.Workers) == 0 {
		return errors.New("REELGRAPH_WORKERS=0 gives the worker no queues: unset it or list at least one queue")
	}

	tools, err := findWorkshop(c)
	if err != nil {
		return err
	}

	scraped, err := listenForOperators(ctx, c)
	if err != nil {
		return err
	}

	if scraped != nil {
		defer scraped.Close() //nolint:errcheck // already closed by the server
	}

	log := logging.New(a.stderr, c.Log)
	settings.Warn(log, a.strays())

	n, err := openNode(ctx, c, log, joinPostgres)
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, n.close()) }()

	q, err := n.working(tools) //nolint:contextcheck // its pool lives as long as the queue
	if err != nil {
		return err
	}

	health, err := n.newHealth()
	if err != nil {
		return err
	}

	parts := append(n.parts(), health.watched(q))
	if scraped != nil {
		parts = append(parts, part{"the metrics", serving(scraped, nil, n.figures.Handler(health.alive(), health.ready()), nil)})
	}

	n.log.Info("worker started")

	return n.run(ctx, parts...)
}
