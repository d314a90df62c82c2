// Package graphiql serves the graph's editor at /graphiql: GraphiQL and React as their authors publish
// them, and a page of our own, all from this binary. The page asks nobody else for anything.
package graphiql

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"
	"path"

	"github.com/reelgraph/reelgraph/web/static"
)

// The minified distributions, as vendor.sh fetches and checks them, and what is our own.
//
//go:embed assets page.html page.css page.js
var files embed.FS

// policy lets the page load its own files and talk to its own server. Fonts and icons are inside the
// style sheet; the editor sets the sizes of its panes as inline styles.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src data:; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const prefix = "/graphiql/assets/"

// Handler serves /graphiql and its files. What else is asked for below it is for otherwise to answer.
func Handler(otherwise http.Handler) http.Handler {
	assets := map[string]static.File{} // by address
	addresses := map[string]string{}

	for _, name := range []string{
		"assets/graphiql.min.css", "assets/graphiql.min.js", "assets/react.production.min.js",
		"assets/react-dom.production.min.js", "assets/graphiql.LICENSE", "assets/react.LICENSE", "page.css", "page.js",
	} {
		a := newAsset(name)
		assets[a.Address] = a
		addresses[path.Base(name)] = a.Address
	}

	page := pageOf(addresses)

	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, known := assets[r.URL.Path]

		switch {
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "GraphiQL is only read.", http.StatusMethodNotAllowed)
		case known:
			static.Forever(w.Header())
			a.Serve(w, r)
		case r.URL.Path == "/graphiql":
			h := w.Header()
			h.Set("Content-Security-Policy", policy)
			h.Set("Cross-Origin-Opener-Policy", "same-origin")
			h.Set("Referrer-Policy", "no-referrer")
			h.Set("Cache-Control", "no-cache")
			page.Serve(w, r)
		case r.URL.Path == "/graphiql/":
			http.Redirect(w, r, "/graphiql", http.StatusMovedPermanently)
		default:
			otherwise.ServeHTTP(w, r)
		}
	})
}

func newAsset(name string) static.File {
	content, err := files.ReadFile(name)
	if err != nil {
		panic(err) // embedded under another name
	}

	return static.At(prefix, name, content)
}

func pageOf(addresses map[string]string) static.File {
	text, err := files.ReadFile("page.html")
	if err != nil {
		panic(err) // embedded under another name
	}

	var b bytes.Buffer

	t := template.Must(template.New("page").Funcs(template.FuncMap{
		"asset": func(name string) string { return addresses[name] },
	}).Parse(string(text)))
	if err := t.Execute(&b, nil); err != nil {
		panic(err) // the template is a constant
	}

	return static.New(b.Bytes(), "text/html; charset=utf-8")
}
