package limits_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/graph/exec"
	"github.com/reelgraph/reelgraph/graph/limits"
)

func product() *limits.Schema { return limits.New(exec.NewExecutableSchema(exec.Config{}).Schema()) }

// many repeats a text, with # replaced by a number that counts up.
func many(n int, text string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(text, "#", fmt.Sprint(i)))
	}

	return b.String()
}

// chain defines fragments that spread the next one; + stands for its number.
func chain(n int, text string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.NewReplacer("#", fmt.Sprint(i), "+", fmt.Sprint(i+1)).Replace(text))
	}

	return b.String()
}

func nested(n int, open, leaf, shut string) string {
	return strings.Repeat(open, n) + leaf + strings.Repeat(shut, n)
}

func user(selection string) string { return "{ viewer { user { " + selection + " } } }" }

// judge reads the only operation of a document and returns its cost.
func judge(s *limits.Schema, text string, variables map[string]any) (int, string) {
	doc, errs := s.Read(text)
	if len(errs) > 0 {
		return 0, errs[0].Message
	}

	cost, err := s.Cost(doc.Operations[0], variables)
	if err != nil {
		return 0, err.Message
	}

	return cost, ""
}

func hostile() map[string]struct{ text, refusal string } {
	type c = struct{ text, refusal string }

	return map[string]c{
		"repeated field":       {user(strings.Repeat("name ", 4900)), "A level of the document has more than 30 aliased or repeated fields."},
		"aliases":              {user(many(31, "a#: name ")), "A level of the document has more than 30 aliased or repeated fields."},
		"aliases by fragments": {user(many(40, "...F# ")) + many(40, "fragment F# on User { a#: name } "), "A level of the document has more than 30 aliased or repeated fields."},
		"unknown fields":       {user(many(4900, "name# ")), `Cannot query field "name0"`},
		"unknown arguments":    {"{ video(" + many(1600, "id#: 1 ") + ") { id } }", `Unknown argument "id0"`},
		"unknown input fields": {"mutation { updateVideo(id: 1, input: {" + many(1600, "name#: 1 ") + "}) { video { id } } }", `Field "name0" is not defined`},
		"spreads":              {user(strings.Repeat("...F ", 2000)) + " fragment F on User { name }", "A level of the document has more than 100 fragments."},
		"inline fragments":     {user(strings.Repeat("...{name} ", 1200)), "A level of the document has more than 100 fragments."},
		"doubling fragments":   {user("...F0") + chain(400, " fragment F# on User { ...F+ ...F+ }") + " fragment F400 on User { id }", "A level of the document has more than 100 fragments."},
		"doubling through fields": {
			"{ video(id: 1) { a: creator { ...F0 } } } " + chain(13, "fragment F# on Viewer { a: user { ...F+ } b: user { ...F+ } } ") + "fragment F13 on User { id }",
			"The document asks for more than 10000 fields.",
		},
		"ring":           {user("...A") + " fragment A on User { ...B } fragment B on User { ...A }", "The fragment A includes itself."},
		"ring of one":    {user("...A") + " fragment A on User { id ...A }", "The fragment A includes itself."},
		"unused ring":    {user("id") + " fragment A on User { ...A }", "The fragment A includes itself."},
		"deep":           {"{" + nested(16, "a{", "b", "}") + "}", "The operation is nested deeper than 15 levels."},
		"very deep":      {"{" + nested(1600, "a{", "b", "}") + "}", "exceeded maximum nesting depth"},
		"deep fragments": {user("id") + chain(400, " fragment F# on __Type { ofType { ...F+ } }") + " fragment F400 on __Type { name }", "The fragment F"},
		"deep value":     {"{ videos(tagIds: " + nested(999, "[", "1", "]") + ") { totalCount } }", "ID cannot represent"},
		"long string":    {`{ video(id: "` + strings.Repeat("x", 1<<20) + `") { id } }`, "The document is longer than 65536 bytes."},
		"block string":   {`{ video(id: """` + strings.Repeat("x\n ", 20<<10) + `""") { id } }`, ""},
		"no UTF-8":       {`{ video(id: """` + strings.Repeat("\xdc", 3<<10) + `""") { id } }`, "The document is not valid UTF-8."},
		"escapes":        {`{ video(id: "` + strings.Repeat(`\u00e9`, 10<<10) + `") { id } }`, ""},
		"comments":       {strings.Repeat("#\n", 30<<10) + user("id"), "The document has more than 5000 tokens."},
		"commas":         {strings.Repeat(",", 60<<10) + user("id"), ""},
		"long name":      {user(strings.Repeat("x", 257)), "The document has a name of more than 256 characters."},
		"variables":      {"query(" + many(1200, "$v#: Int ") + ") " + user("id"), `Variable "$v0" is never used.`},
		"operations":     {many(600, "query Q# "+user("id")), "The document has more than 5000 tokens."},
		"unused fragments": {
			user("id") + many(700, " fragment F# on User { id }"),
			`Fragment "F0" is never used.`,
		},
		"directives":      {user("id " + strings.Repeat("@include(if: true) ", 700)), `The directive "@include" can only be used once`},
		"merging":         {"{ " + strings.Repeat("viewer { "+strings.Repeat("user { id } ", 30)+"} ", 30) + "}", ""},
		"merging by name": {"{ videos { nodes { " + many(90, "...F# ") + "} } } " + many(90, "fragment F# on Video { id name description createdAt updatedAt views revision dimensions{width height} chapters{id title}} "), "The operation has a complexity of "},
		"schema":          {"{ __schema { " + many(30, "a#: types { fields { type { fields { "+many(10, "b#: name ")+"} } } } ") + "} }", "The operation asks for more than 800000 fields of the schema. Ask for fewer."},
		"page":            {"{ videos(first: 2147483647) { nodes { exports(first: 2147483647) { nodes { id } } } } }", "The operation has a complexity of over 2000000000"},
		"empty":           {"", "The document has no operation."},
		"only a fragment": {"fragment F on User { id }", "The document has no operation."},
	}
}

