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
	// ClientHeader is the header that programs with cookies send in place of the headers by which browsers name the
	// requesting page.
	ClientHeader = "X-Reelgraph-Client"

	// Lasts is how long a session lasts.
	Lasts = 30 * 24 * time.Hour

	cookieName  = "reelgraph_session"
	tokenPrefix = "reel_st_"
	cookieBytes = 32
)

// NewToken returns a new token for a session's cookie. Only its auth.HashKey is stored.
func NewToken() string {
	random := make([]byte, cookieBytes)
	rand.Read(random) // cannot fail: the runtime aborts instead

	return tokenPrefix + base64.RawURLEncoding.EncodeToString(random)
}

// Cookies reads and writes the session cookies of a server. Base is the server's main origin, and Also lists its
// other origins. An origin consists of scheme, host and port, in the form that browsers send.
type Cookies struct {
	Base *url.URL
	Also []string
}

// Token returns the session token in a request's cookie. It returns an empty string if there is no token or if the
// request was not made by one of this server's own pages.
func (c Cookies) Token(r *http.Request) string {
	if !c.Own(r) {
		return ""
	}

	return c.held(r)
}

// held returns the session token in a request's cookie, whichever page made the request.
func (c Cookies) held(r *http.Request) string {
	cookie, err := r.Cookie(c.name())
	if err != nil || !strings.HasPrefix(cookie.Value, tokenPrefix) {
		return ""
	}

	return cookie.Value
}

// Lack returns an error if a request has a session cookie that must be ignored, because a page of another site may
// have made the request. It returns nil if there is no session cookie or if the cookie is accepted.
func (c Cookies) Lack(r *http.Request) error {
	if c.held(r) == "" || c.Own(r) {
		return nil
	}

	return fault.Unauthorized().Saying("Session cookies are accepted only from this server's own pages. Open this server in a browser at " +
		"REELGRAPH_BASE_URL, which is " + c.Base.Scheme + "://" + c.Base.Host + ", or at an address in REELGRAPH_ORIGINS. " +
		"Programs must send the header " + ClientHeader + " or an API key: Authorization: Bearer <API_KEY>.")
}

// Reading returns the session token of a request that only reads a page, even if a page of another site made the
// request. This is safe because only the user's own browser gets the response. Browsers do not send the address of
// the requesting page when a user types an address, nor when one of this server's own pages loads something over
// plain http.
func (c Cookies) Reading(r *http.Request) string {
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	if !reads || r.Header.Get("Origin") != "" {
		return c.Token(r)
	}

	return c.held(r)
}

// Own reports whether the request was made by one of this server's own pages or by a program. The host name to which
// a request was sent proves nothing on its own, because anyone can create a host name that points to this server.
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

// Ours reports whether an origin belongs to this server. It does if it is the server's own address, an address that
// the operator listed, or a name of this machine with the port on which the request arrived.
func (c Cookies) Ours(origin string, r *http.Request) bool {
	from, err := url.Parse(origin)
	if err != nil || from.Host == "" || from.User != nil || from.Path != "" || from.RawQuery != "" {
		return false
	}

	return c.listed(from) || c.local(from, r)
}

// reached reports whether a request without an Origin header was sent to one of this server's origins. Behind a proxy
// the scheme is not known.
func (c Cookies) reached(r *http.Request) bool {
	for _, scheme := range []string{"https", "http"} {
		to := &url.URL{Scheme: scheme, Host: r.Host}
		if c.listed(to) || c.local(to, r) {
			return true
		}
	}

	return false
}

// listed reports whether the operator listed an origin.
func (c Cookies) listed(from *url.URL) bool {
	if originOf(from) == originOf(c.Base) {
		return true
	}

	return slices.ContainsFunc(c.Also, func(origin string) bool {
		u, err := url.Parse(origin)

		return err == nil && originOf(u) == originOf(from)
	})
}

// local reports whether an origin is this machine at the port on which the request arrived. All names of this machine
// count as one origin. The request must also have been sent to one of them, since requests from a proxy come from
// elsewhere.
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

// originOf returns the origin of an address in a normal form. All names of this machine become one.
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

// name returns the cookie's name. Over https it has a prefix that keeps other hosts of the domain from setting the
// cookie.
func (c Cookies) name() string {
	if c.secure() {
		return "__Host-" + cookieName
	}

	return cookieName
}

// cookie returns the cookie for a token. An empty token makes the browser delete the cookie.
func (c Cookies) cookie(token string, lasts time.Duration) *http.Cookie {
	cookie := &http.Cookie{ //nolint:gosec // Secure is set whenever the service uses https
		Name: c.name(), Value: token, Path: "/", MaxAge: int(lasts / time.Second),
		HttpOnly: true, Secure: c.secure(), SameSite: http.SameSiteLaxMode,
	}

	if token == "" {
		cookie.MaxAge = -1
	}

	return cookie
}
