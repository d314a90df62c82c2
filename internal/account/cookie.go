package account

import (
	"cmp"
	"crypto/rand"
	"encoding/base64"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

const (
	// ClientHeader is what programs that keep cookies send instead of what browsers say of themselves.
	ClientHeader = "X-Reelgraph-Client"

	// Lasts is how long a session lasts from its beginning.
	Lasts = 30 * 24 * time.Hour

	cookieName  = "reelgraph_session"
	tokenPrefix = "reel_st_"
	cookieBytes = 32
)

// NewToken makes what a session's cookie holds. It is stored as auth.HashKey of it.
func NewToken() string {
	random := make([]byte, cookieBytes)
	rand.Read(random) // never fails: the runtime aborts instead

	return tokenPrefix + base64.RawURLEncoding.EncodeToString(random)
}

// Cookies are the cookies of a service that is reached at Base, and at the other origins Also: scheme, host and port as browsers
// write them.
type Cookies struct {
	Base *url.URL
	Also []string
}

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

	return fault.Unauthorized().Saying("Session cookies are accepted only from this server's own pages. Open this server in a browser at " +
		"REELGRAPH_BASE_URL, which is " + c.Base.Scheme + "://" + c.Base.Host + ", or at an address in REELGRAPH_ORIGINS. " +
		"Programs must send the header " + ClientHeader + " or an API key: Authorization: Bearer <API_KEY>.")
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

// Own reports whether the request was made by one of our own pages, or by no page at all. An address that a request was sent
// to makes nothing ours: whoever has a name lead here chooses it.
func (c Cookies) Own(r *http.Request) bool {
	origin, site := r.Header.Get("Origin"), r.Header.Get("Sec-Fetch-Site")

	switch {
	case origin != "" && !c.Ours(origin, r):
		return false
	case origin == "" && !c.reached(r):
		return false
	case site != "":
		return site == "same-origin"
	default:
		return origin != "" || r.Header.Get(ClientHeader) != ""
	}
}

// Ours reports whether an origin is one of the service, which got the request: its address, another that the operator has named,
// or a name of this machine with the port that the request came in by.
func (c Cookies) Ours(origin string, r *http.Request) bool {
	from, err := url.Parse(origin)
	if err != nil || from.Host == "" || from.User != nil || from.Path != "" || from.RawQuery != "" {
		return false
	}

	return c.listed(from) || c.local(from, r)
}

// reached reports whether a request that has no Origin was sent to an origin of ours. Behind a proxy its scheme is not known.
func (c Cookies) reached(r *http.Request) bool {
	for _, scheme := range []string{"https", "http"} {
		to := &url.URL{Scheme: scheme, Host: r.Host}
		if c.listed(to) || c.local(to, r) {
			return true
		}
	}

	return false
}

// listed reports whether an origin is one that the operator has named.
func (c Cookies) listed(from *url.URL) bool {
	if originOf(from) == originOf(c.Base) {
		return true
	}

	return slices.ContainsFunc(c.Also, func(origin string) bool {
		u, err := url.Parse(origin)

		return err == nil && originOf(u) == originOf(from)
	})
}

// local reports whether an origin is this machine at the port that the request came in by. The names of this machine are one
// origin. The request must have been sent to one of them, too: what a proxy hands on comes from elsewhere.
func (c Cookies) local(from *url.URL, r *http.Request) bool {
	at, known := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !known || from.Scheme != "http" || !isLoopback(from.Hostname()) {
		return false
	}

	_, ours, err := net.SplitHostPort(at.String())
	to := &url.URL{Scheme: "http", Host: r.Host}

	return err == nil && portOf(from) == ours && isLoopback(to.Hostname()) && portOf(to) == ours
}

// isLoopback reports whether a host is a name of this machine.
func isLoopback(host string) bool {
	return strings.EqualFold(host, thisMachine) || host == "127.0.0.1" || host == "::1"
}

const thisMachine = "localhost"

// originOf is the origin of an address in one spelling. The names of this machine are one.
func originOf(u *url.URL) string {
	host := u.Hostname()
	if isLoopback(host) {
		host = thisMachine
	}

	return strings.ToLower(u.Scheme + "://" + host + ":" + portOf(u))
}

func portOf(u *url.URL) string {
	usual := "80"
	if strings.EqualFold(u.Scheme, "https") {
		usual = "443"
	}

	return cmp.Or(u.Port(), usual)
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
