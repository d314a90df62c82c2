package main

import (
	"cmp"
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
		Usage:  "print the version, the commit, the engine that pictures are made by, and the database schema",
		Action: func(context.Context, *cli.Command) error { return a.version() },
	}
}

func (a app) version() error {
	schema, err := newestMigration()
	if err != nil {
		return err
	}

	b := build()
	_, err = fmt.Fprintf(a.stdout, "version  %s\ncommit   %s\nengine   %d\nschema   %s\ngo       %s %s/%s\n",
		b.version, b.commit, plan.Engine, schema, runtime.Version(), runtime.GOOS, runtime.GOARCH)

	return err
}

// version is the module's version when it was installed as one, else the commit it was built from.
func version() string {
	b := build()
	if b.version == "(devel)" && b.commit != unknownBuild {
		return b.commit
	}

	return b.version
}

// A buildInfo is what the program knows of how it was built.
type buildInfo struct{ version, commit string }

const unknownBuild = "unknown"

// build is unknown where the program was built outside of a checkout, or without its history.
func build() buildInfo {
	b, ok := debug.ReadBuildInfo()
	if !ok {
		return buildInfo{unknownBuild, unknownBuild}
	}

	found := buildInfo{version: cmp.Or(b.Main.Version, unknownBuild)}
	changed := ""

	for _, s := range b.Settings {
		switch {
		case s.Key == "vcs.revision":
			found.commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = ", with changes"
		}
	}

	if found.commit != "" {
		found.commit += changed
	}

	found.commit = cmp.Or(found.commit, unknownBuild)

	return found
}

// newestMigration is the name of the last migration that this program knows.
func newestMigration() (string, error) {
	files, err := fs.Glob(migrate.Files, "migrations/*.sql")
	if err != nil || len(files) == 0 {
		return "", fmt.Errorf("find the migrations: %w", err)
	}

	name := strings.TrimPrefix(files[len(files)-1], "migrations/")

	return strings.TrimSuffix(name, ".sql"), nil
}
