package repolint_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/reelgraph/reelgraph/"

// pkg is what go list says of a package.
type pkg struct {
	ImportPath string
	Imports    []string
}

// only says what of ours a package may import: itself and its own sub-packages always, nothing else
// that is not named. A name that ends in a slash stands for everything below it.
var only = map[string][]string{
	"internal/demo":       {},
	"internal/video/timeline":   {},
	"internal/platform/ids":        {},
	"internal/platform/auth":       {},
	"internal/platform/fault":      {},
	"internal/platform/keyring":       {},
	"internal/platform/localpg":    {},
	"internal/video/values":     {"internal/video/timeline"},
	"internal/video/filename":   {},
	"internal/video/linebreak":  {},
	"internal/video/plan":     {"internal/video/values", "internal/video/filename", "internal/video/linebreak", "internal/video/mouse", "internal/video/words", "internal/video/timeline"},
	"internal/video/words":     {"internal/video/linebreak"},
	"internal/engine/compositor": {"internal/video/values", "internal/video/linebreak", "internal/video/plan"},
	"internal/engine/ffmpeg": {
		"internal/engine/compositor/", "internal/video/values", "internal/video/mouse", "internal/video/plan", "internal/engine/audio", "internal/video/timeline",
	},
	"internal/video/mouse": {},
	"internal/platform/input":   {"internal/platform/fault"},
	"internal/platform/store":   {"ent/", "internal/platform/auth", "internal/platform/fault", "internal/platform/keyring", "internal/platform/telemetry"},
	// The pages speak to the resolvers as REST does.
	"pages": {
		"graph/exec", "graph/model", "internal/platform/signedurl", "internal/platform/auth", "internal/platform/middleware", "internal/video/values", "internal/platform/fault",
		"internal/analytics", "internal/platform/keyring", "internal/account", "internal/video/words", "web/player",
	},
	// REST speaks to the generated resolver interfaces, and never to the database.
	"rest": {
		"graph/exec", "graph/model", "graph/selection", "internal/platform/auth", "internal/beneath", "internal/platform/middleware", "internal/platform/input",
		"internal/video/values", "internal/platform/fault", "internal/platform/idempotency", "internal/platform/limit", "internal/platform/middleware", "internal/video/words",
		"internal/webhook", // the events that the API's description lists
	},
}

// never says what a package may not import, whatever else it does.
var never = map[string][]string{
	"graph":   {"workers", "internal/engine/ffmpeg", "rest", "cmd/"},
	"workers": {"graph/", "rest", "cmd/"},
	"ent":     {"graph/", "workers/", "rest", "internal/engine/ffmpeg", "internal/video/plan", "internal/platform/store"},
}

func TestImports(t *testing.T) {
	t.Parallel()

	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)

		for _, imported := range p.Imports {
			ours, isOurs := strings.CutPrefix(imported, module)
			if !isOurs {
				continue
			}

			require.False(t, strings.HasPrefix(ours, "cmd/"), "%s imports a command: %s", name, ours)
			require.False(t, strings.HasPrefix(ours, "test/testkit") && !strings.HasPrefix(name, "test/testkit"),
				"%s imports what is for tests: %s", name, ours)

			if allowed, bound := only[name]; bound {
				require.True(t, strings.HasPrefix(ours, name+"/") || matches(allowed, ours), "%s may not import %s", name, ours)
			}

			for who, forbidden := range never {
				if name == who || strings.HasPrefix(name, who+"/") && !exempt(name) {
					require.False(t, matches(forbidden, ours) && !strings.HasPrefix(ours, who), "%s may not import %s", name, ours)
				}
			}
		}
	}
}

// exempt are the doors between the wings: internal/platform/jobs is what the graph may know of workers.
func exempt(name string) bool {
	return name == "internal/platform/jobs" || strings.HasPrefix(name, "ent/migrate/diff")
}

func matches(names []string, path string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		folder, below := strings.CutSuffix(name, "/")

		return path == folder || below && strings.HasPrefix(path, name)
	})
}

func packages(t *testing.T) []pkg {
	t.Helper()

	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", module+"...").Output()
	require.NoError(t, err)

	var all []pkg

	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg

		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			break
		}

		require.NoError(t, err)

		all = append(all, p)
	}

	require.Greater(t, len(all), 30)

	return all
}
