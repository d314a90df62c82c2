// Package graphiql serves GraphiQL at /graphiql. The binary contains GraphiQL and React as published, and a page of
// our own. The page uses the browser's session, opens the tabs that are defined in tabs/, and loads nothing from
// other servers.
package graphiql

import (
	"bytes"
	"embed"
	"encoding/json"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strings"

	"github.com/reelgraph/reelgraph/web"
	"github.com/reelgraph/reelgraph/web/static"
)

// files are the minified distributions, which vendor.sh fetches and checks, and our own page.
//
//go:embed assets tabs page.html page.css page.js
var files embed.FS

// policy lets the page load its own files and talk to its own server. GraphiQL's fonts and icons are in its style
// sheet, and the editor sets the sizes of its panes with inline styles.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const prefix = "/graphiql/assets/"

// Handler serves /graphiql and its files. It passes requests for other paths below /graphiql to the handler
// "otherwise".
func Handler(otherwise http.Handler) http.Handler {
	assets := map[string]static.File{} // by address
	addresses := map[string]string{}

	add := func(name string, f static.File) {
		assets[f.Address] = f
		addresses[name] = f.Address
	}
	font := web.Inter(prefix)
	add("inter.woff2", font)
	add("tokens.css", web.Tokens(prefix))
	add("tabs.json", static.At(prefix, "tabs.json", readyTabs()))

	for _, name := range []string{
		"assets/graphiql.min.css", "assets/graphiql.min.js", "assets/react.production.min.js",
		"assets/react-dom.production.min.js", "assets/graphiql.LICENSE", "assets/react.LICENSE", "page.css", "page.js",
	} {
		content := bytes.ReplaceAll(read(name), []byte(`url("inter.woff2")`), []byte(`url("`+font.Address+`")`))
		add(path.Base(name), static.At(prefix, name, content))
	}

	page := pageOf(addresses)

	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, known := assets[r.URL.Path]

		switch {
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "GraphiQL supports only GET and HEAD.", http.StatusMethodNotAllowed)
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

func read(name string) []byte {
	content, err := files.ReadFile(name)
	if err != nil {
		panic(err) // the embedded file has another name
	}

	return content
}

// tab is a tab that GraphiQL shows when it is opened for the first time.
type tab struct {
	Query     string `json:"query"`
	Variables string `json:"variables"` // $VIDEO, $CLIP and $EXPORT are replaced by the ids of the person's newest ones
}

// readyTabs returns the tabs in the folder tabs, in the order of their names, as JSON.
func readyTabs() []byte {
	names, err := fs.Glob(files, "tabs/*.graphql")
	if err != nil {
		panic(err) // the pattern is a constant
	}

	all := make([]tab, len(names))
	for i, name := range names {
		all[i] = tab{string(read(name)), string(read(strings.TrimSuffix(name, ".graphql") + ".json"))}
	}

	text, err := json.Marshal(all)
	if err != nil {
		panic(err) // encoding two strings cannot fail
	}

	return text
}

func pageOf(addresses map[string]string) static.File {
	var b bytes.Buffer

	t := template.Must(template.New("page").Funcs(template.FuncMap{
		"asset": func(name string) string { return addresses[name] },
	}).Parse(string(read("page.html"))))
	if err := t.Execute(&b, nil); err != nil {
		panic(err) // the template is a constant
	}

	return static.New(b.Bytes(), "text/html; charset=utf-8")
}
