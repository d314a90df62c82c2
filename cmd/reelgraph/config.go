package main

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/logging"
)

// config is every setting of the program, valid as a whole: nothing after loadConfig checks one
// again. Nothing else reads the environment.
type config struct {
	Addr           string              // host:port that serve listens on
	BaseURL        *url.URL            // address that clients use, without a closing slash
	Data           string              // data folder, absolute
	DatabaseURL    string              // empty: the private Postgres of the data folder
	PostgresBin    string              // folder of initdb and postgres; empty: search
	Blob           *url.URL            // file or s3
	RateLimit      int                 // requests per minute
	SessionLimit   int                 // requests per minute of a session
	EventLimit     int                 // events of subscriptions per minute
	WebhookAllow   []netip.Prefix      // otherwise refused ranges that webhooks may reach
	Workers        map[string]int      // size of each queue; nil: the defaults, empty: no workers
	TrustedProxies []netip.Prefix      // whose forwarding headers are believed
	CountryHeader  string              // header of a trusted proxy with the country; empty: none
	MMDB           string              // file of the country database; empty: none
	UploadMax      int64               // bytes
	WorkspaceBytes int64               // that a workspace may store; 0: no bound
	DiskReserve    int64               // bytes of the disk that media leave to the database
	Plan           auth.Plan           // of new workspaces
	Speech         speechChoice        // who turns speech into words
	Fillers        map[string][]string // filler words of a language; nil: the built-in lists
	MetricsAddr    string              // host:port of what operators see; empty: not served
	Origins        []string            // of other pages that may use the API from a browser, with keys
	OwnOrigins     []string            // other addresses of this same server
	Workspaces     int                 // that one person owns at most
	Log            logging.Form        // of the log
	Telemetry      collector           // where traces and figures are sent
	SMTP           *url.URL            // nil: no mail
	Interpret      bool                // leave every query of the graph to gqlgen's executor
	Secret         string              // empty: made at first start and kept in the database
	StopDelay      time.Duration       // between saying that no requests should come and taking none
}

// A setting is one variable of the environment.
type setting struct {
	name     string
	fallback string // what an unset or empty variable means
	wants    string // the allowed values, for the error and the help
	purpose  string
	secret   bool // its value is never printed
	set      func(value string) error
}