func TestHostileDocumentsAreRefusedWithLittleWork(t *testing.T) {
	t.Parallel()

	s := product()

	for name, c := range hostile() {
		doc, errs := s.Read(c.text)
		if doc != nil {
			require.LessOrEqual(t, doc.Work(), limits.MaxTokens+2*limits.MaxComplexity, name)
		}

		require.LessOrEqual(t, len(errs), 20, name)

		_, refusal := judge(s, c.text, nil)
		if c.refusal == "" {
			require.Empty(t, refusal, name)
		}

		require.True(t, strings.HasPrefix(refusal, c.refusal), "%s: %s", name, refusal)
	}
}

func BenchmarkHostile(b *testing.B) {
	s := product()

	for name, c := range hostile() {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				judge(s, c.text, nil)
			}
		})
	}
}

func TestLimitsAreExact(t *testing.T) {
	t.Parallel()

	s := product()
	wide := func(n int) string { return user(many(n, "a#: name ")) }
	tokens := func(n int) string { return user("id " + strings.Repeat("#\n", n-9)) } // 9 without comments

	for _, text := range []string{wide(30), tokens(limits.MaxTokens), user("id" + strings.Repeat(" ...{id}", 100))} {
		_, refusal := judge(s, text, nil)
		require.Empty(t, refusal)
	}

	for _, text := range []string{wide(31), tokens(limits.MaxTokens + 1), user("id" + strings.Repeat(" ...{id}", 101))} {
		_, refusal := judge(s, text, nil)
		require.NotEmpty(t, refusal)
	}

	_, refusal := judge(s, "{"+nested(14, "a{", "b", "}")+"}", nil) // 15 levels
	require.Contains(t, refusal, "Cannot query field")
}

