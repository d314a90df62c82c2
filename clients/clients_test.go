package clients_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/test/testkit/browser"
)

// client is a stock client, and what it has to read.
type client struct {
	name string

	// use runs it against a server and returns what each of its checks has read.
	use func(t *testing.T, w *world, api string) map[string]any

	// expect asks curl before the client runs, and what it returns asks curl after that.
	expect func(t *testing.T, w *world) func(read map[string]any) map[string]any

	// withheld is the field that it is used once without, and has to miss in every check.
	withheld string

	// says are the client's words when it notices that by itself; hides is true of a cache, which shows nothing or a part of
	// an answer that lacks something. Others read all that is left.
	says  string
	hides bool
}

// guess is what clients show until the server has renamed a video.
const guess = "a guess"

// all of them, in the order in which they take turns.
func all() []client {
	const noOffset = "invalid or missing offset value"

	return []client{
		{name: "tus-js-client in Node", use: script("tus/node.mjs"), expect: uploads, withheld: "Upload-Offset", says: noOffset},
		{name: "tus-js-client in Chromium", use: page("tus"), expect: uploads, withheld: "Upload-Offset", says: noOffset},
		{name: "@uppy/tus in Chromium", use: page("uppy"), expect: upload, withheld: "Upload-Offset", says: noOffset},
		{name: "Relay", use: script("made/relay/walk.js"), expect: pages, withheld: "name"},
		{name: "Apollo Client", use: script("apollo/graph.mjs"), expect: graph, withheld: "name", hides: true},
		{name: "urql", use: script("urql/graph.mjs"), expect: graph, withheld: "name", hides: true},
		{name: "graphql-codegen", use: script("made/graphql-codegen/call.js"), expect: video, withheld: "name"},
		{name: "openapi-typescript", use: script("made/openapi-typescript/call.js"), expect: video, withheld: "name"},
		{name: "hey-api", use: script("made/hey-api/call.js"), expect: video, withheld: "name"},
		{name: "orval", use: script("made/orval/call.js"), expect: video, withheld: "name"},
		{name: "oapi-codegen", use: oapiCodegen, expect: video, withheld: "name"},
	}
}

// Every client reads what curl reads; and when the server withholds a field, that is found out in each of its checks.
func TestClients(t *testing.T) {
	t.Chdir("..")

	w := newWorld(t)
	if !t.Run("made", w.make) {
		t.FailNow()
	}

	w.chromium = browser.Open(t)

	for _, c := range all() { //nolint:paralleltest // they take turns with the videos that they rename
		t.Run(c.name, func(t *testing.T) {
			expected := c.expect(t, w)
			read := c.use(t, w, w.api)
			require.Equal(t, expected(read), read)

			checks := slices.Sorted(maps.Keys(read))
			missed := c.misses(t, w, checks)
			t.Logf("%s reads as curl does: %s. Each fails without %s: %s.", c.name, strings.Join(checks, ", "), c.withheld, missed)
		})
	}
}

// misses lets the client use a server that withholds a field, and returns how each of its checks fails.
func (c *client) misses(t *testing.T, w *world, checks []string) string {
	t.Helper()

	expected := c.expect(t, w)
	read := c.use(t, w, withhold(t, w.api, c.withheld))
	require.Equal(t, checks, slices.Sorted(maps.Keys(read)))

	if c.says != "" {
		for check, value := range read {
			failure, _ := value.(map[string]any)["error"].(string)
			require.Contains(t, failure, c.says, "%s: %v", check, value)
		}

		return "it says " + c.says
	}

	want := expected(read)
	for check := range want {
		require.NotEqual(t, want[check], read[check], check)
	}

	if !c.hides {
		require.Equal(t, without(want, c.withheld), read)

		return "it reads all but that"
	}

	require.Empty(t, named(read, "error"))
	shown := named(read, c.withheld)

	for _, value := range named(want, c.withheld) {
		if value != guess {
			require.NotContains(t, shown, value)
		}
	}

	return "it shows nothing of that"
}

// video is one, with the fields that curl reads too.
func video(t *testing.T, w *world) func(map[string]any) map[string]any {
	t.Helper()

	return func(map[string]any) map[string]any {
		return map[string]any{"video": w.video(t, 0, "id", "name", "durationSeconds", "dimensions")}
	}
}

// pages are all videos, by two.
func pages(t *testing.T, w *world) func(map[string]any) map[string]any {
	t.Helper()

	videos, lengths := w.list(t), []any{}
	for n := 2; n < len(videos)+2; n += 2 {
		lengths = append(lengths, float64(min(n, len(videos))))
	}

	return func(map[string]any) map[string]any {
		return map[string]any{"pages": map[string]any{"lengths": lengths, "videos": videos}}
	}
}

// graph is pages, an optimistic update of one video and a subscription to another: both are renamed.
func graph(t *testing.T, w *world) func(map[string]any) map[string]any {
	t.Helper()

	walked := pages(t, w)
	one, other := w.video(t, 0, "name"), w.video(t, 1, "name", "revision")

	return func(read map[string]any) map[string]any {
		all := walked(read)
		all["optimistic"] = []any{one, map[string]any{"name": guess}, w.video(t, 0, "name")}
		all["subscription"] = []any{other, w.video(t, 1, "name", "revision")}

		return all
	}
}

// upload is one of the file: whatever source it became, that is the file.
func upload(t *testing.T, w *world) func(map[string]any) map[string]any {
	t.Helper()

	return func(read map[string]any) map[string]any {
		bytes := w.kept(t, sourceOf(t, read, "upload"))["bytes"]

		return map[string]any{"upload": map[string]any{
			"source": sourceOf(t, read, "upload"), "accepted": bytes, "total": bytes,
		}}
	}
}

// uploads are four of the file: in two goes, to an address that the client made and to one that the API made, with the first
// chunk in the request that makes it, and as two parts side by side.
func uploads(t *testing.T, w *world) func(map[string]any) map[string]any {
	t.Helper()

	return func(read map[string]any) map[string]any {
		const chunk = 128 << 10

		source := func(check string) map[string]any { return w.kept(t, sourceOf(t, read, check)) }
		inTwoGoes := func(check, first string) map[string]any {
			s := source(check)

			return map[string]any{
				"source": s["id"], "requests": first + " HEAD" + strings.Repeat(" PATCH", after(s, chunk)),
				"stoppedAt": float64(chunk), "accepted": s["bytes"], "total": s["bytes"],
			}
		}
		together := source("together")

		return map[string]any{
			"address":  inTwoGoes("address", "HEAD PATCH"),
			"creation": inTwoGoes("creation", "POST PATCH"),
			"together": map[string]any{"source": together["id"], "requests": "POST" + strings.Repeat(" PATCH", after(together, chunk))},
			"parallel": map[string]any{"source": source("parallel")["id"], "made": 3.0}, // the parts, and what they become
		}
	}
}

// after is how many chunks of a source come after its first one.
func after(source map[string]any, chunk int) int { return (int(source["bytes"].(float64)) - 1) / chunk }

func sourceOf(t *testing.T, read map[string]any, check string) string {
	t.Helper()

	of, _ := read[check].(map[string]any)
	id, ok := of["source"].(string)
	require.True(t, ok, "%s: %v", check, read[check])

	return id
}
