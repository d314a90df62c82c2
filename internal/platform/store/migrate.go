package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	atlas "ariga.io/atlas/sql/migrate"
	"ariga.io/atlas/sql/postgres"
	"github.com/lib/pq"

	"github.com/reelgraph/reelgraph/ent/migrate"
)

// migrationLock is the advisory lock that lets one process migrate while the others wait.
const migrationLock = 0x7265656c // "reel"

// ErrNewer means that a newer version of the program has removed something from the database that this version needs.
// Nothing was changed.
var ErrNewer = errors.New(
	"the database was migrated by a newer version of reelgraph that this version cannot work with; start the newer version")

// contracting is the name prefix of migrations that remove something which the previous version still uses.
// All others only add, so that programs of both versions work on one database while one replaces the other.
const contracting = "contract"

// lockWait is how long a migration statement waits for a table that is in use. Meanwhile, other statements that need
// the table wait too.
const lockWait = "3s"

// Migrate migrates the database to the current schema in one transaction. In the same transaction it calls the
// function also, which migrates further tables (those of River). Many processes may call Migrate at the same time,
// and others may use the database. If a table is locked for too long, Migrate tries again later, and does not block
// other statements in the meantime.
func Migrate(ctx context.Context, db *sql.DB, also func(ctx context.Context, tx *sql.Tx) error) error {
	for try := 1; ; try++ {
		err := migrateOnce(ctx, db, also)
		if busy, is := errors.AsType[*pq.Error](err); !is || busy.Code != lockNotAvailable || try == migrateTries {
			return err
		}

		select {
		case <-ctx.Done():
			return err
		case <-time.After(time.Second):
		}
	}
}

const (
	lockNotAvailable = "55P03"
	migrateTries     = 10
)

func migrateOnce(ctx context.Context, db *sql.DB, also func(ctx context.Context, tx *sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	defer tx.Rollback() //nolint:errcheck // committed by then, or failing with another error

	if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", migrationLock); err != nil {
		return fmt.Errorf("migrate: lock: %w", err)
	}

	if _, err := tx.ExecContext(ctx, "SET LOCAL lock_timeout = '"+lockWait+"'"); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}

	if err := apply(ctx, tx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}

	if err := also(ctx, tx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}

	if err := tx.Commit(); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}

	return nil
}

func apply(ctx context.Context, tx *sql.Tx) error {
	dir, err := migrations()
	if err != nil {
		return err
	}

	if err := atlas.Validate(dir); err != nil {
		return fmt.Errorf("the embedded migrations do not match their checksum: %w", err)
	}

	drv, err := postgres.Open(tx)
	if err != nil {
		return fmt.Errorf("open: %w", err)
	}

	revs := revisions{tx: tx, known: map[string]bool{}}
	if err := revs.create(ctx); err != nil {
		return err
	}

	files, err := dir.Files()
	if err != nil {
		return fmt.Errorf("list embedded migrations: %w", err)
	}

	for _, f := range files {
		revs.known[f.Version()] = true
	}

	if err := revs.refuseNewer(ctx); err != nil {
		return err
	}

	executor, err := atlas.NewExecutor(drv, dir, revs, atlas.WithAllowDirty(true))
	if err != nil {
		return fmt.Errorf("plan: %w", err)
	}

	if err := executor.ExecuteN(ctx, 0); err != nil && !errors.Is(err, atlas.ErrNoPendingFiles) {
		return fmt.Errorf("apply: %w", err)
	}

	return nil
}

func migrations() (*atlas.MemDir, error) {
	dir := &atlas.MemDir{}

	err := fs.WalkDir(migrate.Files, "migrations", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}

		content, err := migrate.Files.ReadFile(path)
		if err != nil {
			return err //nolint:wrapcheck // wrapped below
		}

		return dir.WriteFile(entry.Name(), content)
	})
	if err != nil {
		return nil, fmt.Errorf("read embedded migrations: %w", err)
	}

	return dir, nil
}

