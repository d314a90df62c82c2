package graph

import (
	"bytes"
	"net/http"

	"github.com/vektah/gqlparser/v2/formatter"

	"github.com/reelgraph/reelgraph/web/static"
)

//go:generate go run ./sdl ../docs/schema.graphqls

// SDL returns the whole schema as one file, in alphabetical order.
func SDL() []byte {
	var b bytes.Buffer

	formatter.NewFormatter(&b, formatter.WithIndent("  ")).FormatSchema(Schema())

	return b.Bytes()
}

// SDLHandler serves the whole schema as one file. It needs no authentication.
func SDLHandler() http.Handler {
	schema := static.New(SDL(), "text/plain; charset=utf-8") // browsers would download application/graphql

	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "public, no-cache")
		schema.Serve(w, r)
	})
}
