package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/reelgraph/reelgraph/cmd/reelgraph/settings"
	"github.com/reelgraph/reelgraph/internal/platform/localpg"
)

// The files of a backup: a dump of the database and, if media are in a folder, a copy of it.
const (
	dumpName  = "database.dump"
	mediaName = "media"
)

func backupCommand(a app) *cli.Command {
	return &cli.Command{
		Name:      "backup",
		Usage:     "copy the database and the media into a folder; a server may be running",
		ArgsUsage: "FOLDER",
		Action:    func(ctx context.Context, c *cli.Command) error { return a.backup(ctx, c.Args().First()) },
	}
}

func restoreCommand(a app) *cli.Command {
	return &cli.Command{
		Name:      "restore",
		Usage:     "restore a backup into an empty database and an empty data folder",
		ArgsUsage: "FOLDER",
		Action:    func(ctx context.Context, c *cli.Command) error { return a.restore(ctx, c.Args().First()) },
	}
}

var errWhichFolder = errors.New("no backup folder given: pass it as the argument")

// backup dumps first and copies media then. Media are written before their rows, and only once, so the copy holds
// everything that the dump refers to. Into the folder of an earlier backup it copies only new files.
func (a app) backup(ctx context.Context, to string) (err error) {
	c, err := settings.Load(a.getenv)
	if err != nil {
		return err
	}

	if to == "" {
		return errWhichFolder
	}

	if err := backupMayGoTo(to); err != nil {
		return err
	}

	pg, err := joinPostgres(ctx, c, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pg.Stop()) }()

	if err := os.MkdirAll(to, 0o700); err != nil {
		return fmt.Errorf("create the backup folder: %w", err)
	}

	dump := filepath.Join(to, dumpName)
	if err := makePrivate(dump + ".new"); err != nil {
		return err
	}

	if err := pgProgram(ctx, c, pg.DSN, "pg_dump", "--format=custom", "--no-owner", "--no-privileges", "--file="+dump+".new"); err != nil {
		return err
	}

	if c.Blob.Scheme != "file" {
		fmt.Fprintf(a.stdout, "The media are in the bucket %s and were not copied. Copy the bucket yourself now.\n", c.Blob.Host)

		return os.Rename(dump+".new", dump)
	}

	files, bytes, err := copyMedia(ctx, c.Blob.Path, filepath.Join(to, mediaName))
	if err != nil {
		return err
	}

	fmt.Fprintf(a.stdout, "Copied the database and %d new media files (%d bytes).\n", files, bytes)

	return os.Rename(dump+".new", dump)
}

var errOtherFiles = errors.New("the folder holds other files: use an empty folder or the folder of an earlier backup")

// backupMayGoTo returns an error for a folder that holds files but neither a complete nor an interrupted backup.
func backupMayGoTo(folder string) error {
	files, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(files) == 0 {
		return nil
	}

	if err != nil {
		return fmt.Errorf("read the backup folder: %w", err)
	}

	for _, f := range files {
		if name := strings.TrimSuffix(f.Name(), ".new"); name == dumpName {
			return nil
		}
	}

	return fmt.Errorf("%s: %w", folder, errOtherFiles)
}

// makePrivate creates an empty file that only its owner may read. It replaces the file of an interrupted backup.
// pg_dump then writes into this file. If pg_dump created the file itself, everybody could read it.
func makePrivate(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the file of an earlier backup: %w", err)
	}

	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("create the backup file: %w", err)
	}

	return f.Close()
}

var errNotEmpty = errors.New("the database is not empty: restore into a new database")

// restore restores the database completely or not at all. The next server continues the jobs and deliveries that were
// pending in the backup, and repeats none that had finished.
func (a app) restore(ctx context.Context, from string) (err error) {
	c, err := settings.Load(a.getenv)
	if err != nil {
		return err
	}

	if from == "" {
		return errWhichFolder
	}

	if _, err := os.Stat(filepath.Join(from, dumpName)); err != nil {
		return fmt.Errorf("%s is not a backup: %w", from, err)
	}

	pg, err := startPostgres(ctx, c, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pg.Stop()) }()

	if err := requireEmpty(ctx, pg.DSN); err != nil {
		return err
	}

	if c.Blob.Scheme == "file" {
		if _, _, err := copyMedia(ctx, filepath.Join(from, mediaName), c.Blob.Path); err != nil {
			return err
		}
	}

	if err := pgProgram(ctx, c, pg.DSN, "pg_restore", "--exit-on-error", "--single-transaction", "--no-owner", "--no-privileges",
		filepath.Join(from, dumpName)); err != nil {
		return err
	}

	s, err := openStore(ctx, pg.DSN) // migrates: a backup may be older than the program
	if err != nil {
		return err
	}

	fmt.Fprintln(a.stdout, "Restored.")

	return s.Close()
}

