package repolint_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A guard is a test named in docs/security.md by its package's folder and its function.
var guard = regexp.MustCompile("`([a-z0-9/]+)\\.((?:Test|Fuzz)\\w+)`")

// Every line of the threat model names a test, and every test it names exists.
func TestEveryThreatIsGuarded(t *testing.T) {
	t.Parallel()

	page, err := os.ReadFile("../../docs/security.md")
	require.NoError(t, err)

	threats := 0

	for line := range strings.Lines(string(page)) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| Threat") || strings.HasPrefix(line, "| ---") {
			continue
		}

		threats++

		named := guard.FindAllStringSubmatch(line, -1)
		require.NotEmpty(t, named, "no test is named in: %s", line)

		for _, test := range named {
			require.True(t, declared(t, test[1], test[2]), "%s.%s does not exist: %s", test[1], test[2], line)
		}
	}

	require.Greater(t, threats, 30)
}

func declared(t *testing.T, folder, name string) bool {
	t.Helper()

	files, err := filepath.Glob(filepath.Join("../..", folder, "*_test.go"))
	require.NoError(t, err)

	for _, file := range files {
		source, err := os.ReadFile(file)
		require.NoError(t, err)

		if strings.Contains(string(source), "\nfunc "+name+"(") {
			return true
		}
	}

	return false
}
