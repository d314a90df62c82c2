// Package studio serves the studio, the product in a browser: one page for all its addresses, whose script shows the
// screen and talks to the graph. It is written in TypeScript and React and built with Vite into the folder dist, which is
// committed, so that the server can be built without Node. README.md says how to add a screen.
package studio

import (
	"embed"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/reelgraph/reelgraph/web/static"
)

//go:generate sh build.sh

//go:embed dist
var dist embed.FS

const prefix = "/studio/"

// policy lets the page load files from this server and talk to it only. It frames the embed page of videos.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; " +
	"font-src 'self'; connect-src 'self'; worker-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Options configure the studio. Every field is required.
type Options struct {
	IsBrowser func(*http.Request) bool                        // whether a request wants a page
	SignedIn  func(*http.Request) (bool, error)               // whether the person is signed in
	Refuse    func(http.ResponseWriter, *http.Request, error) // responds to a request whose session cannot be read
}

// Roots lists the first path segments that Handler serves. The empty one is the path "/".
func Roots() []string {
	return []string{"", "videos", "playlists", "analytics", "activity", "settings", "studio"}
}

// Handler serves the page to browsers, and its files to everybody. A browser that is not signed in is sent to the page
// for signing in, and returns afterwards. Everything else goes to otherwise.
func Handler(o Options, otherwise http.Handler) http.Handler {
	made := sync.OnceValues(files)

	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		all, err := made()
		if err != nil {
			panic(fmt.Sprintf("studio: %v", err)) // handled and logged like every panic; a test checks that it does not happen
		}

		file, known := all[r.URL.Path]

		switch {
		case known && r.URL.Path != page && (r.Method == http.MethodGet || r.Method == http.MethodHead):
			static.Forever(w.Header())
			file.Serve(w, r)
		case isScreen(r.URL.Path) && o.IsBrowser(r):
			o.screen(w, r, all[page])
		default:
			otherwise.ServeHTTP(w, r)
		}
	})
}

// screen serves the page to a person who is signed in.
func (o Options) screen(w http.ResponseWriter, r *http.Request, document static.File) {
	h := w.Header()
	h.Add("Vary", "Accept, Cookie")

	signedIn, err := o.SignedIn(r)

	switch {
	case err != nil:
		o.Refuse(w, r, err)
	case !signedIn:
		h.Set("Cache-Control", "no-store")
		http.Redirect(w, r, "/sign-in?to="+url.QueryEscape(r.URL.RequestURI()), http.StatusSeeOther)
	default:
		h.Set("Content-Security-Policy", policy)
		h.Set("Cache-Control", "private, no-cache")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("X-Robots-Tag", "noindex")
		document.Serve(w, r)
	}
}

// isScreen reports whether a path is the address of a screen. src/app/routes.ts has the same addresses.
func isScreen(path string) bool {
	first, rest, deep := strings.Cut(strings.TrimPrefix(path, "/"), "/")

	switch first {
	case "":
		return path == "/"
	case "videos":
		return rest != "" && !strings.Contains(rest, "/")
	case "playlists", "settings":
		return !deep || rest != "" && !strings.Contains(rest, "/")
	case "analytics", "activity":
		return !deep
	default:
		return false
	}
}

// page is the path at which files keeps the page. It is not served there.
const page = prefix + "index.html"

// files returns what Vite built, by path.
func files() (map[string]static.File, error) {
	all := map[string]static.File{}

	err := fs.WalkDir(dist, "dist", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(name, ".gz") || strings.HasSuffix(name, ".br") {
			return err
		}

		content, err := dist.ReadFile(name)
		if err != nil {
			return err //nolint:wrapcheck // wrapped below
		}

		gzip, _ := dist.ReadFile(name + ".gz") // files that compression does not make smaller have none
		brotli, _ := dist.ReadFile(name + ".br")
		f := static.Packed(prefix+strings.TrimPrefix(name, "dist/"), content, gzip, brotli)
		all[f.Address] = f

		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the built studio: %w", err)
	}

	return all, nil
}
