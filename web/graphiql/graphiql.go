// Package graphiql serves the graph's editor at /graphiql: GraphiQL and React as their authors publish
// them, and a page of our own, all from this binary. The page asks nobody else for anything.
package graphiql

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"html/template"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"
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

// asset is a file that never changes under its address.
type asset struct {
	address, kind, etag string
	content             []byte
	packed              func() []byte
}

// Handler serves /graphiql and everything below it.
func Handler() http.Handler {
	assets := map[string]asset{} // by address
	addresses := map[string]string{}

	for _, name := range []string{
		"assets/graphiql.min.css", "assets/graphiql.min.js", "assets/react.production.min.js",
		"assets/react-dom.production.min.js", "assets/graphiql.LICENSE", "assets/react.LICENSE", "page.css", "page.js",
	} {
		a := newAsset(name)
		assets[a.address] = a
		addresses[path.Base(name)] = a.address
	}

	page := pageOf(addresses)

	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, known := assets[r.URL.Path]

		switch {
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "GraphiQL is only read.", http.StatusMethodNotAllowed)
		case known:
			w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
			a.serve(w, r)
		case r.URL.Path == "/graphiql":
			h := w.Header()
			h.Set("Content-Security-Policy", policy)
			h.Set("Cross-Origin-Opener-Policy", "same-origin")
			h.Set("Referrer-Policy", "no-referrer")
			h.Set("Cache-Control", "no-cache")
			page.serve(w, r)
		case r.URL.Path == "/graphiql/":
			http.Redirect(w, r, "/graphiql", http.StatusMovedPermanently)
		default:
			http.NotFound(w, r)
		}
	})
}

func newAsset(name string) asset {
	content, err := files.ReadFile(name)
	if err != nil {
		panic(err) // embedded under another name
	}

	kind := mime.TypeByExtension(path.Ext(name))
	if kind == "" {
		kind = "text/plain; charset=utf-8"
	}

	a := newContent(content, kind)
	a.address = prefix + strings.Trim(a.etag, `"`) + "/" + path.Base(name)

	return a
}

func pageOf(addresses map[string]string) asset {
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

	return newContent(b.Bytes(), "text/html; charset=utf-8")
}

func newContent(content []byte, kind string) asset {
	sum := sha256.Sum256(content)

	return asset{
		kind: kind, etag: `"` + hex.EncodeToString(sum[:8]) + `"`, content: content,
		packed: sync.OnceValue(func() []byte { return pack(content) }),
	}
}

// pack compresses a file when it is first asked for: most of a megabyte of script never is.
func pack(content []byte) []byte {
	var b bytes.Buffer

	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // a level there is
	_, _ = w.Write(content)                               // a buffer takes everything
	_ = w.Close()

	return b.Bytes()
}

func (a asset) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", a.kind)
	h.Set("ETag", a.etag)
	h.Set("Vary", "Accept-Encoding")
	h.Set("X-Content-Type-Options", "nosniff")

	if strings.Contains(r.Header.Get("If-None-Match"), a.etag) {
		w.WriteHeader(http.StatusNotModified)

		return
	}

	content := a.content

	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		content = a.packed()
		h.Set("Content-Encoding", "gzip")
	}

	if r.Method == http.MethodHead {
		return
	}

	_, _ = w.Write(content) // whoever no longer reads needs no answer
}
