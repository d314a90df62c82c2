package localpg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
)

// start creates the cluster if needed and runs it. The caller holds the lock.
func (f folder) start(ctx context.Context, p Programs, who account, log *slog.Logger) (*Server, error) {
	cluster := f.cluster(p.Major)
	if _, err := os.Lstat(cluster); errors.Is(err, fs.ErrNotExist) {
		if err := makeCluster(ctx, p, who, cluster, durableRecipe()); err != nil {
			return nil, err
		}
	} else if err != nil {
		return nil, err
	}

	if err := f.makeSockets(who); err != nil {
		return nil, err
	}

	proc, err := postmaster{p, who, cluster, f.sockets(), durable(), log}.launch(ctx)
	if err != nil {
		return nil, err
	}

	return &Server{dsn: dsnOf(f.sockets()), process: proc}, nil
}

// A recipe says how to create a cluster.
type recipe struct {
	options    []string // arguments of initdb
	statements []string // SQL to run before the cluster is used
}

func durableRecipe() recipe {
	return recipe{statements: []string{"CREATE DATABASE " + databaseName}}
}

// fastRecipe creates a small cluster, because it is copied often: it renames the database postgres to ours
// and drops template0.
func fastRecipe() recipe {
	return recipe{
		options: []string{"--no-sync", "--wal-segsize=1"},
		statements: []string{
			"ALTER DATABASE postgres RENAME TO " + databaseName,
			"UPDATE pg_database SET datistemplate = false WHERE datname = 'template0'",
			"DROP DATABASE template0",
		},
	}
}

// makeCluster runs initdb in a temporary folder and renames it when it is complete. A crash or a full disk
// never leaves an incomplete cluster under the final name.
func makeCluster(ctx context.Context, p Programs, who account, final string, how recipe) error {
	making, err := os.MkdirTemp(filepath.Dir(final), makingPrefix)
	if err != nil {
		return fmt.Errorf("make the cluster: %w", err)
	}

	err = who.own(making)
	if err == nil {
		err = initdb(ctx, p, who, making, how.options)
	}

	if err == nil {
		err = runStatements(ctx, p, who, making, how.statements)
	}

	if err == nil {
		err = os.Rename(making, final)
	}

	if err != nil {
		return errors.Join(fmt.Errorf("make a Postgres cluster in %s: %w", final, err), os.RemoveAll(making))
	}

	return syncFolder(filepath.Dir(final))
}

// initdb fills an empty folder. Text is UTF-8 and sorts by code point on every system. Character classes come
// from C.UTF-8; a system without that locale knows only ASCII letters.
func initdb(ctx context.Context, p Programs, who account, dir string, options []string) error {
	for _, ctype := range []string{"C.UTF-8", "C"} {
		cmd := who.command(filepath.Join(p.Dir, "initdb"))

		data, err := who.tell(cmd, dir)
		if err != nil {
			return err
		}

		cmd.Args = append(cmd.Args, "-D", data, "--username="+databaseName, "--auth=trust", "--encoding=UTF8",
			"--lc-collate=C", "--lc-ctype="+ctype, "--no-instructions")
		cmd.Args = append(cmd.Args, options...)

		err = run(ctx, cmd)
		if err == nil || !strings.Contains(err.Error(), "invalid locale name") {
			return err
		}
	}

	return errors.New("initdb: this system has neither the locale C.UTF-8 nor C")
}

// runStatements runs SQL in a cluster whose server is not running.
func runStatements(ctx context.Context, p Programs, who account, dir string, statements []string) error {
	cmd := who.command(filepath.Join(p.Dir, "postgres"))

	data, err := who.tell(cmd, dir)
	if err != nil {
		return err
	}

	cmd.Args = append(cmd.Args, "--single", "-D", data, "-c", "exit_on_error=on", "template1")
	cmd.Stdin = strings.NewReader(strings.Join(statements, "\n") + "\n")

	return run(ctx, cmd)
}

func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}

	return errors.Join(f.Sync(), f.Close())
}
