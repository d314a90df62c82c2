package repolint_test

import (
	"bytes"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// bench/RESULTS.md has one section for each bench and stays short enough to read.
func TestResultsAreShort(t *testing.T) {
	t.Parallel()

	page, err := os.ReadFile("../../bench/RESULTS.md")
	require.NoError(t, err)
	require.LessOrEqual(t, bytes.Count(page, []byte("\n")), 250, "lines of bench/RESULTS.md")

	seen := map[string]bool{}

	for _, title := range regexp.MustCompile(`(?m)^## .*$`).FindAllString(string(page), -1) {
		require.False(t, seen[title], "%s appears twice", title)
		seen[title] = true
	}
}
