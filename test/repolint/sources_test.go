package repolint_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// environment is how a program reads its environment.
var environment = regexp.MustCompile(`\bos\.(Getenv|LookupEnv|Environ|ExpandEnv)\b`)

// process is how a program starts another.
var process = regexp.MustCompile(`"os/exec"`)

// The environment is handed to config.go by main and read by nobody else, so that every setting is
// documented and checked there.
func TestOneReaderOfTheEnvironment(t *testing.T) {
	t.Parallel()

	require.Empty(t, using(t, environment, "cmd/reelgraph/main.go"))
}

// Untrusted media goes through one door, which starts programs under limits.
func TestOneDoorForMedia(t *testing.T) {
	t.Parallel()

	require.Empty(t, using(t, process, "internal/engine/ffmpeg/", "internal/platform/localpg/", "test/chaos/", "test/releases/", "cmd/reelgraph/", "bench/"))
}

// using returns the sources outside tests and the allowed places that match.
func using(t *testing.T, pattern *regexp.Regexp, allowed ...string) []string {
	t.Helper()

	root := filepath.Join("..", "..")

	var found []string

	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}

		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}

		name = filepath.ToSlash(name)

		switch {
		case entry.IsDir() && (strings.HasPrefix(entry.Name(), ".") && name != "." || entry.Name() == "node_modules" || name == "data"):
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"),
			strings.HasPrefix(name, "test/testkit/"),
			slices.ContainsFunc(allowed, func(place string) bool { return strings.HasPrefix(name, place) }):
			return nil
		}

		source, err := os.ReadFile(path)
		if err == nil && pattern.Match(source) {
			found = append(found, name)
		}

		return err
	})
	require.NoError(t, err)

	return found
}
