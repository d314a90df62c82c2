// Command diff writes a migration from the result of the last migration to the present schema. It can also refresh
// the checksum of the folder after a file was written by hand. Run it in the repository's root:
//
//	go run ./ent/migrate/diff NAME   writes ent/migrate/migrations/<time>_NAME.sql
//	go run ./ent/migrate/diff -sum   refreshes atlas.sum
package main

import (
	"context"
	"fmt"
	"os"

	atlas "ariga.io/atlas/sql/migrate"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql/schema"
	_ "github.com/lib/pq"

	"github.com/reelgraph/reelgraph/ent/migrate"
	"github.com/reelgraph/reelgraph/internal/platform/localpg"
)

const folder = "ent/migrate/migrations"

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./ent/migrate/diff NAME | -sum")
		os.Exit(2)
	}

	if err := run(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "diff:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, name string) error {
	dir, err := atlas.NewLocalDir(folder)
	if err != nil {
		return fmt.Errorf("open %s: %w", folder, err)
	}

	if name == "-sum" {
		sum, err := dir.Checksum()
		if err != nil {
			return fmt.Errorf("sum %s: %w", folder, err)
		}

		return atlas.WriteSumFile(dir, sum)
	}

	server, err := localpg.StartTemp(ctx)
	if err != nil {
		return fmt.Errorf("start a database to replay on: %w", err)
	}
	defer server.Stop() //nolint:errcheck // a throwaway database

	return migrate.NamedDiff(ctx, server.DSN(), name,
		schema.WithDir(dir),
		schema.WithMigrationMode(schema.ModeReplay),
		schema.WithDialect(dialect.Postgres),
		schema.WithFormatter(atlas.DefaultFormatter),
	)
}