// settings lists every variable; set puts a value into c.
func settings(c *config) []setting {
	return []setting{
		{name: "REELGRAPH_ADDR", fallback: "127.0.0.1:8080", wants: "host:port",
			purpose: "where the server listens", set: address(&c.Addr)},
		{name: "REELGRAPH_BASE_URL", wants: "an http or https URL without query",
			purpose: "the address clients use (default: http:// and REELGRAPH_ADDR)", set: baseURL(&c.BaseURL)},
		{name: "REELGRAPH_DATA", fallback: "data", wants: "a path",
			purpose: "the data folder", set: absolute(&c.Data)},
		{name: "DATABASE_URL", wants: "a postgres:// URL", secret: true,
			purpose: "a Postgres to use instead of the private one in the data folder; without sslmode it means sslmode=require",
			set:     database(&c.DatabaseURL)},
		{name: "REELGRAPH_POSTGRES_BIN", wants: "the folder that holds initdb and postgres",
			purpose: "the programs of the private Postgres (default: found on the system)", set: absolute(&c.PostgresBin)},
		{name: "REELGRAPH_BLOB", wants: "file:///folder or s3://key:secret@bucket/prefix?endpoint=https://host&region=name", secret: true,
			purpose: "where media are kept (default: the folder blobs in the data folder)", set: blobURL(&c.Blob)},
		{name: "REELGRAPH_RATE_LIMIT", fallback: "100", wants: "a whole number from 1 to 1000000",
			purpose: "requests a minute for each user in a workspace", set: whole(&c.RateLimit)},
		{name: "REELGRAPH_SESSION_LIMIT", fallback: "1200", wants: "a whole number from 1 to 1000000",
			purpose: "requests a minute for each user in a workspace who comes with a browser's session", set: whole(&c.SessionLimit)},
		{name: "REELGRAPH_EVENT_LIMIT", fallback: "600", wants: "a whole number from 1 to 1000000",
			purpose: "events of subscriptions a minute for each user in a workspace", set: whole(&c.EventLimit)},
		{name: "REELGRAPH_WEBHOOK_ALLOW", wants: "addresses or CIDR ranges, separated by commas",
			purpose: "private ranges that webhooks may reach, for development", set: ranges(&c.WebhookAllow)},
		{name: "REELGRAPH_WORKERS", wants: "0, or queue=size pairs separated by commas, sizes from 1 to 1000",
			purpose: "queues worked by this process; 0 serves the API alone", set: queues(&c.Workers)},
		{name: "REELGRAPH_TRUSTED_PROXIES", wants: "addresses or CIDR ranges, separated by commas",
			purpose: "proxies whose forwarding headers are believed", set: ranges(&c.TrustedProxies)},
		{name: "REELGRAPH_COUNTRY_HEADER", wants: "the name of a header",
			purpose: "header in which a trusted proxy gives the viewer's country", set: headerName(&c.CountryHeader)},
		{name: "REELGRAPH_MMDB", wants: "a file that can be read",
			purpose: "country database in MMDB form", set: readable(&c.MMDB)},
		{name: "REELGRAPH_UPLOAD_MAX", fallback: "5GiB", wants: "bytes, or a number with KiB, MiB, GiB or TiB",
			purpose: "largest upload", set: size(&c.UploadMax)},
		{name: "REELGRAPH_WORKSPACE_BYTES", wants: "bytes, or a number with KiB, MiB, GiB or TiB",
			purpose: "what a workspace may store; uploads beyond it are refused (default: no bound)", set: size(&c.WorkspaceBytes)},
		{name: "REELGRAPH_DISK_RESERVE", fallback: "1GiB", wants: "bytes, or a number with KiB, MiB, GiB or TiB",
			purpose: "space that uploads, caches and films leave on the disk, for the database", set: size(&c.DiskReserve)},
		{name: "REELGRAPH_PLAN", fallback: string(auth.PlanPremium), wants: "free or premium",
			purpose: "plan of new workspaces", set: tier(&c.Plan)},
		{name: "REELGRAPH_WORKSPACES", fallback: "5", wants: "a whole number from 1 to 1000000",
			purpose: "workspaces that one person owns at most; operators own any number", set: whole(&c.Workspaces)},
		{name: "REELGRAPH_SPEECH", fallback: "none", secret: true,
			wants:   "none, pocketsphinx, openai+https://key@host/v1?model=name or whispercpp+http://host:port",
			purpose: "who turns speech into words; pocketsphinx does it on this machine, roughly and in English", set: speechProvider(&c.Speech)},
		{name: "REELGRAPH_FILLERS", wants: `lists such as "en=um,uh,you know,(like); de=äh,ähm"`,
			purpose: "filler words of each language; in brackets: only between commas or pauses (default: built-in)", set: wordLists(&c.Fillers)},
		{name: "REELGRAPH_METRICS_ADDR", wants: "host:port",
			purpose: "where /metrics, profiles and health are served to operators, without a password (default: nowhere)",
			set:     address(&c.MetricsAddr)},
		{name: "REELGRAPH_ORIGINS", wants: "origins such as https://reel.example, separated by commas",
			purpose: "other addresses at which browsers reach this same server: cookies and uploads count there too",
			set:     origins(&c.OwnOrigins)},
		{name: "REELGRAPH_CORS_ORIGINS", wants: "origins such as https://studio.example, separated by commas",
			purpose: "other pages, such as dashboards, that may use the API from a browser; with keys, never with cookies",
			set:     origins(&c.Origins)},
		{name: "REELGRAPH_LOG", fallback: string(logging.JSON), wants: "json or text",
			purpose: "how the log is written", set: logForm(&c.Log)},
		{name: "REELGRAPH_GRAPH", fallback: "compiled", wants: "compiled or interpreted",
			purpose: "how plain queries are answered: both answer the same, compiled ones sooner", set: execution(&c.Interpret)},
		{name: "REELGRAPH_SMTP_URL", wants: "smtp:// or smtps://, user:password@ and host:port, ?from=address", secret: true,
			purpose: "mail server for invitations, password resets and comments (default: no mail)", set: mailServer(&c.SMTP)},
		{name: "REELGRAPH_STOP_DELAY", wants: "seconds such as 5s, at most 1m",
			purpose: "how long a server that stops still takes requests while /readyz says no (default: 5s with DATABASE_URL, else 0s)",
			set:     duration(&c.StopDelay, time.Minute)},
		{name: "REELGRAPH_SECRET", wants: "at least 32 characters", secret: true,
			purpose: "signs addresses and encrypts stored secrets (default: made at first start, kept in the database)",
			set:     secret(&c.Secret)},
		{name: "OTEL_EXPORTER_OTLP_ENDPOINT", wants: "an http or https URL without query",
			purpose: "a collector for traces and metrics, by OTLP over HTTP (default: nothing is sent)", set: baseURL(&c.Telemetry.Endpoint)},
		{name: "OTEL_EXPORTER_OTLP_HEADERS", wants: "name=value pairs separated by commas", secret: true,
			purpose: "headers for the collector", set: pairs(&c.Telemetry.Headers)},
		{name: "OTEL_SERVICE_NAME", fallback: "reelgraph", wants: "a name",
			purpose: "how this process is called there", set: text(&c.Telemetry.Service)},
		{name: "OTEL_RESOURCE_ATTRIBUTES", wants: "name=value pairs separated by commas",
			purpose: "what else is said of it", set: pairs(&c.Telemetry.Attributes)},
		{name: "OTEL_TRACES_SAMPLER_ARG", fallback: "1", wants: "a number from 0 to 1",
			purpose: "the part of the traces that is kept", set: ratio(&c.Telemetry.Ratio)},
	}
}

