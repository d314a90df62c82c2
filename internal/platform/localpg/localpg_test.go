package localpg_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	_ "github.com/lib/pq"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/localpg"
)

// childFolder is the environment variable that makes this test binary start a server in the named data folder ("temp"
// means StartTemp), print its address and wait to be killed.
const childFolder = "LOCALPG_TEST_CHILD"

func TestMain(m *testing.M) {
	dir := os.Getenv(childFolder)
	if dir == "" {
		os.Exit(m.Run())
	}

	run := func(ctx context.Context) (*localpg.Server, error) {
		return localpg.Start(ctx, localpg.Options{DataDir: dir})
	}
	if dir == "temp" {
		run = localpg.StartTemp
	}

	s, err := run(context.Background())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}

	fmt.Fprintln(os.Stdout, s.DSN())
	<-s.Done()
}

func TestStart(t *testing.T) {
	t.Parallel()
	closed := filepath.Join(t.TempDir(), `closed, "odd" name`) // other users cannot pass this folder
	require.NoError(t, os.Mkdir(closed, 0o700))
	dir := filepath.Join(closed, "not", "yet", "there")

	s := start(t, dir)
	for setting, want := range map[string]string{
		"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on", "listen_addresses": "",
		"server_encoding": "UTF8", "TimeZone": "UTC",
	} {
		require.Equal(t, want, query(t, s.DSN(), `SELECT current_setting($1)`, setting), setting)
	}

	require.Equal(t, "C", query(t, s.DSN(), `SELECT datcollate FROM pg_database WHERE datname = current_database()`))
	execute(t, s.DSN(), `CREATE TABLE kept (word text)`)
	execute(t, s.DSN(), `INSERT INTO kept VALUES ('čaj')`)
	require.NoError(t, s.Stop())
	require.NoError(t, s.Stop(), "a second stop is no error")

	s = start(t, dir)
	require.Equal(t, "ČAJ", query(t, s.DSN(), `SELECT upper(word) FROM kept`))
	requireMode(t, closed, fs.ModeDir|0o700)
}

func TestStart_SocketOfALongPath(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), strings.Repeat("long-", 20), strings.Repeat("longer-", 20))
	s := start(t, dir)
	require.LessOrEqual(t, len(socketDir(t, s.DSN())+"/.s.PGSQL.5432"), 107)
	requireMode(t, socketDir(t, s.DSN()), fs.ModeDir|0o700)

	_, err := localpg.Start(t.Context(), localpg.Options{DataDir: dir})
	require.ErrorIs(t, err, localpg.ErrInUse)
	require.ErrorContains(t, err, dir)

	dsn, running, err := localpg.Attach(t.Context(), dir)
	require.NoError(t, err)
	require.True(t, running)
	require.Equal(t, s.DSN(), dsn)

	require.NoError(t, s.Stop())
	require.NoDirExists(t, socketDir(t, s.DSN()))
}

func TestStart_GivenUp(t *testing.T) {
	t.Parallel()
	bin, begun := t.TempDir(), filepath.Join(t.TempDir(), "begun")
	fakePrograms(t, bin, "mkdir \"$2/base\"\necho yes >"+begun+"\nexec sleep 600\n")
	require.NoError(t, syscall.Mkfifo(begun, 0o600))
	require.NoError(t, os.Chmod(begun, 0o666))
	require.NoError(t, os.Chmod(filepath.Dir(begun), 0o755))

	ctx, cancel := context.WithCancel(t.Context())

	go func() {
		_, _ = os.ReadFile(begun) // blocks until initdb writes

		cancel()
	}()

	dir := t.TempDir()
	_, err := localpg.Start(ctx, localpg.Options{DataDir: dir, BinDir: bin})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, []string{"postgres", "postgres/lock"}, names(tree(t, dir)), "an incomplete cluster is removed")

	_, err = localpg.Start(ctx, localpg.Options{DataDir: t.TempDir()})
	require.ErrorIs(t, err, context.Canceled, "canceled before the start")
}

func TestStart_AfterTheParentWasKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	child, dsn := startChild(t, dir)
	execute(t, dsn, `CREATE TABLE kept AS SELECT 'committed' AS word`)
	require.NoError(t, child.Process.Kill())

	s := start(t, dir)
	require.Equal(t, dsn, s.DSN())
	require.Equal(t, "committed", query(t, s.DSN(), `SELECT word FROM kept`))
}

