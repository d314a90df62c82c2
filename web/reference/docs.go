// Package reference serves what people and programs read about the product before they use it: the front
// page, the reference of the API with its description in OpenAPI, what an error code means, how versions
// go, and where to report a weakness. Everything a page needs is in the page.
package reference

import (
	_ "embed"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/reelgraph/reelgraph/rest"
	"github.com/reelgraph/reelgraph/web/static"
)

var (
	//go:embed errors.html
	errorsPage string
	//go:embed favicon.ico
	favicon []byte
	//go:embed index.html
	indexPage string
	//go:embed llms.txt
	llmsText string
	//go:embed versioning.html
	versioningPage string
)

const (
	htmlType  = "text/html; charset=utf-8"
	plainType = "text/plain; charset=utf-8"
	jsonType  = "application/json"
	yamlType  = "application/yaml"
)

const securityPath = "/.well-known/security.txt"

// paths are those of Handler.
var paths = []string{
	"/", "/docs", "/docs/errors", "/docs/versioning", "/favicon.ico", "/llms.txt", "/openapi.json", "/openapi.yaml", securityPath,
}

// Handler serves the pages of a server at that address, and otherwise answers other paths. What is made
// from the API is made when it is first asked for.
func Handler(baseURL string, otherwise http.Handler) http.Handler {
	made := sync.OnceValues(func() (map[string]static.File, error) { return texts(baseURL) })

	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !slices.Contains(paths, r.URL.Path) || r.Method != http.MethodGet && r.Method != http.MethodHead {
			otherwise.ServeHTTP(w, r)

			return
		}

		if r.URL.Path == securityPath {
			send(w, r, file(plainType, security(time.Now(), baseURL)))

			return
		}

		all, err := made()
		if err != nil {
			panic(fmt.Sprintf("docs: %v", err)) // answered and logged like every panic; a test makes sure of it
		}

		send(w, r, all[r.URL.Path])
	})
}

func texts(baseURL string) (map[string]static.File, error) {
	document := rest.Describe(baseURL)

	asJSON, err := document.JSON()
	if err != nil {
		return nil, err
	}

	asYAML, err := document.YAML()
	if err != nil {
		return nil, err
	}

	page, err := reference(document)
	if err != nil {
		return nil, err
	}

	return map[string]static.File{
		"/":                file(htmlType, indexPage),
		"/docs":            file(htmlType, page),
		"/docs/errors":     file(htmlType, errorsPage),
		"/docs/versioning": file(htmlType, versioningPage),
		"/favicon.ico":     static.New(favicon, "image/vnd.microsoft.icon"),
		"/llms.txt":        file(plainType, strings.ReplaceAll(llmsText, "{base_url}", baseURL)+operations(document)),
		"/openapi.json":    file(jsonType, string(asJSON)),
		"/openapi.yaml":    file(yamlType, string(asYAML)),
	}, nil
}

func file(kind, body string) static.File { return static.New([]byte(body), kind) }

func send(w http.ResponseWriter, r *http.Request, f static.File) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*") // there is nothing secret here, and tools read it from other pages
	h.Set("Cache-Control", "public, no-cache")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; img-src data:")

	f.Serve(w, r)
}

// security is a security.txt of RFC 9116, which must say until when it holds.
func security(now time.Time, baseURL string) string {
	const valid = 180 * 24 * time.Hour

	return fmt.Sprintf("Contact: https://github.com/reelgraph/reelgraph/security/advisories/new\nExpires: %s\n"+
		"Preferred-Languages: en\nCanonical: %s/.well-known/security.txt\n",
		now.UTC().Add(valid).Truncate(24*time.Hour).Format(time.RFC3339), baseURL)
}