func requireEmpty(ctx context.Context, dsn string) error {
	db, err := sql.Open("postgres", dsn)
	if err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	defer db.Close() //nolint:errcheck // only read

	var some bool

	err = db.QueryRowContext(ctx, "SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = 'public')").Scan(&some)

	switch {
	case err != nil:
		return fmt.Errorf("check whether the database is empty: %w", err)
	case some:
		return errNotEmpty
	default:
		return nil
	}
}

// pgProgram runs a Postgres client program on a database. It passes the password so that other users of the machine cannot
// see it.
func pgProgram(ctx context.Context, c settings.Config, dsn, name string, args ...string) error {
	u, err := url.Parse(dsn)
	if err != nil {
		return errors.New("DATABASE_URL cannot be parsed: check its syntax") // it may hold a password
	}

	password, _ := u.User.Password()
	if u.User != nil {
		u.User = url.User(u.User.Username())
	}

	major, err := serverMajor(ctx, dsn)
	if err != nil {
		return err
	}

	program, of := clientProgram(ctx, c, name, major)
	cmd := exec.CommandContext(ctx, program, append([]string{"--dbname=" + u.String(), "--no-password"}, args...)...)
	cmd.Env = append(cmd.Environ(), "PGPASSWORD="+password)

	out, err := cmd.CombinedOutput()

	switch {
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("%s not found: install the Postgres client programs", name)
	case err != nil && of != 0 && of != major:
		return fmt.Errorf("%s: %w: %s (the server is Postgres %d, but only client programs of other versions were found: install that version)",
			name, err, strings.TrimSpace(string(out)), major)
	case err != nil:
		return fmt.Errorf("%s: %w: %s", name, err, strings.TrimSpace(string(out)))
	default:
		return nil
	}
}

// clientProgram returns the program of the server's own version if it is installed: the output of a newer program may not
// restore into that server, and an older program may not understand it. Otherwise it returns the newest; of is its
// version, 0 if unknown.
func clientProgram(ctx context.Context, c settings.Config, name string, major int) (program string, of int) {
	for _, wanted := range []int{major, 0} {
		found, err := localpg.Find(ctx, c.PostgresBin, wanted)
		if beside := filepath.Join(found.Dir, name); err == nil && isFile(beside) {
			return beside, found.Major
		}
	}

	return name, 0
}

// serverMajor returns the major version of the server.
func serverMajor(ctx context.Context, dsn string) (major int, err error) {
	db, err := sql.Open("postgres", dsn)
	if err != nil {
		return 0, fmt.Errorf("open the database: %w", err)
	}
	defer db.Close() //nolint:errcheck // only read

	err = db.QueryRowContext(ctx, "SELECT current_setting('server_version_num')::int / 10000").Scan(&major)
	if err != nil {
		return 0, fmt.Errorf("read the Postgres version: %w", err)
	}

	return major, nil
}

func isFile(path string) bool {
	st, err := os.Stat(path)

	return err == nil && st.Mode().IsRegular()
}

// copyMedia copies the files of a folder that are missing or different in another. It skips unfinished files and files that
// are deleted meanwhile.
func copyMedia(ctx context.Context, from, to string) (files, bytes int64, err error) {
	err = filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil || ctx.Err() != nil:
			return errors.Join(err, ctx.Err())
		case entry.IsDir() && strings.HasPrefix(entry.Name(), "."):
			return fs.SkipDir
		case !entry.Type().IsRegular():
			return nil
		}

		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}

		n, err := copyFile(path, filepath.Join(to, name))
		if n > 0 {
			files++
			bytes += n
		}

		return err
	})
	if err != nil {
		return files, bytes, fmt.Errorf("copy media: %w", err)
	}

	return files, bytes, nil
}

// copyFile copies a file unless it is there already, and never leaves half of one. It returns the bytes copied.
func copyFile(from, to string) (n int64, err error) {
	in, err := os.Open(from)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}

	if err != nil {
		return 0, err
	}

	defer in.Close() //nolint:errcheck // only read

	st, err := in.Stat()
	if err != nil {
		return 0, err
	}

	if there, err := os.Stat(to); err == nil && there.Size() == st.Size() && there.ModTime().Equal(st.ModTime()) {
		return 0, nil
	}

	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return 0, err
	}

	out, err := os.CreateTemp(filepath.Dir(to), ".copy-")
	if err != nil {
		return 0, err
	}

	n, err = io.Copy(out, in)

	err = errors.Join(err, out.Sync(), out.Close())
	if err == nil {
		err = errors.Join(os.Chtimes(out.Name(), st.ModTime(), st.ModTime()), os.Rename(out.Name(), to))
	}

	if err != nil {
		return 0, errors.Join(err, os.Remove(out.Name()))
	}

	return n, nil
}
