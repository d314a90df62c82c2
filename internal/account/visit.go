package account

import (
	"context"
	"net/http"
	"net/netip"
	"strings"
	"sync"

	"github.com/reelgraph/reelgraph/internal/platform/middleware"
)

// maxUserAgent is how many bytes of a browser's User-Agent are stored.
const maxUserAgent = 512

// A Visit is an HTTP request whose response can still set a cookie.
type Visit struct {
	Client    netip.Addr
	UserAgent string
	// Token is the token of the request's session. It is empty if the request has none or was not made by one of this
	// server's own pages.
	Token string

	cookies Cookies

	mu     sync.Mutex
	closed bool
	made   string // the session that the request began
	cookie *http.Cookie
}

type visitKey struct{}

// Of returns the visit of a request. It returns false if a cookie can no longer be set in the response, as on a
// stream or a websocket.
func Of(ctx context.Context) (*Visit, bool) {
	v, _ := ctx.Value(visitKey{}).(*Visit)
	if v == nil {
		return nil, false
	}

	v.mu.Lock()
	defer v.mu.Unlock()

	return v, !v.closed
}

// Handler creates a Visit for every request that is not a websocket. If the code that handles the request puts a
// cookie into the Visit, Handler adds the cookie to the response.
func (c Cookies) Handler(peers middleware.Peers, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") != "" {
			next.ServeHTTP(w, r)

			return
		}

		v := &Visit{Client: peers.Of(r), UserAgent: printable(r.UserAgent()), Token: c.Token(r), cookies: c}
		middleware.BeforeHeader(w, v.close)

		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), visitKey{}, v)))
	})
}

// Make stores the id of the session that the request starts.
func (v *Visit) Make(sessionID string) {
	v.mu.Lock()
	defer v.mu.Unlock()

	v.made = sessionID
}

// Begin makes the response set the session cookie to the given token. Call it after the session is committed.
func (v *Visit) Begin(token string) {
	v.mu.Lock()
	defer v.mu.Unlock()

	v.cookie = v.cookies.cookie(token, Lasts)
}

// End makes the response delete the session cookie from the browser.
func (v *Visit) End() {
	v.mu.Lock()
	defer v.mu.Unlock()

	v.cookie = v.cookies.cookie("", 0)
}

// Began reports whether the request started the session. It returns false for a nil visit.
func (v *Visit) Began(sessionID string) bool {
	if v == nil {
		return false
	}

	v.mu.Lock()
	defer v.mu.Unlock()

	return v.made == sessionID
}

func (v *Visit) close(h http.Header) {
	v.mu.Lock()
	defer v.mu.Unlock()

	v.closed = true

	if v.cookie != nil {
		h.Add("Set-Cookie", v.cookie.String())
	}
}

// printable returns the part of an untrusted text that can be stored.
func printable(s string) string {
	s = strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "")

	return strings.ToValidUTF8(s[:min(len(s), maxUserAgent)], "")
}
