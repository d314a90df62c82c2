package middleware

import (
	"net/http"
	"slices"
	"strings"
)

// The parts of the API that pages of other origins may use. Cookies are excluded: session cookies work only
// on our own pages, so pages of other origins need a key or a signed address.
const (
	corsMethods = "GET, HEAD, POST, PUT, PATCH, DELETE"

	// The headers of the API, of tus with its extensions, and those that GraphQL clients, tracing and fetch
	// libraries add.
	corsAsked = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, Range, X-Request-Id, " +
		"Tus-Resumable, Upload-Concat, Upload-Defer-Length, Upload-Length, Upload-Metadata, Upload-Offset, X-HTTP-Method-Override, " +
		"apollo-require-preflight, apollographql-client-name, apollographql-client-version, graphql-require-preflight, " +
		"x-apollo-operation-name, x-apollo-operation-id, baggage, traceparent, tracestate, Cache-Control, Last-Event-ID, X-Requested-With"
	corsShown = "Accept-Ranges, Content-Disposition, Content-Length, Content-Range, Deprecation, ETag, Idempotency-Replayed, Link, " +
		"Location, RateLimit, RateLimit-Policy, Reelgraph-Source-Id, Retry-After, Sunset, Tus-Extension, Tus-Max-Size, Tus-Resumable, " +
		"Tus-Version, Upload-Concat, Upload-Defer-Length, Upload-Expires, Upload-Length, Upload-Metadata, Upload-Offset, " +
		"WWW-Authenticate, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id"
	corsMaxAge = "600"
)

// Listed reports whether an origin is in a list.
func Listed(origins []string, origin string) bool {
	return slices.ContainsFunc(origins, func(o string) bool { return strings.EqualFold(o, origin) })
}

// CORSWhere returns middleware that lets pages of other origins, such as dashboards, read the API's responses. It
// asks the function allowed whether an origin may. An origin is scheme, host and port, as browsers write it.
func CORSWhere(allowed func(origin string, r *http.Request) bool) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			h := w.Header()
			h.Add("Vary", "Origin")

			origin := r.Header.Get("Origin")
			if origin == "" || !allowed(origin, r) {
				next.ServeHTTP(w, r)

				return
			}

			h.Set("Access-Control-Allow-Origin", origin)

			if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
				h.Set("Access-Control-Allow-Methods", corsMethods)
				h.Set("Access-Control-Allow-Headers", corsAsked)
				h.Set("Access-Control-Max-Age", corsMaxAge)
				w.WriteHeader(http.StatusNoContent)

				return
			}

			h.Set("Access-Control-Expose-Headers", corsShown)
			next.ServeHTTP(w, r)
		})
	}
}
