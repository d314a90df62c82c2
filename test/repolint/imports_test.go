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

// table says what of ours each package may import: a package that is not in it may not exist, and an import that its line
// does not name is refused. Every package may import what stands below its own folder. A word in capitals stands for others:
//
//	VIDEO     internal/video and what is below it; ENGINE and PLATFORM likewise
//	ENT       the entities that ent generates
//	MODEL     graph/model and graph/selection
//	ABOVE     the services that stand above it: services stand in their order, the lower ones first
//	SERVICES  all of them
//
// Tests may import anything.
//
//nolint:dupword // a package, and on the next line what another one may import
const table = `
	ent                                      ent/migrate internal/video/values internal/platform/auth internal/platform/ids
	ent/generate
	ent/migrate
	ent/migrate/diff                         ent/migrate internal/platform/localpg
	ent/schema                               ENT internal/video/values internal/platform/auth internal/platform/ids

	internal/video/autoedit                  VIDEO
	internal/video/effect                    VIDEO internal/platform/fault
	internal/video/filename
	internal/video/linebreak
	internal/video/mouse                     VIDEO
	internal/video/plan                      VIDEO
	internal/video/timeline                  VIDEO
	internal/video/values
	internal/video/words                     VIDEO

	internal/engine/audio                    VIDEO internal/engine/ffmpeg internal/engine/probe
	internal/engine/compositor               VIDEO ENGINE
	internal/engine/compositor/lettering     VIDEO ENGINE
	internal/engine/compositor/lettering/bidi
	internal/engine/encode                   VIDEO ENGINE
	internal/engine/ffmpeg
	internal/engine/probe                    VIDEO internal/engine/ffmpeg
	internal/engine/still                    VIDEO internal/engine/ffmpeg internal/engine/probe
	internal/engine/stock                    VIDEO
	internal/engine/windowdetect

	internal/platform/auth
	internal/platform/blob                   PLATFORM
	internal/platform/blob/blobtest          PLATFORM
	internal/platform/byterange
	internal/platform/coalesce
	internal/platform/compress
	internal/platform/cursor                 PLATFORM
	internal/platform/fault
	internal/platform/idempotency            PLATFORM
	internal/platform/ids
	internal/platform/input                  PLATFORM
	internal/platform/jobs                   PLATFORM ENT internal/access internal/video/values internal/webhook/event
	internal/platform/keyring
	internal/platform/limit                  PLATFORM
	internal/platform/localpg                PLATFORM
	internal/platform/logging                PLATFORM
	internal/platform/mail                   PLATFORM
	internal/platform/memory
	internal/platform/middleware             PLATFORM
	internal/platform/optional
	internal/platform/outbound               PLATFORM
	internal/platform/queue                  PLATFORM
	internal/platform/signedurl              PLATFORM
	internal/platform/store                  PLATFORM ENT ent/migrate
	internal/platform/telemetry              PLATFORM

	internal/access                          VIDEO PLATFORM ENT
	internal/webhook/event                   VIDEO PLATFORM
	internal/transcripts                     VIDEO PLATFORM ENT ABOVE
	internal/multitrack                      VIDEO ENT
	internal/speech                          VIDEO ENGINE PLATFORM
	internal/extracts                        VIDEO ENGINE PLATFORM ENT MODEL ABOVE
	internal/paging                          PLATFORM ENT MODEL
	internal/listing                         VIDEO PLATFORM ENT MODEL ABOVE
	internal/search                          VIDEO PLATFORM ENT MODEL ABOVE
	internal/upload                          VIDEO ENGINE PLATFORM ENT MODEL ABOVE
	internal/library                         VIDEO PLATFORM ENT MODEL ABOVE
	internal/videos                          VIDEO PLATFORM ENT ent/schema MODEL ABOVE
	internal/editing/effect                  VIDEO PLATFORM ENT ent/schema MODEL ABOVE
	internal/editing/clip                    VIDEO PLATFORM ENT MODEL ABOVE
	internal/editing/transcript              VIDEO PLATFORM ENT MODEL ABOVE
	internal/exports                         VIDEO PLATFORM ENT MODEL ABOVE
	internal/playlists                       VIDEO PLATFORM ENT MODEL ABOVE
	internal/comments                        VIDEO PLATFORM ENT MODEL ABOVE
	internal/analytics                       VIDEO PLATFORM ENT MODEL ABOVE
	internal/analytics/calendar
	internal/account                         VIDEO PLATFORM ENT MODEL ABOVE
	internal/webhook                         VIDEO PLATFORM ENT MODEL ABOVE
	internal/sharing                         VIDEO PLATFORM ENT MODEL ABOVE
	internal/demo

	graph                                    SERVICES VIDEO PLATFORM ENT ent/schema web/static
	graph/compiled                           MODEL
	graph/generate
	graph/exec                               ENT MODEL internal/platform/auth internal/video/values internal/video/effect internal/video/words
	graph/limits                             graph/nulls
	graph/model                              VIDEO PLATFORM ENT internal/analytics/calendar
	graph/nulls
	graph/sdl                                graph
	graph/selection
	graph/server                             PLATFORM graph/limits graph/nulls internal/transcripts

	rest                                     graph/exec MODEL PLATFORM internal/video/values internal/video/effect internal/video/words internal/webhook/event
	rest/operations                          rest/openapi
	rest/router                              rest/shape PLATFORM
	rest/shape                               graph/exec MODEL internal/video/values internal/video/effect internal/video/words
	rest/openapi                             internal/platform/input
	pages                                    graph/exec MODEL PLATFORM internal/video/values internal/video/words internal/account internal/analytics internal/sharing web/player
	workers                                  SERVICES ENGINE PLATFORM
	workers/media                            SERVICES VIDEO ENGINE PLATFORM ENT
	workers/deliver                          SERVICES VIDEO ENGINE PLATFORM ENT workers/media
	workers/ingest                           SERVICES VIDEO ENGINE PLATFORM ENT workers/media
	workers/still                            SERVICES VIDEO ENGINE PLATFORM ENT workers/media
	workers/render                           SERVICES VIDEO ENGINE PLATFORM ENT workers/media
	workers/speech                           SERVICES VIDEO ENGINE PLATFORM ENT workers/media
	workers/analytics                        SERVICES VIDEO ENGINE PLATFORM ENT workers/media
	workers/notify                           SERVICES VIDEO ENGINE PLATFORM ENT workers/media
	workers/housekeeping                     SERVICES VIDEO ENGINE PLATFORM ENT workers/media workers/speech

	web                                      web/static
	web/graphiql                             web web/static
	web/player                               web/static
	web/reference                            rest rest/openapi web web/static
	web/static                               internal/platform/compress

	cmd/reelgraph                            SERVICES VIDEO ENGINE PLATFORM ENT ent/migrate graph graph/server MODEL rest rest/router rest/shape pages workers/ web/graphiql web/reference
	cmd/reelgraph/datafolder
	cmd/reelgraph/doctor                     cmd/reelgraph/datafolder cmd/reelgraph/settings ENGINE PLATFORM internal/speech
	cmd/reelgraph/film                       SERVICES VIDEO ENGINE PLATFORM ENT MODEL
	cmd/reelgraph/metrics
	cmd/reelgraph/people                     ENT PLATFORM internal/account
	cmd/reelgraph/settings                   internal/platform/auth internal/platform/logging internal/engine/ffmpeg internal/speech
	cmd/reelgraph/story                      VIDEO PLATFORM internal/analytics internal/demo workers/analytics

	test/chaos                               SERVICES VIDEO PLATFORM ENT
	test/conformance
	test/films
	test/films/sound
	test/releases                            graph rest
	test/graph
	test/graph/exhaustive
	test/repolint
	test/rest
	test/rest/exhaustive
	test/testkit                             SERVICES VIDEO PLATFORM ENT ent/migrate
	test/testkit/api                         SERVICES VIDEO PLATFORM ENT MODEL graph graph/server rest rest/openapi rest/router test/testkit
	test/testkit/browser
	test/testkit/chance                      VIDEO
	test/testkit/footage
	test/testkit/race
	test/testkit/rendering                   VIDEO ENGINE test/testkit/footage
	clients

	bench/api                                VIDEO PLATFORM bench/measure
	bench/arriving                           bench/measure
	bench/chaos                              PLATFORM bench/measure test/chaos
	bench/fair                               bench/measure
	bench/figures                            VIDEO PLATFORM bench/measure workers/analytics
	bench/ingest                             VIDEO PLATFORM bench/measure internal/analytics
	bench/limits                             bench/measure
	bench/measure
	bench/pages                              VIDEO PLATFORM bench/measure
	bench/render                             VIDEO ENGINE bench/measure
	bench/soak                               PLATFORM bench/measure
	bench/stills                             bench/measure
	bench/upload                             bench/measure
	bench/viewer                             bench/measure
	bench/webhooks                           PLATFORM ENT bench/measure internal/webhook internal/webhook/event
`