func TestStart_Refuses(t *testing.T) {
	t.Parallel()

	for name, tc := range map[string]struct {
		files map[string]string // below the data folder
		cause error
		says  string
	}{
		"AFolderOfSomethingElse":   {map[string]string{"postgres/notes.txt": "mine"}, localpg.ErrForeign, "notes.txt"},
		"AFileInItsPlace":          {map[string]string{"postgres": "mine"}, localpg.ErrForeign, "not a directory"},
		"AFolderThatIsNoCluster":   {map[string]string{"postgres/15/base": "mine"}, localpg.ErrForeign, "no Postgres cluster"},
		"AClusterOfAnotherVersion": {map[string]string{"postgres/15/PG_VERSION": "13\n"}, localpg.ErrForeign, "Postgres 13"},
		"AVersionNotInstalled":     {map[string]string{"postgres/99/PG_VERSION": "99\n"}, localpg.ErrNoPrograms, "Postgres 99"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			dir := t.TempDir()
			for file, text := range tc.files {
				write(t, filepath.Join(dir, file), text, 0o600)
			}

			giveToAccount(t, filepath.Join(dir, "postgres"))
			before := tree(t, dir)

			_, err := localpg.Start(t.Context(), localpg.Options{DataDir: dir})
			require.ErrorIs(t, err, tc.cause)
			require.ErrorContains(t, err, tc.says)
			require.Equal(t, before, tree(t, dir), "nothing is deleted or changed")
		})
	}

	t.Run("AFolderItCannotMake", func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(t.TempDir(), "file")
		write(t, file, "mine", 0o600)
		_, err := localpg.Start(t.Context(), localpg.Options{DataDir: file})
		require.ErrorContains(t, err, file)
		require.FileExists(t, file)
	})
}

func TestStart_FullDisk(t *testing.T) {
	t.Parallel()
	bin, dir := t.TempDir(), t.TempDir()
	fakePrograms(t, bin, "mkdir \"$2/base\"\n"+
		"echo 'initdb: error: could not write to file \"x\": No space left on device' >&2\nexit 1\n")

	_, err := localpg.Start(t.Context(), localpg.Options{DataDir: dir, BinDir: bin})
	require.ErrorIs(t, err, localpg.ErrDiskFull)
	require.ErrorContains(t, err, filepath.Join(dir, "postgres"))
	require.Equal(t, []string{"postgres", "postgres/lock"}, names(tree(t, dir)), "an incomplete cluster is removed")
}

func TestOpen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()

	_, running, err := localpg.Attach(t.Context(), dir)
	require.NoError(t, err)
	require.False(t, running)
	programs, err := localpg.Check(t.Context(), localpg.Options{DataDir: dir})
	require.NoError(t, err)
	require.GreaterOrEqual(t, programs.Major, localpg.OldestMajor)
	require.Empty(t, names(tree(t, dir)), "Attach creates nothing")

	alone, err := localpg.Open(t.Context(), localpg.Options{DataDir: dir})
	require.NoError(t, err)
	execute(t, alone.DSN(), `CREATE TABLE made ()`)
	require.NoError(t, alone.Stop())

	server := start(t, dir)
	joined, err := localpg.Open(t.Context(), localpg.Options{DataDir: dir})
	require.NoError(t, err)
	require.Equal(t, server.DSN(), joined.DSN())
	require.NoError(t, joined.Stop())
	require.Equal(t, "0", query(t, server.DSN(), `SELECT count(*) FROM made`), "stopping a joined server does nothing")
}

func TestStartTemp(t *testing.T) {
	t.Parallel()
	one, err := localpg.StartTemp(t.Context())
	require.NoError(t, err)
	two, err := localpg.StartTemp(t.Context())
	require.NoError(t, err)
	require.NotEqual(t, one.DSN(), two.DSN())
	execute(t, one.DSN(), `CREATE DATABASE clone TEMPLATE reelgraph STRATEGY file_copy`)
	require.Equal(t, "off", query(t, two.DSN(), `SELECT current_setting('fsync')`))
	require.NoError(t, one.Stop())
	require.NoError(t, two.Stop())
	require.NoDirExists(t, filepath.Dir(socketDir(t, one.DSN())))

	child, dsn := startChild(t, "temp")
	require.NoError(t, child.Process.Kill())
	_ = child.Wait()
	three, err := localpg.StartTemp(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, three.Stop()) })
	require.NoDirExists(t, filepath.Dir(socketDir(t, dsn)), "the copy of a killed process is removed")
}

func TestStartTempWith(t *testing.T) {
	t.Parallel()

	var (
		fills  int
		broken error
	)

	fill := func(_ context.Context, dsn string) error {
		fills++
		execute(t, dsn, fmt.Sprintf(`CREATE TABLE made AS SELECT %d AS n`, fills))

		return broken
	}
	run := fmt.Sprintf("-%s-%d", t.Name(), time.Now().UnixNano())

	var kept string

	held := func(version string) string {
		server, err := localpg.StartTempWith(t.Context(), localpg.Content{Version: version + run, Fill: fill})
		require.NoError(t, err)
		kept = filepath.Join(filepath.Dir(filepath.Dir(socketDir(t, server.DSN()))), "filled-"+version+run)
		t.Cleanup(func() { require.NoError(t, os.RemoveAll(kept)) })
		holds := query(t, server.DSN(), `SELECT sum(n) FROM made`)
		execute(t, server.DSN(), `INSERT INTO made VALUES (100)`)
		require.NoError(t, server.Stop())
		require.DirExists(t, kept)

		return holds
	}

	require.Equal(t, "1", held("a"))
	require.Equal(t, "1", held("a"), "filled once, and each has its own copy")
	require.Equal(t, "2", held("b"), "other content gets its own cluster")
	require.Equal(t, "1", held("a"), "the earlier cluster is still there")

	broken = errors.New("half of it")
	_, err := localpg.StartTempWith(t.Context(), localpg.Content{Version: "c" + run, Fill: fill})
	require.ErrorIs(t, err, broken)
	broken = nil

	require.Equal(t, "4", held("c"), "a half-filled cluster is not kept")

	require.NoError(t, os.Chtimes(kept, time.Time{}, time.Now().Add(-25*time.Hour)))
	held("d")
	require.Equal(t, "6", held("c"), "a cluster that was unused for a day is removed")
}

