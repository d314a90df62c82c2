package signin

import (
	"crypto/rand"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/internal/fault"
)

const (
	// ClientHeader is what programs that keep cookies send instead of what browsers say of themselves.
	ClientHeader = "X-Reelgraph-Client"

	// Lasts is how long a session lasts from its beginning.
	Lasts = 30 * 24 * time.Hour

	cookieName  = "reelgraph_session"
	tokenPrefix = "reel_st_"
	tokenBytes  = 32
)

// NewToken makes what a session's cookie holds. It is stored as auth.HashKey of it.
func NewToken() string {
	random := make([]byte, tokenBytes)
	rand.Read(random) // never fails: the runtime aborts instead

	return tokenPrefix + base64.RawURLEncoding.EncodeToString(random)
}

// Cookies are the cookies of a service that is reached at Base.
type Cookies struct{ Base *url.URL }

// Token is what the session cookie of a request holds; empty when there is none, or when the request
// was not made by one of our own pages.
func (c Cookies) Token(r *http.Request) string {
	if !c.Own(r) {
		return ""
	}

	return c.held(r)
}

// held is what the session cookie of a request holds, whoever had it made.
func (c Cookies) held(r *http.Request) string {
	cookie, err := r.Cookie(c.name())
	if err != nil || !strings.HasPrefix(cookie.Value, tokenPrefix) {
		return ""
	}

	return cookie.Value
}

// Lack is why the session of a request counts for nothing: another page may have had it made. nil is no session,
// or one that counts.
func (c Cookies) Lack(r *http.Request) error {
	if c.held(r) == "" || c.Own(r) {
		return nil
	}

	return fault.Unauthorized().Saying("The cookie of a session is taken from our own pages only. Programs add the header " +
		ClientHeader + ", or have an API key: Authorization: Bearer <API_KEY>.")
}

// Reading is what the session cookie of a request holds that only reads a page, whoever had it made: what
// it is answered is shown to nobody but who asked. Browsers say where a request comes from neither when an address is
// typed nor, without https, when a page of ours reads on.
func (c Cookies) Reading(r *http.Request) string {
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	if !reads || r.Header.Get("Origin") != "" {
		return c.Token(r)
	}

	return c.held(r)
}

// Own reports whether the request was made by one of our own pages, or by no page at all.
func (c Cookies) Own(r *http.Request) bool {
	origin, site := r.Header.Get("Origin"), r.Header.Get("Sec-Fetch-Site")

	switch {
	case origin != "" && !c.ours(origin, r.Host):
		return false
	case site != "":
		return site == "same-origin"
	default:
		return origin != "" || r.Header.Get(ClientHeader) != ""
	}
}

// ours reports whether an origin is the service itself, at its own address or at the one it was asked at.
func (c Cookies) ours(origin, host string) bool {
	from, err := url.Parse(origin)

	switch {
	case err != nil || from.Host == "":
		return false
	case strings.EqualFold(from.Host, c.Base.Host):
		return from.Scheme == c.Base.Scheme
	default:
		return strings.EqualFold(from.Host, host)
	}
}

func (c Cookies) secure() bool { return c.Base.Scheme == "https" }

// name has a prefix over https that keeps other hosts of the domain from setting the cookie.
func (c Cookies) name() string {
	if c.secure() {
		return "__Host-" + cookieName
	}

	return cookieName
}

// cookie holds a token for as long; an empty one is forgotten at once.
func (c Cookies) cookie(token string, lasts time.Duration) *http.Cookie {
	cookie := &http.Cookie{ //nolint:gosec // Secure as far as the service itself is
		Name: c.name(), Value: token, Path: "/", MaxAge: int(lasts / time.Second),
		HttpOnly: true, Secure: c.secure(), SameSite: http.SameSiteLaxMode,
	}

	if token == "" {
		cookie.MaxAge = -1
	}

	return cookie
}
