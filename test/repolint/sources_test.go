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

// environment matches code that reads the environment.
var environment = regexp.MustCompile(`\bos\.(Getenv|LookupEnv|Environ|ExpandEnv)\b`)

// process matches code that starts programs.
var process = regexp.MustCompile(`"os/exec"`)

// Only the settings package reads the environment, so that every setting is documented and checked there.
func TestOnlySettingsReadTheEnvironment(t *testing.T) {
	t.Parallel()

	require.Empty(t, using(t, environment, "cmd/reelgraph/main.go"))
}

// Only the listed packages start programs; untrusted media is read only under limits.
func TestOnlyListedPackagesStartPrograms(t *testing.T) {
	t.Parallel()

	require.Empty(t, using(t, process, "internal/engine/ffmpeg/", "internal/platform/localpg/", "test/chaos/", "test/releases/", "cmd/reelgraph/", "bench/"))
}

// using returns the sources that match, without tests and allowed places.
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
