package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/reelgraph/reelgraph/cmd/reelgraph/settings"
)

// explain makes a command and its subcommands report a wrong command line in one sentence, with a suggestion, and never
// print the whole help with an error. path are the names after the program's own.
func explain(c *cli.Command, path ...string) {
	c.OnUsageError = func(_ context.Context, _ *cli.Command, err error, _ bool) error { return usage(c, path, err) }

	for _, below := range c.Commands {
		explain(below, append(slices.Clone(path), below.Name)...)
	}

	if len(c.Commands) > 0 && c.Action == nil {
		c.StopOnNthArg = new(1) // flags after a command's name belong to that command
		c.Action = func(_ context.Context, given *cli.Command) error { return chooseCommand(c, path, given) }
	}
}

// chooseCommand is the action of a command that only has subcommands.
func chooseCommand(c *cli.Command, path []string, given *cli.Command) error {
	if wanted := given.Args().First(); wanted != "" {
		return noCommand(c, path, wanted)
	}

	return cli.ShowSubcommandHelp(given)
}

func noCommand(c *cli.Command, path []string, wanted string) error {
	var names []string

	for _, below := range c.Commands {
		if !below.Hidden && below.Name != "help" {
			names = append(names, below.Name)
		}
	}

	said := fmt.Sprintf("%sunknown command %q", about(path), wanted)
	if meant := settings.Nearest(wanted, names); meant != "" {
		return fmt.Errorf("%s: did you mean %s?", said, meant)
	}

	return fmt.Errorf("%s; the commands are %s", said, strings.Join(names, ", "))
}

// about returns the prefix of a command's errors.
func about(path []string) string {
	if len(path) == 0 {
		return ""
	}

	return strings.Join(path, " ") + ": "
}

// The library's messages for missing flags and for values of the wrong type.
var (
	notSet       = regexp.MustCompile(`^Required flags? "([^"]*)" not set$`)
	invalidValue = regexp.MustCompile(`^invalid (?:boolean )?value ("[^"]*") for (?:flag )?-+([a-z-]+): `)
)

func findFlag(c *cli.Command, name string) cli.Flag {
	for _, f := range c.Flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}

	return nil
}

// usage adds to an error of the parser a suggestion and where to read more.
func usage(c *cli.Command, path []string, err error) error {
	const unknown = "flag provided but not defined: -"

	message := err.Error()
	more := strings.Join(append([]string{"reelgraph"}, path...), " ") + " --help lists the flags"

	if name, is := strings.CutPrefix(message, unknown); is {
		name = strings.TrimLeft(name, "-")

		message = "unknown flag --" + name
		if len(name) == 1 {
			message = "unknown flag -" + name
		}

		if meant := settings.Nearest(name, flagNames(c)); meant != "" {
			return fmt.Errorf("%s%s: did you mean --%s?", about(path), message, meant)
		}

		if !slices.ContainsFunc(c.Flags, func(f cli.Flag) bool { return f.Names()[0] != "help" }) {
			more = "settings are environment variables; reelgraph help lists them"
		}
	}

	if parts := notSet.FindStringSubmatch(message); parts != nil {
		message = "missing --" + strings.ReplaceAll(parts[1], ", ", ", --")
	}

	if name, is := strings.CutPrefix(message, "flag needs an argument: "); is {
		message = "--" + strings.TrimLeft(name, "-") + " needs a value"
	}

	if parts := invalidValue.FindStringSubmatch(message); parts != nil {
		takes := "a whole number"
		if _, is := findFlag(c, parts[2]).(*cli.BoolFlag); is {
			takes = "true or false"
		}

		message = fmt.Sprintf("--%s must be %s, not %s", parts[2], takes, parts[1])
	}

	message = strings.ToLower(message[:1]) + strings.TrimSuffix(message[1:], ".")

	return errors.New(about(path) + message + "; " + more)
}

// noTopic converts an error of the help command to one of ours; other errors stay.
func noTopic(root *cli.Command, err error) error {
	if err == nil {
		return nil
	}

	topic, is := strings.CutPrefix(err.Error(), "No help topic for '")
	if !is {
		return err
	}

	return noCommand(root, nil, strings.TrimSuffix(topic, "'"))
}

func flagNames(c *cli.Command) []string {
	names := []string{"help"}
	if c.Version != "" {
		names = append(names, "version")
	}

	for _, f := range c.Flags {
		names = append(names, slices.DeleteFunc(slices.Clone(f.Names()), func(n string) bool { return len(n) < 2 })...)
	}

	return names
}
