// Package settings reads and validates the settings of the program from its environment. Start with Load; All lists them.
package settings

import (
	"cmp"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/logging"
)

// Config holds every setting of the program. Load validates each setting and the combination of all settings, so no
// other code validates them again or reads the environment.
type Config struct {
	Addr           string              // host:port that serve listens on
	BaseURL        *url.URL            // address that clients use, without a trailing slash
	Domain         string              // name for which a certificate is obtained; empty: none
	ACMEURL        string              // directory of the authority; empty: Let's Encrypt
	ACMERoot       *x509.CertPool      // whom the directory's own certificate may come from; nil: those of the system
	TLSCert        string              // file of a certificate; empty: none
	TLSKey         string              // file of its private key
	HTTPAddr       string              // host:port without encryption beside Addr; empty: not served
	Data           string              // data folder, absolute
	DatabaseURL    string              // empty: the private Postgres of the data folder
	PostgresBin    string              // folder of initdb and postgres; empty: search
	Blob           *url.URL            // file or s3
	RateLimit      int                 // requests per minute
	SessionLimit   int                 // requests per minute of a session
	EventLimit     int                 // events of subscriptions per minute
	WebhookAllow   []netip.Prefix      // private ranges that webhooks may reach
	Workers        map[string]int      // size of each queue; nil: the defaults, empty: no workers
	TrustedProxies []netip.Prefix      // proxies whose forwarding headers are trusted
	CountryHeader  string              // header of a trusted proxy with the country; empty: none
	MMDB           string              // file of the country database; empty: none
	UploadMax      int64               // bytes
	WorkspaceBytes int64               // limit of a workspace; 0: no limit
	DiskReserve    int64               // bytes of disk space that media leave free for the database
	Plan           auth.Plan           // for new workspaces
	Speech         Speech              // speech recognizer
	Fillers        map[string][]string // filler words of a language; nil: the built-in lists
	MetricsAddr    string              // host:port of the operators' address; empty: not served
	Origins        []string            // of other sites that may use the API from a browser, with keys
	OwnOrigins     []string            // other addresses of this same server
	Workspaces     int                 // the most that one person may own
	Log            logging.Form        // format of the log
	Telemetry      Collector           // where traces and metrics are sent
	SMTP           *url.URL            // nil: no mail
	Interpret      bool                // run every query of the graph in gqlgen's executor
	Secret         string              // empty: created at first start and kept in the database
	StopDelay      time.Duration       // from reporting not ready to refusing requests
}

// A Setting is one variable of the environment.
type Setting struct {
	Name     string
	fallback string // the value of an unset or empty variable
	Wants    string // the allowed values, for the error and the help
	Purpose  string
	secret   bool // its value is never printed
	set      func(value string) error
}

