package house_test

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
	"internal/timeline":   {},
	"internal/ids":        {},
	"internal/auth":       {},
	"internal/fault":      {},
	"internal/seal":       {},
	"internal/localpg":    {},
	"internal/domain":     {"internal/timeline"},
	"internal/filename":   {},
	"internal/linebreak":  {},
	"internal/render":     {"internal/domain", "internal/filename", "internal/linebreak", "internal/pointer", "internal/spoken", "internal/timeline"},
	"internal/spoken":     {"internal/linebreak"},
	"internal/compositor": {"internal/domain", "internal/linebreak", "internal/render"},
	"internal/media": {
		"internal/compositor/", "internal/domain", "internal/pointer", "internal/render", "internal/sound", "internal/timeline",
	},
	"internal/pointer": {},
	"internal/check":   {"internal/fault"},
	"internal/store":   {"ent/", "internal/auth", "internal/fault", "internal/seal", "internal/telemetry"},
	// The pages speak to the resolvers as REST does.
	"pages": {
		"graph/exec", "graph/model", "internal/address", "internal/auth", "internal/chain", "internal/domain", "internal/fault",
		"internal/playback", "internal/seal", "internal/signin", "internal/subtitle", "web/player",
	},
	// REST speaks to the generated resolver interfaces, and never to the database.
	"rest": {
		"graph/exec", "graph/model", "graph/selection", "internal/auth", "internal/beneath", "internal/chain", "internal/check",
		"internal/domain", "internal/fault", "internal/idempotency", "internal/limit", "internal/precondition", "internal/subtitle",
		"internal/webhook", // the events that the API's description lists
	},
}

// never says what a package may not import, whatever else it does.
var never = map[string][]string{
	"graph":   {"workers", "internal/media", "rest", "cmd/"},
	"workers": {"graph/", "rest", "cmd/"},
	"ent":     {"graph/", "workers/", "rest", "internal/media", "internal/render", "internal/store"},
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
			require.False(t, strings.HasPrefix(ours, "internal/testkit") && !strings.HasPrefix(name, "internal/testkit"),
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

// exempt are the doors between the wings: workers/jobs is what the graph may know of workers.
func exempt(name string) bool {
	return name == "workers/jobs" || strings.HasPrefix(name, "ent/migrate/diff")
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
