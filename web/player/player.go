// Package player serves the script and the style sheet of the video pages. They are written in TypeScript and built
// with Vite into the folder dist. The folder is committed, so that the server can be built without Node.
package player

import (
	"embed"
	"net/http"

	"github.com/reelgraph/reelgraph/web/static"
)

//go:generate sh build.sh

//go:embed dist
var dist embed.FS

const prefix = "/player/"

var (
	script = file("player.js")
	style  = file("player.css")
)

func file(name string) static.File {
	content, err := dist.ReadFile("dist/" + name)
	if err != nil {
		panic(err) // the file is embedded
	}

	return static.At(prefix, name, content)
}

// Script returns the address of the script.
func Script() string { return script.Address }

// Style returns the address of the style sheet.
func Style() string { return style.Address }

// PackedSize returns the total size of the script and the style sheet after compression, in bytes.
func PackedSize() int { return script.PackedSize() + style.PackedSize() }

// Handler serves the script and the style sheet. It passes requests for other paths below /player/ to the handler
// "otherwise".
func Handler(otherwise http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, f := range []static.File{script, style} {
			if r.URL.Path != f.Address {
				continue
			}

			if r.Method != http.MethodGet && r.Method != http.MethodHead {
				w.Header().Set("Allow", "GET, HEAD")
				http.Error(w, "This file supports only GET and HEAD.", http.StatusMethodNotAllowed)

				return
			}

			static.Forever(w.Header())
			f.Serve(w, r)

			return
		}

		otherwise.ServeHTTP(w, r)
	})
}