// All returns every setting. The function set of a Setting stores a value in c.
func All(c *Config) []Setting {
	return []Setting{
		{
			Name: "REELGRAPH_ADDR", fallback: "127.0.0.1:8080", Wants: "host:port",
			Purpose: "where the server listens", set: address(&c.Addr),
		},
		{
			Name: "REELGRAPH_BASE_URL", Wants: "an http or https URL without query",
			Purpose: "the address clients use (default: https:// and REELGRAPH_DOMAIN, or else REELGRAPH_ADDR)", set: baseURL(&c.BaseURL),
		},
		{
			Name: "REELGRAPH_DOMAIN", Wants: "a name such as video.example.com that leads to this server",
			Purpose: "serves HTTPS with a certificate that is obtained and renewed automatically; REELGRAPH_ADDR is then :443 by default",
			set:     domain(&c.Domain),
		},
		{
			Name: "REELGRAPH_HTTP_ADDR", Wants: "host:port",
			Purpose: "where requests without encryption are sent to HTTPS (default: :80 if REELGRAPH_DOMAIN is set and REELGRAPH_ADDR is not)",
			set:     address(&c.HTTPAddr),
		},
		{
			Name: "REELGRAPH_ACME_URL", Wants: "an https URL",
			Purpose: "directory of the certificate authority for REELGRAPH_DOMAIN (default: Let's Encrypt)", set: directory(&c.ACMEURL),
		},
		{
			Name: "REELGRAPH_ACME_ROOT", Wants: "a PEM file of certificates",
			Purpose: "authorities that may certify REELGRAPH_ACME_URL itself (default: those of the system)", set: roots(&c.ACMERoot),
		},
		{
			Name: "REELGRAPH_TLS_CERT", Wants: "a file that can be read",
			Purpose: "certificate in PEM form, to serve HTTPS in a local network; read again when it changes", set: readable(&c.TLSCert),
		},
		{
			Name: "REELGRAPH_TLS_KEY", Wants: "a file that can be read",
			Purpose: "private key of REELGRAPH_TLS_CERT", set: readable(&c.TLSKey),
		},
		{
			Name: "REELGRAPH_DATA", fallback: "data", Wants: "a path",
			Purpose: "the data folder", set: absolute(&c.Data),
		},
		{
			Name: "DATABASE_URL", Wants: "a postgres:// URL", secret: true,
			Purpose: "a Postgres to use instead of the private one in the data folder; the default is sslmode=require",
			set:     database(&c.DatabaseURL),
		},
		{
			Name: "REELGRAPH_POSTGRES_BIN", Wants: "the folder that holds initdb and postgres",
			Purpose: "the programs of the private Postgres (default: found on the system)", set: absolute(&c.PostgresBin),
		},
		{
			Name: "REELGRAPH_BLOB", Wants: "file:///folder or s3://key:secret@bucket/prefix?endpoint=https://host&region=name", secret: true,
			Purpose: "where media are kept (default: the folder blobs in the data folder)", set: blobURL(&c.Blob),
		},
		{
			Name: "REELGRAPH_RATE_LIMIT", fallback: "100", Wants: "a whole number from 1 to 1000000",
			Purpose: "requests per minute for each user in a workspace", set: whole(&c.RateLimit),
		},
		{
			Name: "REELGRAPH_SESSION_LIMIT", fallback: "1200", Wants: "a whole number from 1 to 1000000",
			Purpose: "requests per minute for each user in a workspace who is signed in with a browser session", set: whole(&c.SessionLimit),
		},
		{
			Name: "REELGRAPH_EVENT_LIMIT", fallback: "600", Wants: "a whole number from 1 to 1000000",
			Purpose: "subscription events per minute for each user in a workspace", set: whole(&c.EventLimit),
		},
		{
			Name: "REELGRAPH_WEBHOOK_ALLOW", Wants: "addresses or CIDR ranges, separated by commas",
			Purpose: "private ranges that webhooks may reach, for development", set: ranges(&c.WebhookAllow),
		},
		{
			Name: "REELGRAPH_WORKERS", Wants: "0, or queue=size pairs separated by commas, sizes from 1 to 1000",
			Purpose: "job queues that this process works on; 0 means only the API is served", set: queues(&c.Workers),
		},
		{
			Name: "REELGRAPH_TRUSTED_PROXIES", Wants: "addresses or CIDR ranges, separated by commas",
			Purpose: "proxies whose forwarding headers are trusted", set: ranges(&c.TrustedProxies),
		},
		{
			Name: "REELGRAPH_COUNTRY_HEADER", Wants: "the name of a header",
			Purpose: "header in which a trusted proxy gives the viewer's country", set: headerName(&c.CountryHeader),
		},
		{
			Name: "REELGRAPH_MMDB", Wants: "a file that can be read",
			Purpose: "country database in MMDB form", set: readable(&c.MMDB),
		},
		{
			Name: "REELGRAPH_UPLOAD_MAX", fallback: "5GiB", Wants: "bytes, or a number with KiB, MiB, GiB or TiB",
			Purpose: "largest upload", set: size(&c.UploadMax),
		},
		{
			Name: "REELGRAPH_WORKSPACE_BYTES", Wants: "bytes, or a number with KiB, MiB, GiB or TiB",
			Purpose: "most that a workspace may store; larger uploads are refused (default: no limit)", set: size(&c.WorkspaceBytes),
		},
		{
			Name: "REELGRAPH_DISK_RESERVE", fallback: "1GiB", Wants: "bytes, or a number with KiB, MiB, GiB or TiB",
			Purpose: "disk space that uploads, caches and videos leave free for the database", set: size(&c.DiskReserve),
		},
		{
			Name: "REELGRAPH_PLAN", fallback: string(auth.PlanPremium), Wants: "free or premium",
			Purpose: "plan of new workspaces", set: tier(&c.Plan),
		},
		{
			Name: "REELGRAPH_WORKSPACES", fallback: "5", Wants: "a whole number from 1 to 1000000",
			Purpose: "most workspaces that one person may own; operators have no limit", set: whole(&c.Workspaces),
		},
		{
			Name: "REELGRAPH_SPEECH", fallback: "none", secret: true,
			Wants:   "none, pocketsphinx, openai+https://key@host/v1?model=name or whispercpp+http://host:port",
			Purpose: "speech recognizer; pocketsphinx runs on this machine, is inaccurate and knows only English", set: speechProvider(&c.Speech),
		},
		{
			Name: "REELGRAPH_FILLERS", Wants: `lists such as "en=um,uh,you know,(like); de=äh,ähm"`,
			Purpose: "filler words of each language; in brackets: only between commas or pauses (default: built-in)", set: wordLists(&c.Fillers),
		},
		{
			Name: "REELGRAPH_METRICS_ADDR", Wants: "host:port",
			Purpose: "where /metrics, profiles and health are served to operators, without a password (default: nowhere)",
			set:     address(&c.MetricsAddr),
		},
		{
			Name: "REELGRAPH_ORIGINS", Wants: "origins such as https://reel.example, separated by commas",
			Purpose: "other origins at which browsers reach this server; cookies and uploads work there too",
			set:     origins(&c.OwnOrigins),
		},
		{
			Name: "REELGRAPH_CORS_ORIGINS", Wants: "origins such as https://studio.example, separated by commas",
			Purpose: "other pages, such as dashboards, that may use the API from a browser; with keys, never with cookies",
			set:     origins(&c.Origins),
		},
		{
			Name: "REELGRAPH_LOG", fallback: string(logging.JSON), Wants: "json or text",
			Purpose: "how the log is written", set: logForm(&c.Log),
		},
		{
			Name: "REELGRAPH_GRAPH", fallback: "compiled", Wants: "compiled or interpreted",
			Purpose: "how plain queries run: both give the same result, compiled is faster", set: execution(&c.Interpret),
		},
		{
			Name: "REELGRAPH_SMTP_URL", Wants: "smtp:// or smtps://, user:password@ and host:port, ?from=address", secret: true,
			Purpose: "mail server for invitations, password resets and comments (default: no mail)", set: mailServer(&c.SMTP),
		},
		{
			Name: "REELGRAPH_STOP_DELAY", Wants: "seconds such as 5s, at most 1m",
			Purpose: "how long a stopping server still accepts requests while /readyz reports not ready (default: 5s with DATABASE_URL, else 0s)",
			set:     duration(&c.StopDelay, time.Minute),
		},
		{
			Name: "REELGRAPH_SECRET", Wants: "at least 32 characters", secret: true,
			Purpose: "signs URLs and encrypts stored secrets (default: created at first start, kept in the database)",
			set:     secret(&c.Secret),
		},
		{
			Name: "OTEL_EXPORTER_OTLP_ENDPOINT", Wants: "an http or https URL without query",
			Purpose: "an OpenTelemetry Collector, reached by OTLP over HTTP (default: nothing is sent)", set: baseURL(&c.Telemetry.Endpoint),
		},
		{
			Name: "OTEL_EXPORTER_OTLP_HEADERS", Wants: "name=value pairs separated by commas", secret: true,
			Purpose: "headers for the Collector", set: pairs(&c.Telemetry.Headers),
		},
		{
			Name: "OTEL_SERVICE_NAME", fallback: "reelgraph", Wants: "a name",
			Purpose: "name of this process in the telemetry", set: text(&c.Telemetry.Service),
		},
		{
			Name: "OTEL_RESOURCE_ATTRIBUTES", Wants: "name=value pairs separated by commas",
			Purpose: "further attributes of this process in the telemetry", set: pairs(&c.Telemetry.Attributes),
		},
		{
			Name: "OTEL_TRACES_SAMPLER_ARG", fallback: "1", Wants: "a number from 0 to 1",
			Purpose: "fraction of the traces that is kept", set: ratio(&c.Telemetry.Ratio),
		},
	}
}

