package queue

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"slices"
	"strings"

	"github.com/lib/pq"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/rivermigrate"
)

// Migrate migrates the tables of River in the transaction that also migrates the rest of the database. The caller
// ensures that only one process migrates at a time.
func Migrate(ctx context.Context, tx *sql.Tx) error {
	migrator, err := rivermigrate.New(&migrating{riverdatabasesql.New(nil)}, &rivermigrate.Config{
		Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return fmt.Errorf("migrate queue: %w", err)
	}

	_, err = migrator.MigrateTx(ctx, tx, rivermigrate.DirectionUp, nil) //nolint:staticcheck // the replacement cannot run in our transaction
	if err == nil {
		err = dropUnused(ctx, tx)
	}

	if err != nil {
		return fmt.Errorf("migrate queue: %w", err)
	}

	return nil
}

// SchemaVersion returns a text that changes whenever Migrate would create different tables in an empty database.
func SchemaVersion() (string, error) {
	sum := sha256.New()
	all := (&migrating{riverdatabasesql.New(nil)}).GetMigrationFS(riverdriver.MigrationLineMain)

	err := fs.WalkDir(all, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}

		content, err := fs.ReadFile(all, path)
		fmt.Fprintln(sum, path, len(content))
		_, _ = sum.Write(content) // writing to a hash never fails

		return err
	})
	if err != nil {
		return "", fmt.Errorf("read River's migrations: %w", err)
	}

	fmt.Fprintln(sum, unused)

	return hex.EncodeToString(sum.Sum(nil)), nil
}

// unused are indexes that River creates for searching jobs by parts of their JSON, which this program never
// does. Postgres would update both three times for each job, which was a third of the cost of a webhook delivery.
var unused = []string{"river_job_args_index", "river_job_metadata_index"}

// dropUnused drops the unused indexes, unless a dump or an index rebuild locks the table for longer than the
// transaction waits: then the next start tries again. It also drops what an interrupted rebuild of these
// indexes by River left behind.
func dropUnused(ctx context.Context, tx *sql.Tx) error {
	var names []string
	for _, name := range unused {
		names = append(names, name, name+"_ccnew", name+"_ccold")
	}

	if _, err := tx.ExecContext(ctx, "SAVEPOINT unused"); err != nil {
		return err
	}

	_, err := tx.ExecContext(ctx, "DROP INDEX IF EXISTS "+strings.Join(names, ", "))

	busy, is := errors.AsType[*pq.Error](err)
	if !is || busy.Code != "55P03" && busy.Code != "40P01" { // lock not available, or deadlock
		return err
	}

	_, err = tx.ExecContext(ctx, "ROLLBACK TO SAVEPOINT unused")

	return err
}

// indexes are those that River rebuilds each night.
func indexes() []string {
	return slices.DeleteFunc(river.ReindexerIndexNamesDefault(), func(name string) bool { return slices.Contains(unused, name) })
}

// migrating is River's driver with migrations that can run in one transaction. River's fourth adds the job
// state 'pending' and its sixth uses it, which Postgres refuses before a commit. Here the type has the state
// from the start, and the fourth migration finds it there.
type migrating struct{ *riverdatabasesql.Driver }

// GetMigrationFS implements riverdriver.Driver.
func (d *migrating) GetMigrationFS(line string) fs.FS {
	return withPending{d.Driver.GetMigrationFS(line)}
}

type withPending struct{ fs.FS }

// Open implements fs.FS.
func (f withPending) Open(name string) (fs.File, error) {
	file, err := f.FS.Open(name)
	if err != nil || name != "migration/main/002_initial_schema.up.sql" {
		return file, err
	}

	content, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}

	states := []byte("  'discarded',\n  'retryable',\n")
	if bytes.Count(content, states) != 1 {
		return nil, fmt.Errorf("%s is not the migration of the pinned version of River", name)
	}

	content = bytes.Replace(content, states, []byte("  'discarded',\n  'pending',\n  'retryable',\n"), 1)

	return changed{file, bytes.NewReader(content)}, nil
}

// changed is a file with replaced content.
type changed struct {
	fs.File

	content io.Reader
}

// Read implements fs.File.
func (c changed) Read(p []byte) (int, error) { return c.content.Read(p) }
