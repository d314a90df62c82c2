package analytics

import (
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/oschwald/maxminddb-golang/v2"
	"golang.org/x/net/publicsuffix"

	"github.com/reelgraph/reelgraph/internal/platform/middleware"
)

// Countries finds the country of a viewer. It uses a header that the operator's proxy sets or, without one, a
// database. The zero value finds no countries.
type Countries struct {
	Peers  middleware.Peers
	Header string            // empty means none
	DB     *maxminddb.Reader // nil means none
}

var country = regexp.MustCompile(`^[A-Z]{2}$`)

// unknown lists the codes that proxies send for unknown places and for Tor.
const unknown = "XX"

// of returns the viewer's country as ISO 3166-1 alpha-2, or nil if it is unknown.
func (c Countries) of(r *http.Request) *string {
	code := ""

	if c.Header != "" && c.Peers.Behind(r) {
		code = strings.ToUpper(strings.TrimSpace(r.Header.Get(c.Header)))
	}

	if !country.MatchString(code) && c.DB != nil {
		code = c.lookup(c.Peers.Of(r))
	}

	if !country.MatchString(code) || code == unknown {
		return nil
	}

	return &code
}

func (c Countries) lookup(address netip.Addr) (code string) {
	if !address.IsValid() {
		return ""
	}

	if err := c.DB.Lookup(address).DecodePath(&code, "country", "iso_code"); err != nil {
		return "" // a damaged entry counts as an unknown country
	}

	return code
}

// registrable returns the registrable domain of a referrer. It is empty for this server's own pages and for an invalid
// referrer.
func registrable(referrer, own string) string {
	u, err := url.Parse(referrer)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || strings.EqualFold(u.Host, own) {
		return ""
	}

	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))

	domain, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil {
		return ""
	}

	return domain
}

// bots lists words in the names of bots. It uses words instead of a regular expression because every report is checked.
var bots = []string{ //nolint:gochecknoglobals // a constant
	"crawl", "spider", "slurp", "headless", "phantomjs", "preview", "scan", "fetch", "monitor", "lighthouse",
	"facebookexternalhit", "embedly", "python", "curl", "wget", "httpclient", "okhttp", "axios", "go-http", "java/", "libwww",
	"puppeteer", "playwright", "selenium",
}

// bot reports whether the viewer is a program.
func bot(r *http.Request) bool {
	agent := r.UserAgent()

	return agent == "" || program(agent) || program(r.Header.Get("Sec-Ch-Ua"))
}

// program reports whether a name is that of a bot.
func program(name string) bool {
	name = strings.ToLower(name)
	within := func(word string) bool { return strings.Contains(name, word) }

	if slices.ContainsFunc(bots, within) {
		return true
	}

	// "Googlebot/2.1" is a bot, "Bottle" is not.
	for _, rest, found := strings.Cut(name, "bot"); found; _, rest, found = strings.Cut(rest, "bot") {
		next, _ := utf8.DecodeRuneInString(rest)
		if rest == "" || !unicode.IsLetter(next) && !unicode.IsDigit(next) {
			return true
		}
	}

	return false
}

// private reports whether the viewer asked not to be tracked.
func private(r *http.Request) bool {
	return r.Header.Get("DNT") == "1" || r.Header.Get("Sec-GPC") == "1"
}
