// Package docs serves the pages that answers point to: what an error code means, and how versions go.
package docs

import (
	_ "embed"
	"net/http"
	"strconv"
)

//go:embed errors.html
var errorsPage []byte

//go:embed versioning.html
var versioningPage []byte

// Handler serves /docs/errors and /docs/versioning, and otherwise answers other pages.
func Handler(otherwise http.Handler) http.Handler {
	pages := map[string][]byte{"/docs/errors": errorsPage, "/docs/versioning": versioningPage}

	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, known := pages[r.URL.Path]
		if !known || r.Method != http.MethodGet && r.Method != http.MethodHead {
			otherwise.ServeHTTP(w, r)

			return
		}

		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Length", strconv.Itoa(len(page)))
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "public, max-age=3600")

		_, _ = w.Write(page) // a reader who is gone cannot be told
	})
}