// A collector is where traces and figures are sent, in the words of OpenTelemetry.
type collector struct {
	Endpoint            *url.URL // nil: nowhere
	Headers, Attributes map[string]string
	Service             string
	Ratio               float64
}

const (
	usualStopDelay = 5 * time.Second
	unset          = time.Duration(-1)
)

// loadConfig reads every setting and reports all that are wrong at once, each naming its variable
// and what it allows. An empty variable is an unset one.
func loadConfig(getenv func(string) string) (config, error) {
	c := config{StopDelay: unset}
	var faults []error
	for _, s := range settings(&c) {
		value := cmp.Or(getenv(s.name), s.fallback)
		if value == "" {
			continue
		}
		if err := s.set(value); err != nil {
			faults = append(faults, s.fault(value, err))
		}
	}
	if len(faults) > 0 {
		return config{}, errors.Join(faults...)
	}
	if c.DatabaseURL != "" && getenv("PGSSLMODE") == "" {
		c.DatabaseURL = withSSLMode(c.DatabaseURL)
	}
	c.BaseURL = cmp.Or(c.BaseURL, &url.URL{Scheme: "http", Host: reachable(c.Addr)})
	if c.StopDelay == unset {
		c.StopDelay = 0
		if c.DatabaseURL != "" { // there may be others, and somebody who divides the requests
			c.StopDelay = usualStopDelay
		}
	}
	c.Blob = cmp.Or(c.Blob, &url.URL{Scheme: "file", Path: filepath.Join(c.Data, "blobs")})
	return c, nil
}

func (s setting) fault(value string, err error) error {
	shown := fmt.Sprintf("%q", value)
	if s.secret {
		return fmt.Errorf("%s is not allowed as it is set: it wants %s", s.name, s.wants)
	}
	if errors.Is(err, errValue) {
		return fmt.Errorf("%s=%s is not allowed: it wants %s", s.name, shown, s.wants)
	}
	return fmt.Errorf("%s=%s is not allowed: it wants %s: %w", s.name, shown, s.wants, err)
}

// reachable turns the address of a listener into one that a client on this machine can use.
func reachable(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return addr
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return net.JoinHostPort(host, port)
}

// settingsHelp lists the variables for the help text.
func settingsHelp() string {
	var b strings.Builder
	for _, s := range settings(&config{}) {
		fmt.Fprintf(&b, "%s\n    %s; %s", s.name, s.purpose, s.wants)
		if s.fallback != "" {
			fmt.Fprintf(&b, " (default %s)", s.fallback)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