// rule is a line of the table: a package and what it may import, words in capitals replaced.
type rule struct {
	name    string
	allowed []string // ending in a slash: everything below too
}

// rules reads the table.
func rules(t *testing.T) map[string]rule {
	t.Helper()

	words := map[string][]string{
		"VIDEO": {"internal/video/"}, "ENGINE": {"internal/engine/"}, "PLATFORM": {"internal/platform/"},
		"ENT": {"ent"}, "MODEL": {"graph/model", "graph/selection"},
	}
	all := map[string]rule{}

	for line := range strings.Lines(table) {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}

		r := rule{name: fields[0]}
		_, twice := all[r.name]
		require.False(t, twice, "two lines of %s", r.name)

		for _, word := range fields[1:] {
			if meant, is := words[word]; is {
				r.allowed = append(r.allowed, meant...)
			} else if word == "ABOVE" {
				r.allowed = append(r.allowed, words["SERVICES"]...)
			} else {
				require.NotEqual(t, strings.ToUpper(word), word, "an unknown word")
				r.allowed = append(r.allowed, word)
			}
		}

		if isService(r.name) {
			words["SERVICES"] = append(words["SERVICES"], r.name)
		}

		all[r.name] = r
	}

	return all
}

func isService(name string) bool {
	return strings.HasPrefix(name, "internal/") && !slices.ContainsFunc(
		[]string{"internal/video/", "internal/engine/", "internal/platform/"},
		func(wing string) bool { return strings.HasPrefix(name, wing) })
}