func TestFind(t *testing.T) {
	t.Parallel()
	p, err := localpg.Find(t.Context(), "", 0)
	require.NoError(t, err)
	require.GreaterOrEqual(t, p.Major, localpg.OldestMajor)
	require.FileExists(t, filepath.Join(p.Dir, "initdb"))

	again, err := localpg.Find(t.Context(), p.Dir, p.Major)
	require.NoError(t, err)
	require.Equal(t, p, again)

	_, err = localpg.Find(t.Context(), t.TempDir(), 0)
	require.ErrorIs(t, err, localpg.ErrNoPrograms)
	require.ErrorContains(t, err, "initdb is missing")
}

func start(t *testing.T, dir string) *localpg.Server {
	t.Helper()
	s, err := localpg.Start(t.Context(), localpg.Options{DataDir: dir})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Stop()) })

	return s
}

// startChild starts this test binary again with its own server, and returns its address.
func startChild(t *testing.T, dir string) (*exec.Cmd, string) {
	t.Helper()

	cmd := exec.Command(os.Args[0])

	cmd.Env = append(os.Environ(), childFolder+"="+dir)
	cmd.Stderr = t.Output()
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })

	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)

	return cmd, strings.TrimSpace(line)
}

// fakePrograms writes our own initdb beside the real postgres.
func fakePrograms(t *testing.T, bin, initdb string) {
	t.Helper()
	found, err := localpg.Find(t.Context(), "", 0)
	require.NoError(t, err)
	write(t, filepath.Join(bin, "postgres"), "#!/bin/sh\nexec "+found.Dir+"/postgres \"$@\"\n", 0o755)
	write(t, filepath.Join(bin, "initdb"), "#!/bin/sh\n"+initdb, 0o755)
	require.NoError(t, os.Chmod(filepath.Dir(bin), 0o755)) // the account that Postgres runs as must be able to reach it
}

func execute(t *testing.T, dsn, statement string) {
	t.Helper()

	db, err := sql.Open("postgres", dsn)
	require.NoError(t, err)

	defer db.Close()

	_, err = db.ExecContext(t.Context(), statement)
	require.NoError(t, err)
}

func query(t *testing.T, dsn, statement string, args ...any) (value string) {
	t.Helper()

	db, err := sql.Open("postgres", dsn)
	require.NoError(t, err)

	defer db.Close()

	require.NoError(t, db.QueryRowContext(t.Context(), statement, args...).Scan(&value))

	return value
}

func socketDir(t *testing.T, dsn string) string {
	t.Helper()

	u, err := url.Parse(dsn)
	require.NoError(t, err)

	return u.Query().Get("host")
}

func requireMode(t *testing.T, path string, want fs.FileMode) {
	t.Helper()

	fi, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, want, fi.Mode())
}

func write(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), mode))
}

// tree lists a folder: each path with its mode, owner, size and time.
func tree(t *testing.T, dir string) []string {
	t.Helper()

	var all []string

	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}

		fi, err := d.Info()
		if err != nil {
			return err
		}

		rel, _ := filepath.Rel(dir, path)
		all = append(all, fmt.Sprintf("%s %v %d %v", rel, fi.Mode(), fi.Size(), fi.ModTime().UnixNano()))

		return nil
	}))

	return all
}

func names(tree []string) []string {
	var all []string

	for _, line := range tree {
		name, _, _ := strings.Cut(line, " ")
		all = append(all, name)
	}

	return all
}

// giveToAccount gives the folders named after a version to the account that Postgres runs as under root, so that
// their content, not their owner, is refused. Without root they already have the right owner.
func giveToAccount(t *testing.T, postgres string) {
	t.Helper()

	if os.Geteuid() != 0 {
		return
	}

	u, err := user.Lookup("postgres")
	if err != nil {
		u, err = user.Lookup("nobody")
	}

	require.NoError(t, err)
	uid, err := strconv.Atoi(u.Uid)
	require.NoError(t, err)
	clusters, err := filepath.Glob(filepath.Join(postgres, "[0-9]*"))
	require.NoError(t, err)

	for _, c := range clusters {
		require.NoError(t, os.Chown(c, uid, -1))
	}
}
