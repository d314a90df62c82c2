package account_test

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/account"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
)

func cookies(t *testing.T, base string) account.Cookies {
	t.Helper()

	u, err := url.Parse(base)
	require.NoError(t, err)

	return account.Cookies{Base: u}
}

// visit returns the response of a handler behind Cookies.Handler.
func visit(c account.Cookies, r *http.Request, handler func(w http.ResponseWriter, r *http.Request)) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	refuse := func(http.ResponseWriter, *http.Request, error) {}
	middleware.Guard(nil, refuse)(c.Handler(middleware.Peers{}, http.HandlerFunc(handler))).ServeHTTP(w, r)

	return w
}

func TestCookieOfASession(t *testing.T) {
	t.Parallel()

	for base, start := range map[string]string{
		"https://reel.example":      "__Host-reelgraph_session=reel_st_x; Path=/; Max-Age=2592000; HttpOnly; Secure; SameSite=Lax",
		"http://127.0.0.1:8080":     "reelgraph_session=reel_st_x; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax",
		"http://host.example/reels": "reelgraph_session=reel_st_x; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax",
	} {
		c := cookies(t, base)
		r := httptest.NewRequest(http.MethodPost, "/graphql", nil)
		r.Header.Set("User-Agent", "a\x00b\xff"+strings.Repeat("é", 300))

		w := visit(c, r, func(w http.ResponseWriter, r *http.Request) {
			v, open := account.Of(r.Context())
			assert.True(t, open)
			assert.Equal(t, netip.MustParseAddr("192.0.2.1"), v.Client)
			assert.True(t, strings.HasPrefix(v.UserAgent, "abé"))
			assert.LessOrEqual(t, len(v.UserAgent), 512)
			v.Make("ses_1")
			v.Begin("reel_st_x")
			assert.True(t, v.Began("ses_1"))
			assert.False(t, v.Began("ses_2"))
			w.WriteHeader(http.StatusOK)

			_, open = account.Of(r.Context())
			assert.False(t, open, "the header was sent")
		})
		require.Equal(t, start, w.Header().Get("Set-Cookie"), base)

		// The browser sends it back.
		back := httptest.NewRequest(http.MethodPost, "/graphql", nil)
		back.Header.Set("Cookie", strings.SplitN(start, ";", 2)[0])
		require.Empty(t, c.Token(back))
		back.Header.Set("Origin", "https://evil.example")
		require.Empty(t, c.Token(back))
		back.Header.Set("Origin", c.Base.Scheme+"://"+c.Base.Host)
		require.Equal(t, "reel_st_x", c.Token(back))
	}
}

func TestWebsocketHasNoVisit(t *testing.T) {
	t.Parallel()

	r := httptest.NewRequest(http.MethodGet, "/graphql", nil)
	r.Header.Set("Upgrade", "websocket")
	visit(cookies(t, "https://reel.example"), r, func(_ http.ResponseWriter, r *http.Request) {
		v, open := account.Of(r.Context())
		assert.False(t, open)
		assert.False(t, v.Began("ses_1"))
	})
}

func TestTokens(t *testing.T) {
	t.Parallel()

	seen := map[string]bool{}

	for range 1000 {
		token := account.NewToken()
		require.Regexp(t, `^reel_st_[\w-]{43}$`, token)
		require.False(t, seen[token])
		seen[token] = true
	}
}
