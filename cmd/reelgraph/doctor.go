package main

import (
	"context"

	"github.com/urfave/cli/v3"

	"github.com/reelgraph/reelgraph/cmd/reelgraph/doctor"
	"github.com/reelgraph/reelgraph/cmd/reelgraph/settings"
)

func doctorCommand(a app) *cli.Command {
	return &cli.Command{
		Name:  "doctor",
		Usage: "check programs, fonts, folders, ports and configured services, and say how to fix problems",
		Action: func(ctx context.Context, _ *cli.Command) error {
			c, err := settings.Load(a.getenv)
			if err != nil {
				return err
			}

			findings := doctor.Examine(ctx, c)
			if a.environ != nil {
				findings = append(findings, doctor.UnknownSettings(a.strays()))
			}

			return doctor.Report(a.stdout, findings)
		},
	}
}
