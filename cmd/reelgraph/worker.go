package main

import (
	"context"
	"errors"

	"github.com/urfave/cli/v3"
)

func workerCommand(a app) *cli.Command {
	return &cli.Command{
		Name:   "worker",
		Usage:  "do the jobs, and serve nothing",
		Action: func(ctx context.Context, _ *cli.Command) error { return a.worker(ctx) },
	}
}

// worker does jobs until the context ends: beside a server of the same data folder, or over the
// database that DATABASE_URL names.
func (a app) worker(ctx context.Context) (err error) {
	c, err := loadConfig(a.getenv)
	if err != nil {
		return err
	}

	if c.Workers != nil && len(c.Workers) == 0 {
		return errors.New("REELGRAPH_WORKERS=0 leaves a worker nothing to do")
	}

	tools, err := findWorkshop(c)
	if err != nil {
		return err
	}

	n, err := openNode(ctx, c, newLog(a.stderr), joinPostgres)
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, n.close()) }()

	q, err := n.working(tools)
	if err != nil {
		return err
	}

	n.log.Info("working")

	return n.run(ctx, append(n.parts(), part{"the queue", q.Run})...)
}