// A Collector describes the OpenTelemetry collector to which traces and metrics are sent.
type Collector struct {
	Endpoint            *url.URL // nil: nowhere
	Headers, Attributes map[string]string
	Service             string
	Ratio               float64
}

const (
	usualStopDelay = 5 * time.Second
	unset          = time.Duration(-1)
)

// Load reads every setting and reports all invalid ones together, each with its variable and allowed values. An empty
// variable counts as unset.
func Load(getenv func(string) string) (Config, error) {
	c := Config{StopDelay: unset}

	var faults []error

	for _, s := range All(&c) {
		value := cmp.Or(getenv(s.Name), s.fallback)
		if value == "" {
			continue
		}

		if err := s.set(value); err != nil {
			faults = append(faults, s.fault(value, err))
		}
	}

	if len(faults) > 0 {
		return Config{}, errors.Join(faults...)
	}

	if c.DatabaseURL != "" && getenv("PGSSLMODE") == "" {
		c.DatabaseURL = withSSLMode(c.DatabaseURL)
	}

	c, err := secured(c, getenv("REELGRAPH_ADDR") == "")
	if err != nil {
		return Config{}, err
	}

	if c.StopDelay == unset {
		c.StopDelay = 0
		if c.DatabaseURL != "" { // there may be other servers behind a load balancer
			c.StopDelay = usualStopDelay
		}
	}

	c.Blob = cmp.Or(c.Blob, &url.URL{Scheme: "file", Path: filepath.Join(c.Data, "blobs")})

	return c, nil
}

