package stub_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg/stub"
)

// gone is a library with versions, of which two are of one name.
const gone = `
int was(void) { return 1; }
int is(void) { return 2; }
__asm__(".symver was,number@GONE_1");
__asm__(".symver is,number@@GONE_2");
int other(int a, int b) { return a + b; }
double half(double x) { return x / 2; }
int table[4] = {3, 4, 5, 6};
`

const versions = `GONE_1 { global: number; local: was; is; }; GONE_2 { global: number; other; half; table; } GONE_1;`

// stays is a library that needs the other one.
const stays = `
extern int number(void);
extern int other(int, int);
extern double half(double);
extern int table[4];
int sum(void) { return number() + other(10, 20) + (int)half(200) + table[3]; }
`

const program = `
#include <stdio.h>
extern int sum(void);
int main(void) { printf("%d\n", sum()); return 0; }
`

// build compiles a program that loads a library that loads another one, all names bound at the start, as distributions do.
func build(t *testing.T) (folder, path string) {
	t.Helper()

	folder = t.TempDir()
	for name, text := range map[string]string{"gone.c": gone, "stays.c": stays, "program.c": program, "gone.map": versions} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}

	for _, args := range [][]string{
		{"-shared", "-fPIC", "-Wl,-soname,libgone.so.1", "-Wl,--version-script=gone.map", "-o", "libgone.so.1", "gone.c"},
		{"-shared", "-fPIC", "-Wl,-soname,libstays.so.3", "-o", "libstays.so.3", "stays.c", "libgone.so.1"},
		{"-Wl,-rpath-link," + folder, "-o", "program", "program.c", "libstays.so.3"},
	} {
		args = append(args, "-Wl,-z,now", "-Wl,--enable-new-dtags", "-Wl,-rpath,"+folder)
		cmd := exec.CommandContext(t.Context(), "gcc", args...)
		cmd.Dir = folder
		said, err := cmd.CombinedOutput()
		require.NoError(t, err, string(said))
	}

	return folder, filepath.Join(folder, "program")
}

// run returns all that a program says.
func run(t *testing.T, libraries, name string) string {
	t.Helper()

	cmd := exec.CommandContext(t.Context(), name)
	cmd.Env = []string{"LD_LIBRARY_PATH=" + libraries}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))

	return string(out)
}

func TestFunctionsReturnZeroAndDataAreZero(t *testing.T) {
	t.Parallel()

	folder, path := build(t)
	require.Equal(t, "138\n", run(t, folder, path)) // 2 + (10 + 20) + 100 + 6

	l, err := stub.Write(t.Context(), t.TempDir(), []string{"libstays", "libc"}, path)
	require.NoError(t, err)
	require.Equal(t, "0\n", run(t, l.Path(), path))
}

func TestWhoeverChangesHasNoStubs(t *testing.T) {
	t.Parallel()

	for _, name := range []string{"program", "libstays.so.3"} {
		folder, path := build(t)
		l, err := stub.Write(t.Context(), t.TempDir(), []string{"libstays", "libc"}, path)
		require.NoError(t, err)
		require.NotEmpty(t, l.Path())

		require.NoError(t, os.Chtimes(filepath.Join(folder, name), time.Time{}, time.Now().Add(time.Hour)))
		require.Empty(t, l.Path(), name)
	}
}

func TestNothingIsLeftOut(t *testing.T) {
	t.Parallel()

	_, path := build(t)
	l, err := stub.Write(t.Context(), t.TempDir(), []string{"libstays", "libgone", "libc"}, path)
	require.NoError(t, err)
	require.Nil(t, l)
	require.Empty(t, l.Path())
}

// Processes that share a parent share a folder, whoever is first, and what others have left there goes after a day.
func TestOneFolderForAll(t *testing.T) {
	t.Parallel()

	_, path := build(t)
	parent := t.TempDir()
	before := time.Now().Add(-25 * time.Hour)

	for _, name := range []string{"older", ".draft-1", "of another process"} {
		folder := filepath.Join(parent, name)
		require.NoError(t, os.Mkdir(folder, 0o700))

		if name != "of another process" {
			require.NoError(t, os.Chtimes(folder, before, before))
		}
	}

	var (
		all   sync.WaitGroup
		paths [8]string
		errs  [8]error
	)

	for i := range paths {
		all.Go(func() {
			l, err := stub.Write(context.Background(), parent, []string{"libstays", "libc"}, path)
			paths[i], errs[i] = l.Path(), err
		})
	}

	all.Wait()

	for i := range paths {
		require.NoError(t, errs[i])
		require.Equal(t, paths[0], paths[i])
	}

	entries, err := os.ReadDir(parent)
	require.NoError(t, err)
	require.Len(t, entries, 2)
	require.Equal(t, "0\n", run(t, paths[0], path))
}

// A crash while stubs were written, and whoever has put another library among them, changes nothing.
func TestAFolderThatIsNotWholeIsWrittenAnew(t *testing.T) {
	t.Parallel()

	_, path := build(t)
	parent := t.TempDir()

	write := func() string {
		l, err := stub.Write(t.Context(), parent, []string{"libstays", "libc"}, path)
		require.NoError(t, err)

		return l.Path()
	}
	folder := write()

	for name, damage := range map[string]func() error{
		"an empty library": func() error { return os.Truncate(filepath.Join(folder, "libstub.so"), 0) },
		"a name less":      func() error { return os.Remove(filepath.Join(folder, "libgone.so.1")) },
		"one more":         func() error { return os.WriteFile(filepath.Join(folder, "libc.so.6"), []byte("hostile"), 0o600) },
		"another's": func() error {
			name := filepath.Join(folder, "libgone.so.1")

			return errors.Join(os.Remove(name), os.WriteFile(name, []byte("hostile"), 0o600))
		},
	} {
		require.NoError(t, damage(), name)
		require.Equal(t, folder, write(), name)
		require.Equal(t, "0\n", run(t, folder, path), name)

		entries, err := os.ReadDir(folder)
		require.NoError(t, err)
		require.Len(t, entries, 2, name)
	}
}

func TestWhatIsNoProgram(t *testing.T) {
	t.Parallel()

	script := filepath.Join(t.TempDir(), "ffmpeg")
	require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\nexec sleep 600\n"), 0o700))

	_, err := stub.Write(t.Context(), t.TempDir(), nil, script)
	require.ErrorContains(t, err, "bad magic")

	_, err = stub.Write(t.Context(), t.TempDir(), nil, "/nonexistent/ffmpeg")
	require.ErrorIs(t, err, os.ErrNotExist)
}

// What is not on the list is not loaded, though it is asked for, and nothing is said about it.
func TestOnlyWhatIsKeptIsLoaded(t *testing.T) {
	t.Parallel()

	path, err := exec.LookPath("ffmpeg")
	require.NoError(t, err)

	keep := []string{"libc", "libm"}
	l, err := stub.Write(t.Context(), t.TempDir(), keep, path)
	require.NoError(t, err)
	require.NotEmpty(t, l.Path())

	cmd := exec.CommandContext(t.Context(), path)
	cmd.Env = []string{"LD_TRACE_LOADED_OBJECTS=1", "LD_LIBRARY_PATH=" + l.Path()}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err)

	require.Contains(t, string(out), "=> "+l.Path()) // once, for all names are one file

	for line := range strings.Lines(string(out)) {
		name := strings.Fields(line)[0]
		if strings.HasPrefix(name, "linux-") || strings.Contains(name, "/ld-linux") || name == "libc.so.6" || name == "libm.so.6" {
			continue
		}

		require.Contains(t, line, "=> "+l.Path(), line)
	}
}
