package middleware

import (
	"maps"
	"net/http"
)

// Headers sets the security headers of every response. A handler may replace them: a page sets its own policy, and an
// embeddable page sets the sites that may embed it.
func Headers(https bool) func(http.Handler) http.Handler {
	// All responses share these values: replace a value, never modify it.
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
