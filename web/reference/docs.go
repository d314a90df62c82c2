// Package reference serves the front page, the API reference, the OpenAPI description, and the security contact. Its
// pages load nothing from other servers. Start with Handler. reference.go renders the pages from the templates in
// html/.
package reference

import (
	"embed"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/reelgraph/reelgraph/rest"
	"github.com/reelgraph/reelgraph/web"
	"github.com/reelgraph/reelgraph/web/static"
)

var (
	//go:embed favicon.ico
	favicon []byte
	//go:embed llms.txt
	llmsText string
	//go:embed assets
	assets embed.FS
)

const (
	htmlType  = "text/html; charset=utf-8"
	plainType = "text/plain; charset=utf-8"
	jsonType  = "application/json"
	yamlType  = "application/yaml"
)

const (
	securityPath = "/.well-known/security.txt"
	prefix       = "/docs/assets/"
)

// policy lets pages load files from this server only.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Handler serves the pages of a server with the given address. It passes requests for other paths to the handler
// "otherwise". Pages that are generated from the API's description are generated on the first request.
func Handler(baseURL string, otherwise http.Handler) http.Handler {
	made := sync.OnceValues(func() (map[string]static.File, error) { return files(baseURL) })

	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !ours(r.URL.Path) || r.Method != http.MethodGet && r.Method != http.MethodHead {
			otherwise.ServeHTTP(w, r)

			return
		}

		if r.URL.Path == securityPath {
			send(w, r, file(plainType, security(time.Now(), baseURL)))

			return
		}

		all, err := made()
		if err != nil {
			panic(fmt.Sprintf("docs: %v", err)) // handled and logged like every panic; a test checks that it does not happen
		}

		f, known := all[r.URL.Path]

		switch {
		case !known:
			otherwise.ServeHTTP(w, r)
		case f.Address != "":
			static.Forever(w.Header())
			f.Serve(w, r)
		default:
			send(w, r, f)
		}
	})
}

// ours reports whether a path may be one of Handler's.
func ours(path string) bool {
	switch path {
	case "/", "/docs", "/favicon.ico", "/llms.txt", "/openapi.json", "/openapi.yaml", securityPath:
		return true
	default:
		return strings.HasPrefix(path, "/docs/")
	}
}

// files returns everything that is served, by path, except the security contact.
func files(baseURL string) (map[string]static.File, error) {
	document := rest.Describe(baseURL)

	asJSON, err := document.JSON()
	if err != nil {
		return nil, err
	}

	asYAML, err := document.YAML()
	if err != nil {
		return nil, err
	}

	all := map[string]static.File{
		"/favicon.ico":  static.New(favicon, "image/vnd.microsoft.icon"),
		"/llms.txt":     file(plainType, strings.ReplaceAll(llmsText, "{base_url}", baseURL)+operations(document)),
		"/openapi.json": file(jsonType, string(asJSON)),
		"/openapi.yaml": file(yamlType, string(asYAML)),
	}

	addresses := map[string]string{}
	add := func(name string, f static.File) {
		all[f.Address] = f
		addresses[name] = f.Address
	}

	font := web.Inter(prefix)
	add("inter.woff2", font)
	add("tokens.css", web.Tokens(prefix))

	for _, name := range []string{"docs.css", "docs.js"} {
		content, err := assets.ReadFile("assets/" + name)
		if err != nil {
			return nil, fmt.Errorf("read an asset of the reference: %w", err)
		}

		add(name, static.At(prefix, name, []byte(strings.ReplaceAll(string(content), "inter.woff2", font.Address))))
	}

	b, err := newBuilder(document, baseURL, addresses)
	if err != nil {
		return nil, err
	}

	pages, err := b.pages()
	if err != nil {
		return nil, err
	}

	found, err := index(document, b.chapters, pages)
	if err != nil {
		return nil, err
	}

	add("search.json", static.At(prefix, "search.json", found))

	for _, p := range pages {
		whole, err := b.whole(p)
		if err != nil {
			return nil, err
		}

		all[p.Address] = file(htmlType, whole)
	}

	front, err := b.execute("front", nil)
	if err != nil {
		return nil, err
	}

	all["/"] = file(htmlType, front)

	return all, nil
}

func file(kind, body string) static.File { return static.New([]byte(body), kind) }

func send(w http.ResponseWriter, r *http.Request, f static.File) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*") // nothing here is secret, and tools on other pages read it
	h.Set("Cache-Control", "public, no-cache")
	h.Set("Content-Security-Policy", policy)

	f.Serve(w, r)
}

// security returns a security.txt of RFC 9116, which must have an expiry date.
func security(now time.Time, baseURL string) string {
	const valid = 180 * 24 * time.Hour

	return fmt.Sprintf("Contact: https://github.com/reelgraph/reelgraph/security/advisories/new\nExpires: %s\n"+
		"Preferred-Languages: en\nCanonical: %s/.well-known/security.txt\n",
		now.UTC().Add(valid).Truncate(24*time.Hour).Format(time.RFC3339), baseURL)
}
