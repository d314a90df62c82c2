package middleware_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/middleware"
)

func TestHeaders(t *testing.T) {
	t.Parallel()

	page := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/page" {
			w.Header().Set("Content-Security-Policy", "default-src 'self'")
			w.Header().Add("Referrer-Policy", "no-referrer")
		}
	})

	for _, https := range []bool{true, false} {
		h := middleware.Headers(https)(page)

		// Both paths in turn: a header that one response replaces must not change in the next.
		for path, policy := range map[string]string{"/page": "default-src 'self'", "/v1/x": "default-src 'none'; frame-ancestors 'none'"} {
			for range 2 {
				w := httptest.NewRecorder()
				h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
				require.Equal(t, policy, w.Header().Get("Content-Security-Policy"))
				require.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"))
				require.Equal(t, "strict-origin-when-cross-origin", w.Header().Get("Referrer-Policy"))
				require.Equal(t, https, w.Header().Get("Strict-Transport-Security") != "")
			}
		}
	}
}

func TestCORS(t *testing.T) {
	t.Parallel()

	reached := 0
	api := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		reached++

		w.Header().Add("Vary", "Accept")
	})
	open := middleware.CORSWhere(func(origin string, _ *http.Request) bool {
		return middleware.Listed([]string{"https://studio.example", "http://localhost:3000"}, origin)
	})(api)

	ask := func(method, origin, wants string) http.Header {
		r := httptest.NewRequest(method, "/v1/videos", nil)
		if origin != "" {
			r.Header.Set("Origin", origin)
		}

		if wants != "" {
			r.Header.Set("Access-Control-Request-Method", wants)
		}

		w := httptest.NewRecorder()
		open.ServeHTTP(w, r)

		return w.Header()
	}

	for _, origin := range []string{"https://studio.example", "HTTPS://Studio.Example", "http://localhost:3000"} {
		h := ask(http.MethodGet, origin, "")
		require.Equal(t, origin, h.Get("Access-Control-Allow-Origin"))
		require.Contains(t, h.Get("Access-Control-Expose-Headers"), "X-Request-Id")
		require.Empty(t, h.Get("Access-Control-Allow-Credentials"), "no cookies across origins")
		require.Equal(t, "Origin, Accept", strings.Join(h.Values("Vary"), ", "))

		before := reached
		h = ask(http.MethodOptions, origin, "PATCH")

		require.Equal(t, before, reached, "a preflight is answered before anything is counted")
		require.Contains(t, h.Get("Access-Control-Allow-Methods"), "PATCH")
		require.Contains(t, h.Get("Access-Control-Allow-Headers"), "Authorization")
	}

	for _, origin := range []string{
		"", "null", "*", "https://evil.example", "http://studio.example", "https://studio.example:444", "https://studio.example.evil.example",
		"https://evilstudio.example",
	} {
		for _, wants := range []string{"", "PATCH"} {
			h := ask(http.MethodOptions, origin, wants)
			require.Empty(t, h.Get("Access-Control-Allow-Origin"), origin)
			require.Contains(t, h.Values("Vary"), "Origin", "caches keep the responses apart")
		}
	}
}
