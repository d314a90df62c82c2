package graph

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"

	"github.com/vektah/gqlparser/v2/formatter"
)

//go:generate go run ./sdl ../docs/schema.graphqls

// SDL is the whole graph as one file, in alphabetical order.
func SDL() []byte {
	var b bytes.Buffer

	formatter.NewFormatter(&b, formatter.WithIndent("  ")).FormatSchema(Schema())

	return b.Bytes()
}

// SDLHandler serves the whole graph as one file, to anybody.
func SDLHandler() http.Handler {
	text := SDL()
	sum := sha256.Sum256(text)
	etag := `"` + hex.EncodeToString(sum[:8]) + `"`

	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("ETag", etag)
		h.Set("Cache-Control", "public, no-cache")
		h.Set("X-Content-Type-Options", "nosniff")

		if strings.Contains(r.Header.Get("If-None-Match"), etag) {
			w.WriteHeader(http.StatusNotModified)

			return
		}

		h.Set("Content-Type", "text/plain; charset=utf-8") // application/graphql would be downloaded
		_, _ = w.Write(text)                               // whoever no longer reads needs no answer
	})
}