func TestCost(t *testing.T) {
	t.Parallel()

	s := product()

	for text, want := range map[string]int{
		"{ __typename }":                   0,
		user("email"):                      3,
		"{ videos { nodes { id name } } }": 1 + 20*3,
		"{ videos(first: 5) { nodes { id } pageInfo { endCursor } } }":                                           1 + 5*2 + 2,
		"{ videos(first: 5) { edges { cursor node { id } } } }":                                                  1 + 5*4,
		"{ videos(first: 5) { ...P } } fragment P on VideoConnection { nodes { id } }":                           1 + 5*2,
		"{ videos(first: 5) { totalCount } }":                                                                    1 + 100,
		"{ videos(first: 5) { a: totalCount ...C } } fragment C on VideoConnection { totalCount }":               1 + 101, // one scan of the workspace
		"{ videos(first: 5) { nodes { exports(first: 3) { nodes { id } totalCount } } } }":                       1 + 5*(1+1+3*2+1),
		"{ tags(first: 5) { nodes { id } totalCount } }":                                                         1 + 5*2 + 100,
		"{ videos(first: 50) { nodes { tags(first: 5) { nodes { id } totalCount } } } }":                         1 + 50*(1+1+5*2+1),
		"{ playlists(first: 2) { nodes { videos(first: 3) { totalCount } } } }":                                  1 + 2*(1+1+1),
		"query ($n: Int!) { videos(first: $n) { nodes { id } } }":                                                1 + 7*2,
		"query ($m: Int! = 4) { videos(first: $m) { nodes { id } } }":                                            1 + 4*2,
		"{ video(id: 1) { chapters { title } } }":                                                                1 + 1 + 10*1,
		"{ video(id: 1) { timeline { clips { effects { zooms { id scale } sounds: soundEffects { id } } } } } }": 1 + 1 + 1 + 10*(1+1+4*2+1+4*1),
		"{ __schema { types { name } } }":                                                                        0,
	} {
		cost, refusal := judge(s, text, map[string]any{"n": json.Number("7"), "m": int64(4)})
		require.Empty(t, refusal, text)
		require.Equal(t, want, cost, text)
	}

	// For an interface or a union, the most expensive type counts.
	all := `... on Layout { id startTimeMs durationMs base } ... on Zoom { id startTimeMs durationMs scale } ... on Mask { id startTimeMs durationMs intensity }
		... on MediaOverlay { id startTimeMs durationMs name } ... on TextOverlay { id startTimeMs durationMs text } ... on SoundEffect { id startTimeMs durationMs volume }`

	for text, want := range map[string]int{
		"{ video(id: 1) { clips(first: 10) { nodes { id effects(first: 50) { nodes { " + all + " } } } } } }":                                                                       2532,
		"{ clip(id: 1) { effects(first: 50) { nodes { ...E } } } } fragment E on Effect { " + all + " }":                                                                            1 + 1 + 50*5,
		"{ node(id: 1) { id ... on Video { name } ... on Tag { name color } } }":                                                                                                    1 + 3,
		"{ node(id: 1) { ... on Node { id ... on Video { clips(first: 2) { nodes { id } } } } ... on Tag { name color } } }":                                                        1 + 1 + 1 + 2*2,
		"{ node(id: 1) { ...N ...V } } fragment N on Node { id } fragment V on Video { name ...N }":                                                                                 1 + 1 + 2,
		"mutation { addEffect(clipId: 1, input: {zoom: {type: MANUAL_ZOOM, startTimeMs: 0, durationMs: 1, scale: 1}}) { effect { ... on Zoom { id scale } ... on Mask { id } } } }": 1 + 1 + 2,
		"{ clip(id: 1) { effects(first: 5) { edges { cursor node { __typename ... on Zoom { id } ... on Mask { id intensity } } } } } }":                                            1 + 1 + 5*(1+1+1+2),
	} {
		cost, refusal := judge(s, text, nil)
		require.Empty(t, refusal, text)
		require.Equal(t, want, cost, text)
	}

	_, refusal := judge(s, "{ videos(first: 100) { nodes { exports(first: 100) { nodes { id } } } } }", nil)
	require.Equal(t, "The operation has a complexity of 20201, which is more than 10000. Ask for smaller pages or for fewer fields.", refusal)
}

func TestIntrospectionOfTools(t *testing.T) {
	t.Parallel()

	query, err := os.ReadFile("testdata/introspection.graphql")
	require.NoError(t, err)

	cost, refusal := judge(product(), string(query), nil)
	require.Empty(t, refusal)
	require.Zero(t, cost)
}