// Imports are refused unless the table allows them, and the table has no line without a package.
func TestImports(t *testing.T) {
	t.Parallel()

	known := rules(t)

	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		if isGenerated(name) {
			continue
		}

		r, is := known[name]
		require.True(t, is, "%s has no line in the table", name)
		delete(known, name)

		for _, imported := range p.Imports {
			if ours, isOurs := strings.CutPrefix(imported, module); isOurs {
				require.True(t, r.allows(ours), "%s may not import %s", name, ours)
			}
		}
	}

	require.Empty(t, known, "lines without a package")
}

// isGenerated tells the packages that ent makes beside its own.
func isGenerated(name string) bool {
	return strings.HasPrefix(name, "ent/") && !slices.Contains([]string{"ent/generate", "ent/migrate", "ent/migrate/diff", "ent/schema"}, name)
}

func (r rule) allows(ours string) bool {
	if isGenerated(ours) {
		ours = "ent"
	}

	return ours == r.name || strings.HasPrefix(ours, r.name+"/") || slices.ContainsFunc(r.allowed, func(name string) bool {
		folder, below := strings.CutSuffix(name, "/")

		return ours == folder || below && strings.HasPrefix(ours, name)
	})
}

// pkg is what go list says of a package.
type pkg struct {
	ImportPath string
	Imports    []string
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
