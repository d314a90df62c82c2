package conformance_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/rest"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// node runs a script of the installed packages and returns its output.
func node(t *testing.T, script string, args ...string) ([]byte, error) {
	t.Helper()

	const program = "node_modules/.bin/node"

	_, err := os.Stat(program)
	require.NoError(t, err, "the npm packages of this folder are missing: sh scripts/install.sh test")

	cmd := exec.CommandContext(t.Context(), program, append([]string{script}, args...)...)
	cmd.Env = append(os.Environ(), "REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true", "NO_COLOR=1")

	return cmd.CombinedOutput()
}

// The API's description satisfies two linters. The YAML form is tested where it is served.
func TestDescription(t *testing.T) {
	t.Parallel()

	text, err := rest.Describe(api.BaseURL).JSON()
	require.NoError(t, err)

	path := filepath.Join(t.TempDir(), "openapi.json")
	require.NoError(t, os.WriteFile(path, text, 0o600))

	said, err := node(t, "node_modules/.bin/redocly", "lint", "--config", "redocly.yaml", path)
	require.NoError(t, err, "redocly:\n%s", said)

	said, err = node(t, "node_modules/.bin/spectral", "lint", "--fail-severity=warn", "--ruleset", ".spectral.yaml", path)
	require.NoError(t, err, "spectral:\n%s", said)
}

// The graph passes every audit of GraphQL over HTTP, including the optional ones.
func TestGraphOverHTTP(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})

	said, err := node(t, "audit.mjs", s.URL+"/graphql", m.Key)
	require.NoError(t, err, string(said))

	var audits []struct{ ID, Name, Status, Reason string }
	require.NoError(t, json.Unmarshal(said, &audits), string(said))
	require.GreaterOrEqual(t, len(audits), 61)

	for _, a := range audits {
		require.Equal(t, "ok", a.Status, "%s %s: %s", a.ID, a.Name, a.Reason)
	}
}
