package middleware

import (
	"maps"
	"net/http"
)

// Headers gives every answer what browsers should know of it. A handler that knows better says so itself:
// a page has a policy of its own, and what may be embedded says where.
func Headers(https bool) func(http.Handler) http.Handler {
	// Shared by all answers: whoever wants something else replaces the whole value.
	always := map[string][]string{
		"Content-Security-Policy": {"default-src 'none'; frame-ancestors 'none'"},
		"Referrer-Policy":         {"strict-origin-when-cross-origin"},
		"X-Content-Type-Options":  {"nosniff"},
	}
	if https {
		always["Strict-Transport-Security"] = []string{"max-age=31536000"}
	}

	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			maps.Copy(w.Header(), always)
			next.ServeHTTP(w, r)
		})
	}
}