// Secrets returns the passwords and keys in the settings, as they are and as they stand in addresses. Remove them from
// every text that is shown. Those of fewer than four characters are left out: a text without such letters tells what they are.
func (c Config) Secrets() []string {
	const least = 4

	plain := []string{c.Secret}
	for _, value := range c.Telemetry.Headers {
		plain = append(plain, value)
	}

	database, err := url.Parse(c.DatabaseURL)
	if err == nil {
		query := database.Query()
		plain = append(plain, query.Get("password"), query.Get("sslpassword"))
	}

	for _, u := range []*url.URL{database, c.Blob, c.SMTP, c.Speech.URL} {
		if u == nil || u.User == nil {
			continue
		}

		password, _ := u.User.Password()
		plain = append(plain, password)

		if u == c.Blob || u == c.Speech.URL { // their user is a key
			plain = append(plain, u.User.Username())
		}
	}

	var all []string

	for _, secret := range plain {
		if len(secret) < least {
			continue
		}

		for _, form := range []string{secret, url.QueryEscape(secret), url.PathEscape(secret), url.UserPassword("", secret).String()[1:]} {
			if !slices.Contains(all, form) {
				all = append(all, form)
			}
		}
	}

	return all
}

func (s Setting) fault(value string, err error) error {
	shown := fmt.Sprintf("%q", value)

	if s.secret {
		return fmt.Errorf("%s has an invalid value: it must be %s", s.Name, s.Wants)
	}

	if errors.Is(err, errValue) {
		return fmt.Errorf("%s=%s is invalid: it must be %s", s.Name, shown, s.Wants)
	}

	return fmt.Errorf("%s=%s is invalid: it must be %s: %w", s.Name, shown, s.Wants, err)
}

// Reachable turns the address of a listener into one that a client on this machine can use.
func Reachable(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return addr
	}

	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "localhost"
	}

	return net.JoinHostPort(host, port)
}

// Help lists the variables for the help text.
func Help() string {
	var b strings.Builder
	for _, s := range All(&Config{}) {
		fmt.Fprintf(&b, "%s\n    %s; %s", s.Name, s.Purpose, s.Wants)

		if s.fallback != "" {
			fmt.Fprintf(&b, " (default %s)", s.fallback)
		}

		b.WriteByte('\n')
	}

	return b.String()
}
