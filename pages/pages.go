// Package pages serves the HTML pages of videos and playlists, for visitors and for embedding in other sites. The
// server renders them from templates, and they load nothing from other servers. A visitor can watch a video even if
// the page's script does not run.
package pages

import (
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/graph/exec"
	"github.com/reelgraph/reelgraph/internal/account"
	"github.com/reelgraph/reelgraph/internal/analytics"
	"github.com/reelgraph/reelgraph/internal/platform/keyring"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
	"github.com/reelgraph/reelgraph/internal/platform/signedurl"
	"github.com/reelgraph/reelgraph/internal/sharing"
	"github.com/reelgraph/reelgraph/web/player"
)

// Server serves the pages. Every field is required.
type Server struct {
	Accounts  *account.Service
	Addresses signedurl.Book
	Box       keyring.Box // encrypts the cookie of known passwords
	Clock     func() time.Time
	Cookies   account.Cookies
	Graph     exec.ResolverRoot
	Log       *slog.Logger
	Peers     middleware.Peers
	Refuse    middleware.RefuseFunc // for responses that are not pages
	Sharing   *sharing.Service
	Tokens    analytics.Tokens
}

// Roots returns the first path segments that Handler serves.
func Roots() []string {
	return []string{"video", "playlist", "sign-in", "sign-out", "oembed", "player"}
}

// Handler serves /video/, /playlist/, /sign-in, /sign-out, /oembed and /player/. It must come after
// middleware.Identify and middleware.Guard. It responds to unknown paths with a 404 page of its own.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	read, write := []string{http.MethodGet, http.MethodHead}, []string{http.MethodPost}

	serve := func(pattern string, h http.Handler) {
		if root, _, _ := strings.Cut(pattern[1:], "/"); !slices.Contains(Roots(), root) {
			panic("pages: Roots lacks " + root)
		}

		mux.Handle(pattern, h)
	}
	page := func(pattern string, handle handler, methods ...string) { serve(pattern, s.page(handle, methods...)) }
	part := func(pattern string, handle handler, methods ...string) { serve(pattern, s.part(handle, methods...)) }

	page("/video/{id}/view", s.videoPage(false), read...)
	page("/video/{id}/embed", s.videoPage(true), read...)
	page("/playlist/{id}/view", s.playlistPage(false), read...)
	page("/playlist/{id}/embed", s.playlistPage(true), read...)

	page("/video/{id}/unlock", s.unlock(kindVideo), write...)
	page("/playlist/{id}/unlock", s.unlock(kindPlaylist), write...)
	page("/sign-in", s.signIn, append(write, read...)...)
	page("/sign-out", s.signOut, append(write, read...)...)
	page("/video/{id}/comments", s.comment, write...)
	page("/video/{id}/comments/{comment}/edit", s.changeComment, write...)
	page("/video/{id}/comments/{comment}/resolve", s.resolveComment, write...)
	page("/video/{id}/comments/{comment}/remove", s.removeComment, write...)

	part("/video/{id}/poster.jpg", s.poster, read...)
	part("/video/{id}/preview.gif", s.preview, read...)
	part("/video/{id}/captions.vtt", s.signed(s.captions), read...)
	part("/video/{id}/transcript.json", s.signed(s.transcript), read...)
	part("/video/{id}/storyboard.json", s.signed(s.storyboard), read...)
	part("/video/{id}/stream.json", s.signed(s.stream), read...)
	part("/oembed", s.previews().answer, read...)

	nothing := s.page(func(http.ResponseWriter, *http.Request) error { return notHere() })
	serve("/player/", player.Handler(nothing))
	mux.Handle("/", nothing)

	return s.Cookies.Handler(s.Peers, mux)
}

type handler func(http.ResponseWriter, *http.Request) error

// page turns the error of a handler into an error page.
func (s *Server) page(handle handler, methods ...string) http.Handler {
	return serve(handle, s.Sorry, methods)
}

// part turns the error of a handler into an error response of the API, for content that programs read.
func (s *Server) part(handle handler, methods ...string) http.Handler {
	return serve(handle, s.Refuse, methods)
}

func serve(handle handler, refuse middleware.RefuseFunc, methods []string) http.Handler {
	allowed := strings.Join(methods, ", ")

	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if allowed != "" && !strings.Contains(", "+allowed+",", ", "+r.Method+",") {
			w.Header().Set("Allow", allowed)
			refuse(w, r, middleware.NewRefusal(http.StatusMethodNotAllowed,
				"This address does not support the method "+r.Method+"; it supports "+allowed+"."))

			return
		}

		if err := handle(w, r); err != nil {
			refuse(w, r, err)
		}
	})
}

// signed requires the signature of an address that a page contains.
func (s *Server) signed(handle handler) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := s.Addresses.Check(signedurl.Page, r.URL, s.Clock()); err != nil {
			return refused(err)
		}

		return handle(w, r)
	}
}

// inside removes the host from an address of ours, so that a page works under every name of the server.
func inside(at string) string {
	scheme, rest, found := strings.Cut(at, "://")
	if !found || scheme == "" {
		return at
	}

	if i := strings.IndexByte(rest, '/'); i >= 0 {
		return rest[i:]
	}

	return "/"
}
