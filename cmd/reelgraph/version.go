package main

import (
	"context"
	"fmt"
	"io/fs"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/reelgraph/reelgraph/ent/migrate"
	"github.com/reelgraph/reelgraph/internal/video/plan"
)

func versionCommand(a app) *cli.Command {
	return &cli.Command{
		Name:   "version",
		Usage:  "print the version, the commit, the render engine version and the database schema",
		Action: func(context.Context, *cli.Command) error { return a.version() },
	}
}

func (a app) version() error {
	schema, err := newestMigration()
	if err != nil {
		return err
	}

	_, err = fmt.Fprintf(a.stdout, "version  %s\ncommit   %s\nengine   %d\nschema   %s\ngo       %s %s/%s\n",
		release, commit(), plan.Engine, schema, runtime.Version(), runtime.GOOS, runtime.GOARCH)

	return err
}

// release is the newest release in CHANGELOG.md: this program is that one or a later development version.
const release = "0.1.0"

// unknownBuild is the commit of a program built outside of a checkout, or without its history.
const unknownBuild = "unknown"

// commit returns the commit from which the program was built.
func commit() string {
	b, ok := debug.ReadBuildInfo()
	if !ok {
		return unknownBuild
	}

	commit, changed := "", ""

	for _, s := range b.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = ", with uncommitted changes"
		}
	}

	if commit == "" {
		return unknownBuild
	}

	return commit + changed
}

// newestMigration returns the name of the last migration in this program.
func newestMigration() (string, error) {
	files, err := fs.Glob(migrate.Files, "migrations/*.sql")
	if err != nil || len(files) == 0 {
		return "", fmt.Errorf("find the migrations: %w", err)
	}

	name := strings.TrimPrefix(files[len(files)-1], "migrations/")

	return strings.TrimSuffix(name, ".sql"), nil
}
