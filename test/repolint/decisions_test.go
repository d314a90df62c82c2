package repolint_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const decisionsFolder = "../../docs/decisions"

var (
	// decisionFile matches the name of a decision's file, as links write it.
	decisionFile = regexp.MustCompile(`\b\d{4}-[a-z0-9-]+\.md\b`)

	// decisionNumbers matches a mention by number: "decision 0009", "decisions 0009 and 0011", "docs/decisions/0009,
	// 0011". A line break and a comment sign may stand between the words.
	decisionNumbers = regexp.MustCompile(`(?i)\bdecisions?(?:/|[\s/*#]+)\d+\b(?:(?:,| and| or|, and)[\s/*#]+\d+\b)*`)

	number = regexp.MustCompile(`\d+`)
)

// Decisions are numbered from 0001 without gaps, and the README of their folder lists each one with its title.
func TestDecisionsAreNumberedWithoutGaps(t *testing.T) {
	t.Parallel()

	index, err := os.ReadFile(filepath.Join(decisionsFolder, "README.md"))
	require.NoError(t, err)

	for i, name := range decisions(t) {
		require.Equal(t, fmt.Sprintf("%04d", i+1), name[:4], "%s: numbers must follow each other", name)

		content, err := os.ReadFile(filepath.Join(decisionsFolder, name))
		require.NoError(t, err)

		title, _, _ := strings.Cut(strings.TrimPrefix(string(content), "# "), "\n")
		require.Contains(t, string(index), fmt.Sprintf("- [%s](%s): %s\n", name[:4], name, title))
	}
}

// Every mention of a decision in a text file, by number or file name, names one that exists.
func TestMentionedDecisionsExist(t *testing.T) {
	t.Parallel()

	exists := map[string]bool{}
	for _, name := range decisions(t) {
		exists[name], exists[name[:4]] = true, true
	}

	listed, err := exec.CommandContext(t.Context(), "git", "-C", "../..", "ls-files", "-z").Output()
	require.NoError(t, err)

	for name := range strings.SplitSeq(strings.Trim(string(listed), "\x00"), "\x00") {
		content, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil || bytes.IndexByte(content, 0) >= 0 {
			continue // deleted but not committed, or not a text
		}

		for _, mention := range mentionedDecisions(string(content)) {
			require.True(t, exists[mention], "%s mentions decision %s, which does not exist", name, mention)
		}
	}
}

func TestMentionedDecisionsAreFound(t *testing.T) {
	t.Parallel()

	for text, want := range map[string][]string{
		"as decision 7 says":                  {"0007"},
		"Decisions 0009 and 0011":             {"0009", "0011"},
		"(docs/decisions/0053, 0040)":         {"0053", "0040"},
		"see decision\n\t// 0012":             {"0012"},
		"](decisions/0004-listen-command.md)": {"0004-listen-command.md", "0004"},
		"](0004-listen-command.md)":           {"0004-listen-command.md"},
		"a decision of 2026, or a migration":  nil,
	} {
		require.Equal(t, want, mentionedDecisions(text), text)
	}
}

// decisions returns the names of the decisions' files, in order.
func decisions(t *testing.T) []string {
	t.Helper()

	entries, err := os.ReadDir(decisionsFolder)
	require.NoError(t, err)

	var names []string

	for _, entry := range entries {
		if entry.Name() != "README.md" {
			require.Regexp(t, `^`+decisionFile.String()+`$`, entry.Name())

			names = append(names, entry.Name())
		}
	}

	require.NotEmpty(t, names)

	return names
}

// mentionedDecisions returns the file names and the four-digit numbers by which a text mentions decisions.
func mentionedDecisions(text string) []string {
	mentions := decisionFile.FindAllString(text, -1)

	for _, found := range decisionNumbers.FindAllString(text, -1) {
		for _, n := range number.FindAllString(found, -1) {
			mentions = append(mentions, strings.Repeat("0", max(0, 4-len(n)))+n)
		}
	}

	return mentions
}
