package clients_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/test/testkit/browser"
)

// client is a stock client and what it has to read.
type client struct {
	name string

	// use runs the client against a server and returns what each of its checks read.
	use func(t *testing.T, w *world, api string) map[string]any

	// expect queries curl before the client runs. The function it returns queries curl afterwards.
	expect func(t *testing.T, w *world) func(read map[string]any) map[string]any

	// withheld is a field that is withheld in a second run. Every check must then fail.
	withheld string

	// says is the client's own error when a field is missing. hides marks a client with a cache, which shows nothing or
	// only part of an incomplete answer. Other clients read everything else.
	says  string
	hides bool
}

// guess is the optimistic value that clients show until the server has renamed a video.
const guess = "a guess"

// all returns the clients in the order they run.
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

// Every client reads what curl reads. When the server withholds a field, each of its checks fails.
func TestClients(t *testing.T) {
	t.Chdir("..")

	w := newWorld(t)
	if !t.Run("made", w.make) {
		t.FailNow()
	}

	w.chromium = browser.Open(t)

	for _, c := range all() { //nolint:paralleltest // they rename the same videos
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

// misses runs the client against a server that withholds a field, and returns how each check fails.
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

		return "it reads everything else"
	}

	require.Empty(t, named(read, "error"))
	shown := named(read, c.withheld)

	for _, value := range named(want, c.withheld) {
		if value != guess {
			require.NotContains(t, shown, value)
		}
	}

	return "it shows nothing"
}

// video expects one video with the fields that curl reads.
func video(t *testing.T, w *world) func(map[string]any) map[string]any {
	t.Helper()

	return func(map[string]any) map[string]any {
		return map[string]any{"video": w.video(t, 0, "id", "name", "durationSeconds", "dimensions")}
	}
}

// pages expects all videos, in pages of two.
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

// graph expects pages, an optimistic update of one video and a subscription to another; both are renamed.
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

// upload expects an upload of the file, whatever its source id.
func upload(t *testing.T, w *world) func(map[string]any) map[string]any {
	t.Helper()

	return func(read map[string]any) map[string]any {
		bytes := w.kept(t, sourceOf(t, read, "upload"))["bytes"]

		return map[string]any{"upload": map[string]any{
			"source": sourceOf(t, read, "upload"), "accepted": bytes, "total": bytes,
		}}
	}
}

// uploads expects four uploads of the file: in two sessions to an address created by the client and to one created by
// the API, with the first chunk in the creating request, and as two parallel parts.
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
			"parallel": map[string]any{"source": source("parallel")["id"], "made": 3.0}, // two parts and the joined upload
		}
	}
}

// after returns how many chunks of a source follow its first one.
func after(source map[string]any, chunk int) int { return (int(source["bytes"].(float64)) - 1) / chunk }

func sourceOf(t *testing.T, read map[string]any, check string) string {
	t.Helper()

	of, _ := read[check].(map[string]any)
	id, ok := of["source"].(string)
	require.True(t, ok, "%s: %v", check, read[check])

	return id
}
