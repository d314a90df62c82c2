package repolint_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// make verify checks for breaking changes, committed keys and known vulnerabilities with pinned tools.
func TestVerifyLooks(t *testing.T) {
	t.Parallel()

	for file, holds := range map[string][]string{
		"scripts/verify.sh":            {"\nreleases ", "\nsecrets ", "\nvulnerabilities "},
		"tools/releases/go.mod":        {"tool github.com/oasdiff/oasdiff"},
		"tools/secrets/go.mod":         {"tool github.com/zricethezav/gitleaks/v8"},
		"tools/vulnerabilities/go.mod": {"tool golang.org/x/vuln/cmd/govulncheck"},
	} {
		content, err := os.ReadFile("../../" + file)
		require.NoError(t, err)

		for _, line := range holds {
			require.Contains(t, string(content), line, file)
		}
	}
}
