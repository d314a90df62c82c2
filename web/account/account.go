// Package account serves the pages on which people get into the product: /welcome for the first owner, /invite for an
// invitation and /reset for a new password. The pages are static; their script talks to the graph. Tokens stand in the
// fragment of the address, which browsers do not send. Signing in is a form without a script, see package pages.
package account

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"sync"

	"github.com/reelgraph/reelgraph/web"
	"github.com/reelgraph/reelgraph/web/static"
)

//go:embed html assets
var files embed.FS

const prefix = "/account/"

// policy lets the pages load files from this server and talk to its graph only.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Roots lists the first path segments that Handler serves.
func Roots() []string { return []string{"welcome", "invite", "reset", "account"} }

// Options configure the pages.
type Options struct {
	SendsMail bool // a mail server is configured
}

// Handler serves the pages; other paths go to otherwise.
func Handler(o Options, otherwise http.Handler) http.Handler {
	made := sync.OnceValues(o.files)

	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		all, err := made()
		if err != nil {
			panic(fmt.Sprintf("account: %v", err)) // handled and logged like every panic; a test checks that it does not happen
		}

		f, known := all[r.URL.Path]

		switch {
		case !known:
			otherwise.ServeHTTP(w, r)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "Use GET.", http.StatusMethodNotAllowed)
		case f.Address != "":
			static.Forever(w.Header())
			f.Serve(w, r)
		default:
			h := w.Header()
			h.Set("Content-Security-Policy", policy)
			h.Set("Referrer-Policy", "no-referrer")
			h.Set("X-Robots-Tag", "noindex")
			h.Set("Cache-Control", "no-cache")
			f.Serve(w, r)
		}
	})
}

// files returns everything that is served, by path.
func (o Options) files() (map[string]static.File, error) {
	all, addresses := map[string]static.File{}, map[string]string{}
	add := func(name string, f static.File) { all[f.Address], addresses[name] = f, f.Address }

	font := web.Inter(prefix)
	add("inter.woff2", font)
	add("tokens.css", web.Tokens(prefix))

	for _, name := range []string{"account.css", "account.js"} {
		content, err := files.ReadFile("assets/" + name)
		if err != nil {
			return nil, fmt.Errorf("read an asset: %w", err)
		}

		add(name, static.At(prefix, name, []byte(strings.ReplaceAll(string(content), "inter.woff2", font.Address))))
	}

	pages, err := template.New("").Funcs(template.FuncMap{"asset": func(name string) string { return addresses[name] }}).
		ParseFS(files, "html/*.html")
	if err != nil {
		return nil, fmt.Errorf("read the pages: %w", err)
	}

	for name, title := range map[string]string{"welcome": "Set up Reelgraph", "invite": "Join a workspace", "reset": "Set a new password"} {
		var out bytes.Buffer
		if err := pages.ExecuteTemplate(&out, name+".html", map[string]any{"Title": title, "SendsMail": o.SendsMail}); err != nil {
			return nil, fmt.Errorf("write the page %s: %w", name, err)
		}

		all["/"+name] = static.New(out.Bytes(), "text/html; charset=utf-8")
	}

	return all, nil
}
