// Command reelgraph is the whole product: the server, its workers and the commands of an operator.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/urfave/cli/v3"

	"github.com/reelgraph/reelgraph/cmd/reelgraph/settings"
	"github.com/reelgraph/reelgraph/internal/platform/logging"
)

// commands returns the commands, one file each.
func commands(a app) []*cli.Command {
	all := []*cli.Command{
		serveCommand(a),
		workerCommand(a),
		migrateCommand(a),
		keysCommand(a),
		usersCommand(a),
		demoCommand(a),
		doctorCommand(a),
		readyCommand(a),
		backupCommand(a),
		restoreCommand(a),
		listenCommand(a),
		webhooksCommand(a),
		renderCommand(a),
		addressCommand(a),
		versionCommand(a),
	}
	for _, c := range all {
		takeNoMore(c)
	}

	return all
}

// takeNoMore makes a command and its subcommands reject arguments that they would ignore.
func takeNoMore(c *cli.Command) {
	for _, below := range c.Commands {
		takeNoMore(below)
	}

	act, most := c.Action, len(strings.Fields(c.ArgsUsage))
	if act == nil {
		return
	}

	c.Action = func(ctx context.Context, given *cli.Command) error {
		if args := given.Args().Slice(); len(args) > most {
			return fmt.Errorf("%s does not take %q", c.Name, args[most])
		}

		return act(ctx, given)
	}
}

// An app is a command's access to the outside world.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string
	environ        func() []string // the whole environment, to find misspelt settings; may be nil
}

// strays returns the variables that look like settings but are not.
func (a app) strays() []settings.Stray {
	if a.environ == nil {
		return nil
	}

	return settings.Strays(a.environ())
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	//nolint:forbidigo // only settings read them
	env, all := os.Getenv, os.Environ
	a := app{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, getenv: env, environ: all}
	err := a.run(ctx, os.Args)

	stop()

	if err != nil {
		for line := range strings.SplitSeq(logging.Scrub(err.Error()), "\n") {
			fmt.Fprintln(a.stderr, "reelgraph:", line)
		}

		os.Exit(1)
	}
}

// run runs one command line. It does not print the error it returns.
func (a app) run(ctx context.Context, args []string) error {
	root := &cli.Command{
		Name:           "reelgraph",
		Usage:          "record, edit, render and share video",
		Version:        release,
		Description:    "Settings come from the environment, all of them optional:\n\n" + settings.Help(),
		Commands:       commands(a),
		Writer:         a.stdout,
		ErrWriter:      a.stderr,
		ExitErrHandler: func(context.Context, *cli.Command, error) {}, // main prints and exits
	}
	explain(root)

	return noTopic(root, root.Run(ctx, args))
}
