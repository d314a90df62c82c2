package account

import (
	"context"
	"net/http"
	"net/netip"
	"strings"
	"sync"

	"github.com/reelgraph/reelgraph/internal/platform/middleware"
)

// maxUserAgent is how much is kept of what a browser calls itself, in bytes.
const maxUserAgent = 512

// A Visit is a request over HTTP whose answer may still set a cookie.
type Visit struct {
	Client    netip.Addr
	UserAgent string
	// Token is of the session that the request names; empty when it names none, or was not made by one of our own pages.
	Token string

	cookies Cookies

	mu     sync.Mutex
	closed bool
	made   string // the session that was begun
	cookie *http.Cookie
}

type visitKey struct{}

// Of returns the visit of a request; false when its answer cannot set a cookie any more, as that of a
// stream or of a websocket.
func Of(ctx context.Context) (*Visit, bool) {
	v, _ := ctx.Value(visitKey{}).(*Visit)
	if v == nil {
		return nil, false
	}

	v.mu.Lock()
	defer v.mu.Unlock()

	return v, !v.closed
}

// Handler makes a visit of every request that is no websocket, and sets the cookie it ends with.
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

// Make notes the session that the request begins.
func (v *Visit) Make(sessionID string) {
	v.mu.Lock()
	defer v.mu.Unlock()

	v.made = sessionID
}

// Begin has the answer set the cookie of a session. Call it once the session is committed.
func (v *Visit) Begin(token string) {
	v.mu.Lock()
	defer v.mu.Unlock()

	v.cookie = v.cookies.cookie(token, Lasts)
}

// End has the answer take the cookie away.
func (v *Visit) End() {
	v.mu.Lock()
	defer v.mu.Unlock()

	v.cookie = v.cookies.cookie("", 0)
}

// Began reports whether the request began the session. A nil visit began none.
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

// printable is what can be stored of a text that anybody may have written.
func printable(s string) string {
	s = strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "")

	return strings.ToValidUTF8(s[:min(len(s), maxUserAgent)], "")
}