// revisions records in the database which files were applied.
type revisions struct {
	tx    *sql.Tx
	known map[string]bool // whether this program knows the file
}

func (r revisions) create(ctx context.Context) error {
	_, err := r.tx.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS schema_revisions (
		version text PRIMARY KEY, description text NOT NULL, kind bigint NOT NULL, applied int NOT NULL, total int NOT NULL,
		executed_at timestamptz NOT NULL, took_ns bigint NOT NULL, hash text NOT NULL)`)
	if err != nil {
		return fmt.Errorf("create table schema_revisions: %w", err)
	}

	return nil
}

func (r revisions) refuseNewer(ctx context.Context) error {
	applied, err := r.all(ctx)
	if err != nil {
		return err
	}

	for _, rev := range applied {
		if !r.known[rev.Version] && strings.HasPrefix(rev.Description, contracting) {
			return fmt.Errorf("%w (%s)", ErrNewer, rev.Version)
		}
	}

	return nil
}

// Ident implements atlas.RevisionReadWriter.
func (revisions) Ident() *atlas.TableIdent { return &atlas.TableIdent{Name: "schema_revisions"} }

// ReadRevisions implements atlas.RevisionReadWriter. It skips revisions that a newer program has added.
func (r revisions) ReadRevisions(ctx context.Context) ([]*atlas.Revision, error) {
	all, err := r.all(ctx)

	return slices.DeleteFunc(all, func(rev *atlas.Revision) bool { return !r.known[rev.Version] }), err
}

func (r revisions) all(ctx context.Context) ([]*atlas.Revision, error) {
	rows, err := r.tx.QueryContext(ctx, `SELECT version, description, kind, applied, total, executed_at, took_ns, hash
		FROM schema_revisions ORDER BY version`)
	if err != nil {
		return nil, fmt.Errorf("read schema revisions: %w", err)
	}
	defer rows.Close() //nolint:errcheck // Err returns the error

	var all []*atlas.Revision

	for rows.Next() {
		var (
			rev  atlas.Revision
			took int64
		)

		err := rows.Scan(&rev.Version, &rev.Description, &rev.Type, &rev.Applied, &rev.Total, &rev.ExecutedAt, &took, &rev.Hash)
		if err != nil {
			return nil, fmt.Errorf("read schema revisions: %w", err)
		}

		rev.ExecutionTime = time.Duration(took)
		all = append(all, &rev)
	}

	return all, rows.Err() //nolint:wrapcheck // nothing to add
}

// ReadRevision implements atlas.RevisionReadWriter.
func (r revisions) ReadRevision(ctx context.Context, version string) (*atlas.Revision, error) {
	all, err := r.ReadRevisions(ctx)
	if err != nil {
		return nil, err
	}

	for _, rev := range all {
		if rev.Version == version {
			return rev, nil
		}
	}

	return nil, atlas.ErrRevisionNotExist
}

// WriteRevision implements atlas.RevisionReadWriter.
func (r revisions) WriteRevision(ctx context.Context, rev *atlas.Revision) error {
	_, err := r.tx.ExecContext(ctx, `INSERT INTO schema_revisions VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (version) DO UPDATE SET applied = $4, total = $5, executed_at = $6, took_ns = $7, hash = $8`,
		rev.Version, rev.Description, int64(rev.Type), rev.Applied, rev.Total, rev.ExecutedAt, int64(rev.ExecutionTime), rev.Hash)
	if err != nil {
		return fmt.Errorf("write schema revision %s: %w", rev.Version, err)
	}

	return nil
}

// DeleteRevision implements atlas.RevisionReadWriter.
func (r revisions) DeleteRevision(ctx context.Context, version string) error {
	if _, err := r.tx.ExecContext(ctx, "DELETE FROM schema_revisions WHERE version = $1", version); err != nil {
		return fmt.Errorf("delete schema revision %s: %w", version, err)
	}

	return nil
}
