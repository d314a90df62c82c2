package router

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/idempotency"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/platform/limit"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
)

// runner serves the rows of a table with the resolvers G.
type runner[G any] struct {
	graph  G
	keys   *idempotency.Keys
	errors Errors
	router *chi.Mux
}

// New returns the handler for a table of operations. It must come after middleware.Identify, middleware.Guard and the
// gate of package limit. It returns 404 for unknown routes.
func New[G any](table []Route[G], graph G, keys *idempotency.Keys, errors Errors) http.Handler {
	r := &runner[G]{graph: graph, keys: keys, errors: errors, router: chi.NewRouter()}
	r.router.NotFound(r.notFound)
	r.router.MethodNotAllowed(r.methodNotAllowed)

	for _, rt := range table {
		h := r.handle(&rt)
		r.router.Method(rt.Method, rt.Path, h)

		if rt.Method == http.MethodGet {
			r.router.Method(http.MethodHead, rt.Path, h)
		}
	}

	return input.Segments(r.router)
}

func (n *runner[G]) notFound(w http.ResponseWriter, r *http.Request) {
	n.errors.Write(w, r, fault.NotFound("route"))
}

func (n *runner[G]) methodNotAllowed(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Path
	if r.URL.RawPath != "" {
		path = r.URL.RawPath
	}

	var allowed []string

	for _, m := range []string{
		http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
	} {
		if n.router.Match(chi.NewRouteContext(), m, path) {
			allowed = append(allowed, m)
		}
	}

	if len(allowed) == 0 { // an unknown method on an unknown path
		n.notFound(w, r)

		return
	}

	w.Header().Set("Allow", strings.Join(allowed, ", "))
	n.errors.Write(w, r, middleware.NewRefusal(http.StatusMethodNotAllowed,
		"This route does not support the method "+r.Method+"; it supports "+strings.Join(allowed, ", ")+"."))
}

func (n *runner[G]) handle(rt *Route[G]) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if slices.Contains(chi.RouteContext(r.Context()).URLParams.Values, "") {
			n.notFound(w, r) // an empty segment names nothing

			return
		}

		rt.Traits.announce(w.Header())

		answer, err := n.answer(rt, r)
		if err != nil {
			n.errors.Write(w, r, err)

			return
		}

		write(w, r, answer)
	})
}

// answer performs the checks of the contract in order, up to those of the operation itself.
func (n *runner[G]) answer(rt *Route[G], r *http.Request) (idempotency.Answer, error) {
	ctx := r.Context()

	if err := limit.Refusal(ctx); err != nil {
		return idempotency.Answer{}, err
	}

	body, err := rt.Traits.Bounds.Read(r)
	if err != nil {
		return idempotency.Answer{}, err
	}

	if rt.Method == http.MethodGet {
		return rt.run(ctx, n.graph, r, body)
	}

	key, err := idempotency.FromHTTP(r, body)
	if err != nil {
		return idempotency.Answer{}, err
	}

	if ctx, err = middleware.With(ctx, r.Header.Values("If-Match")); err != nil {
		return idempotency.Answer{}, err
	}

	return n.keys.Run(ctx, key, func(ctx context.Context) (idempotency.Answer, error) {
		return rt.run(ctx, n.graph, r, body)
	})
}

// write sends a response, or 304 if the client has it already.
func write(w http.ResponseWriter, r *http.Request, a idempotency.Answer) {
	h := w.Header()

	for name, value := range a.Header {
		h[name] = []string{value} // in the letter case of the contract
	}

	tag, tagged := a.Header["ETag"]

	switch {
	case tagged:
		h.Set("Cache-Control", "private, no-cache")
	default:
		h.Set("Cache-Control", "no-store")
	}

	switch {
	case tagged && unchanged(r.Header.Values("If-None-Match"), tag):
		w.WriteHeader(http.StatusNotModified)
	case a.Status == http.StatusFound:
		h.Set("Content-Length", "0")
		w.WriteHeader(a.Status)
	default:
		writeJSON(w, a.Status, a.Body)
	}
}
