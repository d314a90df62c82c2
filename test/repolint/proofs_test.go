package repolint_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every test that does less under the race detector is run in full by `make proofs`, and every name in the Makefile is
// such a test. Renaming one cannot drop it.
func TestProofsAreRun(t *testing.T) {
	t.Parallel()

	makefile, err := os.ReadFile("../../Makefile")
	require.NoError(t, err)

	listed := strings.Fields(regexp.MustCompile(`(?m)^proofs := (.*)$`).FindStringSubmatch(string(makefile))[1])
	folders := strings.Fields(regexp.MustCompile(`(?m)^proven := (.*)$`).FindStringSubmatch(string(makefile))[1])

	tracked, err := exec.Command("git", "-C", "../..", "ls-files", "-co", "--exclude-standard", "*_test.go").Output()
	require.NoError(t, err)

	functions := map[string]map[string]*ast.FuncDecl{} // by folder and name

	for name := range strings.Lines(string(tracked)) {
		name = strings.TrimSpace(name)

		file, err := parser.ParseFile(token.NewFileSet(), "../../"+name, nil, parser.SkipObjectResolution)
		if os.IsNotExist(err) {
			continue // deleted but not committed
		}

		require.NoError(t, err)

		folder := filepath.Dir(name)
		if functions[folder] == nil {
			functions[folder] = map[string]*ast.FuncDecl{}
		}

		for _, d := range file.Decls {
			if fn, is := d.(*ast.FuncDecl); is && fn.Recv == nil {
				functions[folder][fn.Name.Name] = fn
			}
		}
	}

	var found []string

	for folder, all := range functions {
		for _, test := range lessenedTests(all) {
			found = append(found, test)
			require.True(t, slices.ContainsFunc(folders, func(proven string) bool {
				whole, below := strings.CutSuffix(strings.TrimPrefix(proven, "./"), "/...")

				return folder == whole || below && strings.HasPrefix(folder, whole+"/")
			}), "%s of %s is in no package that make proofs runs", test, folder)
		}
	}

	require.ElementsMatch(t, listed, found)
}

// lessenedTests returns the tests of one folder that check for the race detector, directly or through what they call.
func lessenedTests(functions map[string]*ast.FuncDecl) []string {
	asks := map[string]bool{}

	for more := true; more; {
		more = false

		for name, fn := range functions {
			ast.Inspect(fn, func(n ast.Node) bool {
				of, is := n.(*ast.SelectorExpr)
				if is {
					from, is := of.X.(*ast.Ident)

					is = is && from.Name == "race" && of.Sel.Name == "Detector"
					if is && !asks[name] {
						asks[name], more = true, true
					}
				}

				if call, is := n.(*ast.CallExpr); is {
					to, is := call.Fun.(*ast.Ident)

					is = is && functions[to.Name] != nil && asks[to.Name]
					if is && !asks[name] {
						asks[name], more = true, true
					}
				}

				return true
			})
		}
	}

	var all []string

	for name := range functions {
		if asks[name] && strings.HasPrefix(name, "Test") {
			all = append(all, name)
		}
	}

	return all
}
