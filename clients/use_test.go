package clients_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/test/testkit/browser"
)

// Folders of the clients, of generated files, and of the Go client.
const (
	folder     = "clients"
	made       = folder + "/made"
	inGo       = folder + "/oapi-codegen"
	openapi    = made + "/openapi.json"
	oneAddress = "http://127.0.0.1:8080"
)

// make generates code from what the server publishes and compiles it.
func (w *world) make(t *testing.T) {
	require.NoError(t, os.RemoveAll(made))
	require.NoError(t, os.MkdirAll(made+"/relay", 0o755)) // Relay's compiler does not create it

	// The compilers recognize a schema by its file extension.
	schema := curl(t, w.api+"/graphql/schema.graphqls")
	require.NoError(t, os.WriteFile(made+"/schema.graphql", schema, 0o644))

	// The address is always the same, so that compiled code is cached.
	description := curl(t, w.api+"/openapi.json")
	require.NoError(t, os.WriteFile(openapi, []byte(strings.ReplaceAll(string(description), w.api, oneAddress)), 0o644))

	t.Run("in Go", func(t *testing.T) {
		t.Parallel()

		require.NoError(t, os.MkdirAll(inGo+"/api", 0o755))

		source := output(t, inGo, "go", "tool", "oapi-codegen", "-package", "api", "../made/openapi.json")
		require.NoError(t, os.WriteFile(inGo+"/api/api.gen.go", source, 0o644))
		output(t, inGo, "go", "build", "-buildvcs=false", "-o", "../made/oapi-codegen", ".")
	})

	t.Run("in TypeScript", func(t *testing.T) {
		t.Parallel()

		calls := []string{"graphql-codegen/call.ts", "openapi-typescript/call.ts", "hey-api/call.ts", "orval/call.ts"}

		w.tool(t, "relay-compiler", "relay/relay.config.json")
		w.tool(t, "graphql-codegen", "--config", "graphql-codegen/codegen.json")
		w.tool(t, "openapi-typescript", "made/openapi.json", "-o", "made/openapi-typescript/api.ts")
		w.tool(t, "openapi-ts", "-i", "./made/openapi.json", "-o", "./made/hey-api")
		w.tool(t, "orval", "--input", "made/openapi.json", "--output", "made/orval/api.ts")

		w.tool(t, "tsc", append([]string{
			"--strict", "--noEmit", "--skipLibCheck", "--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler",
			"--lib", "es2022,dom,dom.iterable", "--types", "node",
		}, calls...)...)

		bundle := []string{"--bundle", "--format=esm", "--outbase=.", "--outdir=made", "--log-level=warning"}
		// axios loads Node modules in a way that cannot be bundled as ES modules.
		w.tool(t, "esbuild", append(append(calls, "relay/walk.mjs", "--platform=node", "--external:axios"), bundle...)...)
		w.tool(t, "esbuild", append([]string{"tus/page.mjs", "uppy/page.mjs"}, bundle...)...)
	})
}

// tool runs a program that npm installed.
func (w *world) tool(t *testing.T, name string, args ...string) {
	t.Helper()
	output(t, folder, w.node, append([]string{"node_modules/.bin/" + name}, args...)...)
}

// script is a client that runs in Node.
func script(path string) func(*testing.T, *world, string) map[string]any {
	return func(t *testing.T, w *world, api string) map[string]any {
		t.Helper()

		w.runs++ // each run needs a new name, or nothing is edited

		return object(t, outputWith(t, []string{
			"API=" + api, "KEY=" + w.key, "FILE=" + w.file, "VIDEO=" + w.videos[0], "OTHER=" + w.videos[1],
			fmt.Sprintf("NAME=Renamed in run %d", w.runs),
		}, folder, w.node, path))
	}
}

// oapiCodegen is the client that is a separate program.
func oapiCodegen(t *testing.T, w *world, api string) map[string]any {
	t.Helper()

	return object(t, output(t, ".", "./"+made+"/oapi-codegen", api, w.key, w.videos[0]))
}

// page is a client in Chromium, in a page of another origin than the API.
func page(name string) func(*testing.T, *world, string) map[string]any {
	return func(t *testing.T, w *world, api string) map[string]any {
		t.Helper()

		given := url.Values{"api": {api}, "key": {w.key}, "name": {recording}}
		tab := w.chromium.Fresh(t, w.pages.URL)
		tab.Do(chromedp.Navigate(w.pages.URL + "/" + name + "/?" + given.Encode()))

		select {
		case read := <-w.values:
			return object(t, read)
		case <-time.After(browser.Patience):
			require.Fail(t, "the page reported nothing", "%v", tab.Troubles())

			return nil
		}
	}
}

// servePages serves the clients' pages and receives their reports.
func (w *world) servePages(t *testing.T) {
	t.Helper()

	w.values = make(chan []byte, 1)

	routes := http.NewServeMux()
	routes.HandleFunc("GET /{client}/{$}", func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(rw, `<!doctype html><link rel="icon" href="data:,"><script type="module" src="page.js"></script>`)
	})
	routes.HandleFunc("GET /{client}/page.js", func(rw http.ResponseWriter, r *http.Request) {
		http.ServeFile(rw, r, filepath.Join(made, r.PathValue("client"), "page.js"))
	})
	routes.HandleFunc("GET /{client}/file", func(rw http.ResponseWriter, r *http.Request) { http.ServeFile(rw, r, w.file) })
	routes.HandleFunc("POST /{client}/values", func(_ http.ResponseWriter, r *http.Request) {
		if read, err := io.ReadAll(r.Body); err == nil {
			w.values <- read
		}
	})

	w.pages = httptest.NewServer(routes)
	t.Cleanup(w.pages.Close)
}
